package socialsearch

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

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

func (o *outage) Reserve(ctx context.Context, id string, most, budget Cost) (Reservation, error) {
	o.reserves++
	r, err := o.MemorySpendStore.Reserve(ctx, id, most, budget)
	if o.down {
		return Reservation{}, errDown // the answer was lost
	}
	return Reservation{State: r.State, Reserved: r.Reserved}, err
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

// page has n posts of n authors, in opposite orders.
func page(n int) *PostPage {
	p := &PostPage{}
	for i := range n {
		p.Items = append(p.Items, Post{AuthorID: strconv.Itoa(i)})
		p.Includes.Users = append(p.Includes.Users, User{ID: strconv.Itoa(n - i)})
	}
	return p
}

func TestJoin(t *testing.T) {
	p := page(5)
	p.Items = append(p.Items, Post{})
	p.Includes.Users = append(p.Includes.Users, User{}, User{ID: "3", Name: "another of the same ID"})
	p.join(nil, nil)
	require.Nil(t, p.Items[0].Author, "no user has this ID")
	for _, post := range p.Items[1:5] {
		require.Equal(t, post.AuthorID, post.Author.ID)
	}
	require.Empty(t, p.Items[3].Author.Name, "the first of two users counts")
	require.Nil(t, p.Items[5].Author, "without an ID there is no author")
}

// TestJoinGrowsWithThePage: looking through all users for each post would take
// minutes here.
func TestJoinGrowsWithThePage(t *testing.T) {
	p := page(200_000)
	begun := time.Now()
	p.join(nil, nil)
	require.Less(t, time.Since(begun), 10*time.Second)
}

// TestSevenDaysAgo: the edge of what can be searched works, on the way to the
// service too, and when the clocks change.
func TestSevenDaysAgo(t *testing.T) {
	now := time.Now()
	for _, start := range []time.Time{now.AddDate(0, 0, -7), now.Add(-searchable), now.Add(-searchable - 59*time.Minute)} {
		req := SearchRequest{Query: NewQuery(Keyword("gm")), Start: start}
		require.NoError(t, req.problem(time.Now()))
		sent, err := time.Parse(time.RFC3339, req.query(time.Now()).StartTime)
		require.NoError(t, err)
		require.WithinDuration(t, now.Add(travel-searchable), sent, 2*time.Second)
	}
	early := now.Add(-searchable - 2*time.Hour)
	require.Error(t, SearchRequest{Query: NewQuery(Keyword("gm")), Start: early}.problem(time.Now()))
	require.Equal(t, now.Add(-time.Hour), searchableFrom(now.Add(-time.Hour), now))
	require.Zero(t, searchableFrom(time.Time{}, now))
}
