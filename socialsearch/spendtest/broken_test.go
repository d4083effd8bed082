package spendtest_test

import (
	"context"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/socialsearch"
	"github.com/walletfi/walletfi-go/socialsearch/spendtest"
)

// base is a good store, of which each broken one changes something.
type (
	base        = socialsearch.MemorySpendStore
	cost        = socialsearch.Cost
	state       = socialsearch.MeterState
	reservation = socialsearch.Reservation
	store       = socialsearch.SpendStore
)

// broken changes what a good store is asked and answers.
type broken struct {
	*base
	reserve func(b *base, id string, most, budget cost) (reservation, error)
	settle  func(b *base, id string, cost cost) (state, error)
	state   func(state) state
}

func (s broken) Reserve(ctx context.Context, id string, most, budget cost) (reservation, error) {
	if s.reserve == nil {
		return s.base.Reserve(ctx, id, most, budget)
	}
	return s.reserve(s.base, id, most, budget)
}

func (s broken) Settle(ctx context.Context, id string, cost cost) (state, error) {
	if s.settle == nil {
		return s.base.Settle(ctx, id, cost)
	}
	return s.settle(s.base, id, cost)
}

func (s broken) State(ctx context.Context) (state, error) {
	now, err := s.base.State(ctx)
	if s.state != nil {
		now = s.state(now)
	}
	return now, err
}

var none = context.Background()

func all() map[string]broken {
	return map[string]broken{
		"the budget is not kept": {reserve: func(b *base, id string, most, _ cost) (reservation, error) {
			return b.Reserve(none, id, most, 0)
		}},
		"no budget is a budget": {reserve: func(b *base, id string, most, budget cost) (reservation, error) {
			return b.Reserve(none, id, most, max(budget, 1))
		}},
		"the last of the budget is refused": {reserve: func(b *base, id string, most, budget cost) (reservation, error) {
			return b.Reserve(none, id, most, max(0, budget-1))
		}},
		"reserving is not atomic": {reserve: func(b *base, id string, most, budget cost) (reservation, error) {
			now, _ := b.State(none)
			_ = pause.For(context.Background(), 2*time.Millisecond) // until the others are between the two steps
			if _, ok := now.After(most, budget); !ok {
				return reservation{State: now}, nil
			}
			return b.Reserve(none, id, most, 0)
		}},
		"what is reserved does not count": {state: func(s state) state { s.Reserved = 0; return s }},
		"a refused call is reserved": {reserve: func(b *base, id string, most, budget cost) (reservation, error) {
			r, err := b.Reserve(none, id, most, budget)
			if !r.Reserved {
				r, err = b.Reserve(none, id, most, 0)
			}
			return r, err
		}},
		"each attempt replaces the last": {reserve: func(b *base, id string, most, budget cost) (reservation, error) {
			_, _ = b.Settle(none, id, 0)
			return b.Reserve(none, id, most, budget)
		}},
		"settled twice counts twice": {settle: func(b *base, id string, cost cost) (state, error) {
			_, _ = b.Reserve(none, id, 0, 0)
			return b.Settle(none, id, cost)
		}},
		"no cost above the reservation": {settle: func(b *base, id string, cost cost) (state, error) {
			return b.Settle(none, id, min(cost, 30))
		}},
	}
}

// TestBrokenSpendStores: the suite fails for each store that is broken in one way.
func TestBrokenSpendStores(t *testing.T) {
	wiretest.Broken(t, 9, all(), func(t *testing.T, each broken) {
		spendtest.Run(t, func(*testing.T) spendtest.Store {
			each := each
			each.base = &base{}
			open := func(*testing.T) store { return each }
			return spendtest.Store{Open: open, Reopen: open}
		})
	})
}

// TestMemorySpendStore: the same store unchanged passes.
func TestMemorySpendStore(t *testing.T) {
	spendtest.Run(t, func(*testing.T) spendtest.Store {
		b := &base{}
		open := func(*testing.T) store { return b }
		return spendtest.Store{Open: open, Reopen: open}
	})
}
