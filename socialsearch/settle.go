package socialsearch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"
)

// settleTimeout bounds what is settled after a call, which does not end with the
// caller's context: the cost is there whether or not the caller still waits.
const settleTimeout = 5 * time.Second

// settle ends the reservations of a call. If the store fails, they stay, and a later
// call tries again.
func (m *Meter) settle(ctx context.Context, id string, cost Cost) MeterState {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTimeout)
	defer cancel()
	state, err := m.store.Settle(ctx, id, cost)
	if err != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.unsettled == nil {
			m.unsettled = map[string]Cost{}
		}
		m.unsettled[id] = cost
		return m.last
	}
	m.learn(state)
	return state
}

// settleLate settles what the store did not take before. It stops at the first
// failure, which the caller will meet too.
func (m *Meter) settleLate(ctx context.Context) {
	m.mu.Lock()
	late := maps.Clone(m.unsettled)
	m.mu.Unlock()
	for id, cost := range late {
		state, err := m.store.Settle(ctx, id, cost)
		if err != nil {
			return
		}
		m.learn(state)
		m.mu.Lock()
		delete(m.unsettled, id)
		m.mu.Unlock()
	}
}

// failed is the error of a call that was not sent because the store failed, or
// because the caller's context ended.
func (m *Meter) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrSpendStore, err)
}
