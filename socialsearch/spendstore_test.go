package socialsearch_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/socialsearch"
)

// failingSpend is a store that fails at will.
type failingSpend struct {
	socialsearch.MemorySpendStore
	reserveErr, stateErr error
	lateReserve          bool // the reservation is there although it failed
}

func (s *failingSpend) Reserve(ctx context.Context, id string, most, budget socialsearch.Cost) (socialsearch.Reservation, error) {
	if s.reserveErr != nil {
		if s.lateReserve {
			_, _ = s.MemorySpendStore.Reserve(ctx, id, most, budget)
		}
		return socialsearch.Reservation{}, s.reserveErr
	}
	return s.MemorySpendStore.Reserve(ctx, id, most, budget)
}

func (s *failingSpend) State(ctx context.Context) (socialsearch.MeterState, error) {
	now, err := s.MemorySpendStore.State(ctx)
	return now, errors.Join(err, s.stateErr)
}

func onePost(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"data":[{"id":"1"}]}`) }

func sharing(t *testing.T, store socialsearch.SpendStore, budget socialsearch.Cost) *socialsearch.Meter {
	t.Helper()
	m, err := socialsearch.NewMeter(socialsearch.MeterConfig{Budget: budget, Store: store})
	require.NoError(t, err)
	return m
}

// TestSpendIsShared: two meters on one store keep to one budget.
func TestSpendIsShared(t *testing.T) {
	s := wiretest.Serve(t, onePost)
	store := &socialsearch.MemorySpendStore{}
	a, b := sharing(t, store, 60_000), sharing(t, store, 60_000)
	for range 2 {
		require.NoError(t, wiretest.Error(client(t, s.URL, a).SearchRecent(t.Context(), gm())))
	}
	require.NoError(t, wiretest.Error(client(t, s.URL, b).SearchRecent(t.Context(), gm())), "0.05 of 0.06 is left")
	_, err := client(t, s.URL, b).SearchRecent(t.Context(), gm())
	require.ErrorIs(t, err, socialsearch.ErrSpendBudget)
	require.ErrorContains(t, err, "0.045 of 0.06 is left")
	require.Len(t, s.Requests(), 3)
	require.Equal(t, socialsearch.Cost(15_000), b.Spent())
	require.Equal(t, socialsearch.Cost(45_000), b.Remaining())
	require.Equal(t, socialsearch.Cost(10_000), a.Spent(), "as it saw last")
	now, err := a.Current(t.Context())
	require.NoError(t, err)
	require.Equal(t, socialsearch.MeterState{Spent: 15_000}, now)
	require.Equal(t, now, a.State())
}

// TestSpendStoreThatFails: without its store a meter lets nothing through.
func TestSpendStoreThatFails(t *testing.T) {
	s := wiretest.Serve(t, onePost)
	broken := errors.New("disk full")
	store := &failingSpend{reserveErr: broken, lateReserve: true}
	m := sharing(t, store, 0)
	c := client(t, s.URL, m)
	_, err := c.SearchRecent(t.Context(), gm())
	require.ErrorIs(t, err, socialsearch.ErrSpendStore)
	require.ErrorIs(t, err, broken)
	require.Empty(t, s.Requests())
	now, err := m.Current(t.Context())
	require.NoError(t, err)
	require.Zero(t, now, "a reservation that was stored after all is ended: nothing was sent")
	store.stateErr = broken
	require.ErrorIs(t, wiretest.Error(m.Current(t.Context())), socialsearch.ErrSpendStore)
}

func TestMeterTakesOneState(t *testing.T) {
	_, err := socialsearch.NewMeter(socialsearch.MeterConfig{Store: &socialsearch.MemorySpendStore{}, From: socialsearch.MeterState{Spent: 1}})
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	require.ErrorContains(t, err, "MeterConfig.From")
}

// tracedSpend notes what it finds in the context of each call, and how long that lasts.
type tracedSpend struct {
	socialsearch.MemorySpendStore
	traces map[string][]any
}

type traceKey struct{}

func (s *tracedSpend) note(ctx context.Context, what string) {
	s.traces[what] = append(s.traces[what], ctx.Value(traceKey{}))
}

func (s *tracedSpend) Reserve(ctx context.Context, id string, most, budget socialsearch.Cost) (socialsearch.Reservation, error) {
	s.note(ctx, "reserve")
	return s.MemorySpendStore.Reserve(ctx, id, most, budget)
}

func (s *tracedSpend) Settle(ctx context.Context, id string, cost socialsearch.Cost) (socialsearch.MeterState, error) {
	s.note(ctx, "settle")
	return s.MemorySpendStore.Settle(ctx, id, cost)
}

func (s *tracedSpend) State(ctx context.Context) (socialsearch.MeterState, error) {
	s.note(ctx, "state")
	return s.MemorySpendStore.State(ctx)
}

// TestSpendStoreGetsTheCallsContext: what it does is part of the call's trace.
func TestSpendStoreGetsTheCallsContext(t *testing.T) {
	s := wiretest.Serve(t, onePost)
	store := &tracedSpend{traces: map[string][]any{}}
	m := sharing(t, store, 0)
	ctx := context.WithValue(t.Context(), traceKey{}, "one")
	require.NoError(t, wiretest.Error(client(t, s.URL, m).SearchRecent(ctx, gm())))
	require.NoError(t, wiretest.Error(m.Current(ctx)))
	require.Equal(t, map[string][]any{"reserve": {"one"}, "settle": {"one"}, "state": {"one"}}, store.traces)
}
