package socialsearch

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// outage is a store that can fail, also for one reservation alone, and counts.
type outage struct {
	MemorySpendStore
	down     bool
	poisoned string
	settles  int
	reserves int
}

var errDown = errors.New("down")

func (o *outage) Reserve(ctx context.Context, id string, most, budget Cost) (MeterState, bool, error) {
	o.reserves++
	now, ok, err := o.MemorySpendStore.Reserve(ctx, id, most, budget)
	if o.down {
		return MeterState{}, false, errDown // the answer was lost
	}
	return now, ok, err
}

func (o *outage) Settle(ctx context.Context, id string, cost Cost) (MeterState, error) {
	o.settles++
	if o.down || id == o.poisoned {
		return MeterState{}, errDown
	}
	return o.MemorySpendStore.Settle(ctx, id, cost)
}

// TestOutageOfTheStore: however many calls come in it, what is left to settle is bounded,
// no call does more than a few writes, and nothing stays reserved in the end.
func TestOutageOfTheStore(t *testing.T) {
	for _, calls := range []int{1000, 2000, 4000, 8000} {
		store := &outage{}
		m, err := NewMeter(MeterConfig{Store: store})
		require.NoError(t, err)
		call := func() (int, error) {
			before := store.settles
			c := m.reads(1)
			err := c.begin(t.Context())
			c.settle(t.Context(), 1, err, false)
			return store.settles - before, err
		}
		most := 0
		for range 10 {
			n, err := call()
			require.NoError(t, err)
			most = max(most, n)
		}
		require.Equal(t, 1, most)
		store.down = true
		for range calls {
			n, err := call()
			require.ErrorIs(t, err, ErrSpendStore)
			require.ErrorIs(t, err, errDown)
			most = max(most, n)
		}
		require.Len(t, m.unsettled, min(calls, mostUnsettled))
		require.LessOrEqual(t, store.reserves, mostUnsettled+10, "what cannot be settled is not reserved")
		store.down = false
		n := 0
		for ; len(m.unsettled) > 0; n++ {
			require.Less(t, n, 100)
			settles, err := call()
			require.NoError(t, err)
			most = max(most, settles)
		}
		require.LessOrEqual(t, most, lateBatch+1)
		state, err := store.State(t.Context())
		require.NoError(t, err)
		require.Equal(t, MeterState{Spent: CostPostRead * Cost(10+n)}, state)
	}
}

// TestPoisonedReservation: one that the store never takes does not keep others from being
// settled, nor calls from being sent.
func TestPoisonedReservation(t *testing.T) {
	store := &outage{down: true}
	m, err := NewMeter(MeterConfig{Store: store})
	require.NoError(t, err)
	for range 50 {
		c := m.reads(1)
		require.ErrorIs(t, c.begin(t.Context()), ErrSpendStore)
		c.settle(t.Context(), 0, errDown, false)
		store.poisoned = c.id
	}
	store.down = false
	for n := 0; len(m.unsettled) > 1; n++ {
		require.Less(t, n, 10_000)
		c := m.reads(1)
		require.NoError(t, c.begin(t.Context()))
		c.settle(t.Context(), 1, nil, false)
	}
	require.Contains(t, m.unsettled, store.poisoned)
}
