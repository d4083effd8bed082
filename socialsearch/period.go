package socialsearch

import (
	"context"
	"errors"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
)

// period is a meter's count since an instant: that of its whole life, if it has no Every.
type period struct {
	store  SpendStore
	memory *MemorySpendStore // the store, if it is the meter's own
	start  time.Time
	last   MeterState // that the store returned
}

// begin begins a period.
func (m *Meter) begin(start time.Time) *period {
	if m.storeOf != nil {
		return &period{store: m.storeOf(start), start: start}
	}
	memory := &MemorySpendStore{}
	return &period{store: memory, memory: memory, start: start}
}

// underWay is how long a call waits for others to end before it looks again.
const underWay = time.Second

// now returns the period of the present instant. A clock that is set back does not lead
// into one that is over.
func (m *Meter) now() *period {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.every == 0 {
		return m.period
	}
	if start := clock.Now(m.clock).UTC().Truncate(m.every); start.After(m.period.start) {
		m.period = m.begin(start)
	}
	return m.period
}

// waiting sends a call as soon as its meter has room for it, if that waits. It reserves
// only when it is sent, when others may have taken the room: then it waits again.
func waiting[T any](ctx context.Context, c *charge, send func() (*T, error)) (*T, error) {
	if c == nil || !c.meter.wait || c.most > c.meter.budget {
		return send()
	}
	for {
		if err := c.meter.room(ctx, c.most); err != nil {
			return nil, err
		}
		answer, err := send()
		if answer != nil || c.attempts > 0 || !errors.Is(err, ErrSpendBudget) {
			return answer, err
		}
		c.id = "" // it is a call of the period in which it is sent
	}
}

// room waits until a call that can cost so much may be sent, or says why it never may.
func (m *Meter) room(ctx context.Context, most Cost) error {
	for {
		p := m.now()
		state, err := p.store.State(ctx)
		if err != nil {
			return m.failed(ctx, err)
		}
		m.learn(p, state)
		if _, ok := state.After(most, m.budget); ok {
			return nil
		}
		pause := underWay
		if state.Reserved == 0 || most > m.budget-state.Spent {
			if m.every == 0 {
				return m.refusal(most, state)
			}
			pause = clock.Until(m.clock, p.start.Add(m.every))
		}
		if err := walletfi.Sleep(ctx, m.clock, max(pause, time.Millisecond)); err != nil {
			return err
		}
	}
}
