package socialsearch

import (
	"context"
	"sync"
)

// SpendStore keeps what the calls of several processes spend together, so that
// they keep to one budget. Package spendtest tests an implementation. All methods
// are safe for concurrent use.
//
// A reservation of a process that died stays counted, because the service may have
// billed the call.
type SpendStore interface {
	// Reserve adds most to what is reserved under id, unless what is spent and
	// reserved would then be more than budget, in one step, and reports whether it
	// did. A budget of 0 is no limit. After an error most may be reserved.
	Reserve(ctx context.Context, id string, most, budget Cost) (Reservation, error)
	// Settle ends all that is reserved under id and adds cost to what is spent. If
	// nothing is reserved under id, as when it was settled before, it does nothing, so
	// that a Settle whose answer was lost can be repeated. The state is that after it.
	Settle(ctx context.Context, id string, cost Cost) (MeterState, error)
	// State returns what is spent and reserved.
	State(ctx context.Context) (MeterState, error)
}

// Reservation is the end of a [SpendStore]'s Reserve.
type Reservation struct {
	State    MeterState // after it
	Reserved bool       // whether the budget had room
}

// After returns the state with a reservation of most. It reports false if that is
// more than budget, where 0 is no limit. A SpendStore can rely on it: sums never
// wrap around.
func (s MeterState) After(most, budget Cost) (MeterState, bool) {
	if budget > 0 && s.Spent.plus(s.Reserved).plus(most) > budget {
		return s, false
	}
	s.Reserved = s.Reserved.plus(most)
	return s, true
}

// Settled returns the state when a reservation has ended that cost so much.
func (s MeterState) Settled(reserved, cost Cost) MeterState {
	return MeterState{Spent: s.Spent.plus(cost), Reserved: max(0, s.Reserved-reserved)}
}

// MemorySpendStore keeps in memory what was spent. The zero value is empty and
// ready to use.
type MemorySpendStore struct {
	mu       sync.Mutex
	state    MeterState
	reserved map[string]Cost
}

// Reserve implements [SpendStore].
func (m *MemorySpendStore) Reserve(_ context.Context, id string, most, budget Cost) (Reservation, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	next, ok := m.state.After(most, budget)
	if !ok {
		return Reservation{State: m.state}, nil
	}
	if m.reserved == nil {
		m.reserved = map[string]Cost{}
	}
	m.state = next
	m.reserved[id] = m.reserved[id].plus(most)
	return Reservation{State: m.state, Reserved: true}, nil
}

// Settle implements [SpendStore].
func (m *MemorySpendStore) Settle(_ context.Context, id string, cost Cost) (MeterState, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if reserved, ok := m.reserved[id]; ok {
		delete(m.reserved, id)
		m.state = m.state.Settled(reserved, cost)
	}
	return m.state, nil
}

// State implements [SpendStore].
func (m *MemorySpendStore) State(context.Context) (MeterState, error) { return m.now(), nil }

func (m *MemorySpendStore) now() MeterState {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state
}

var _ SpendStore = (*MemorySpendStore)(nil)
