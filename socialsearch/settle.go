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

// late is a settlement that the store of its period did not take.
type late struct {
	period *period
	cost   Cost
}

// settle ends the reservations of a call. If the store fails, they stay, and a later
// call tries again.
func (m *Meter) settle(ctx context.Context, p *period, id string, cost Cost) MeterState {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTimeout)
	defer cancel()
	state, err := p.store.Settle(ctx, id, cost)
	if err != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.unsettled == nil {
			m.unsettled = map[string]late{}
		}
		m.unsettled[id] = late{p, cost}
		return p.last
	}
	m.learn(p, state)
	return state
}

// Bounds of what is settled late: in an outage of the store each call could leave a
// reservation, and the first one after it would settle all of them.
const (
	mostUnsettled = 1024 // then no call reserves before one of them is settled
	lateBatch     = 16   // by each call
)

// settleLate settles some of what the store did not take before. It stops at the first
// failure, which the caller will meet too, unless that is about one reservation alone.
// The error is of a store that has so much left to settle that nothing may be added.
func (m *Meter) settleLate(ctx context.Context) error {
	all := m.takeLate()
	for id, l := range all {
		state, err := l.period.store.Settle(ctx, id, l.cost)
		if err != nil {
			if m.putBack(all) >= mostUnsettled {
				return err
			}
			return nil
		}
		m.learn(l.period, state)
		delete(all, id)
	}
	return nil
}

// takeLate takes some reservations, so that no other call settles them too.
func (m *Meter) takeLate() map[string]late {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := map[string]late{}
	for id, l := range m.unsettled {
		if len(all) == lateBatch {
			break
		}
		all[id] = l
		delete(m.unsettled, id)
	}
	return all
}

// putBack returns how many there are.
func (m *Meter) putBack(all map[string]late) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.Copy(m.unsettled, all)
	return len(m.unsettled)
}

// failed is the error of a call that was not sent because the store failed, or
// because the caller's context ended.
func (m *Meter) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrSpendStore, err)
}
