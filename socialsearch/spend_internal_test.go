package socialsearch

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// TestMaybeServed: only an answer with an error status is known not to be billed.
func TestMaybeServed(t *testing.T) {
	answer := func(status int) error { return &walletfi.ResponseError{StatusCode: status} }
	lost := &walletfi.TransportError{Kind: walletfi.ErrUnavailable, Cause: errors.New("reset")}
	for _, row := range []struct {
		what string
		err  error
		want bool
	}{
		{"a success without a status that cannot be read", fmt.Errorf("body: %w", walletfi.ErrDecode), true},
		{"a success that says nothing", answer(200), true},
		{"the last success", answer(299), true},
		{"a redirect", answer(300), false},
		{"the status before successes", answer(199), false},
		{"a refusal", answer(403), false},
		{"a failure of the service", answer(503), false},
		{"a lost answer", lost, true},
		{"a refusal after a lost answer", errors.Join(answer(403), lost), false},
		{"a success that was cut short", errors.Join(answer(200), lost), true},
		{"never sent", errors.New("invalid"), false},
	} {
		require.Equal(t, row.want, maybeServed(row.err), row.what)
	}
}

// TestSettleCharges: what each mix of attempts costs, price 7 a post and 70 at most.
func TestSettleCharges(t *testing.T) {
	lost, refused := error(&walletfi.TransportError{}), error(&walletfi.ResponseError{StatusCode: 503})
	for _, row := range []struct {
		what                                 string
		attempts, refused, dialled, connects int
		brought                              int
		err                                  error
		retried                              bool
		want                                 Cost
	}{
		{what: "one answer", attempts: 1, dialled: 1, connects: 1, brought: 3, want: 21},
		{what: "an answer after lost ones", attempts: 3, dialled: 3, connects: 3, brought: 3, retried: true, want: 2*70 + 21},
		{what: "two tries without a trace, only the last can be served", attempts: 2, err: lost, want: 70},
		{what: "lost ones that were repeated", attempts: 3, err: lost, retried: true, want: 210},
		{what: "refused, nothing repeated", attempts: 1, err: refused, dialled: 1, connects: 1, want: 0},
		{what: "refused and counted", attempts: 2, refused: 1, err: refused, retried: true, want: 70},
		{what: "no connection", attempts: 2, dialled: 2, err: lost, retried: true, want: 0},
		{what: "no connection, then lost", attempts: 2, dialled: 2, connects: 1, err: lost, retried: true, want: 70},
		{what: "more refusals than tries", attempts: 1, refused: 2, err: lost, retried: true, want: 0},
	} {
		m, err := NewMeter(MeterConfig{PostRead: 7})
		require.NoError(t, err)
		c := m.reads(10)
		for range row.attempts {
			require.NoError(t, c.begin(t.Context()))
		}
		require.Equal(t, MeterState{Reserved: 70 * Cost(row.attempts)}, m.State())
		c.refused = row.refused
		c.dialled.Store(int32(row.dialled))
		c.connected.Store(int32(row.connects))
		c.settle(t.Context(), row.brought, row.err, row.retried)
		require.Equal(t, MeterState{Spent: row.want}, m.State(), row.what)
		require.Equal(t, row.want, c.billed, row.what)
	}
}

// TestAnsweredCountsErrors: statuses that are not billed, from 1 to 599.
func TestAnsweredCountsErrors(t *testing.T) {
	for status, want := range map[int]int{0: 0, 100: 1, 199: 1, 200: 0, 299: 0, 300: 1, 404: 1, 599: 1} {
		c := &charge{}
		c.answered(status)
		require.Equal(t, want, c.refused, status)
	}
	(*charge)(nil).answered(500)
}

func TestCostAtItsEnds(t *testing.T) {
	const top = math.MaxInt64
	require.Equal(t, Cost(top), Cost(top-5).plus(5), "exactly the largest")
	require.Equal(t, Cost(top-1), Cost(top-6).plus(5))
	require.Equal(t, Cost(top), Cost(top-5).plus(6))
	require.Equal(t, Cost(top), Cost(top/10+1).times(10))
	require.Equal(t, Cost(top-7), Cost(top/10).times(10), "just fits")
	require.Equal(t, Cost(top), Cost(top).times(1))
	require.Zero(t, Cost(top).times(0))
	require.Equal(t, Cost(9), Cost(9).times(1))
	for c, text := range map[Cost]string{0: "0", 1: "0.000001", -1: "-0.000001", -5_000: "-0.005", 1_000_000: "1"} {
		require.Equal(t, text, c.String())
	}
}

// TestRemaining: 0 without a budget, and never below 0.
func TestRemaining(t *testing.T) {
	for _, row := range []struct {
		budget, spent, reserved, want Cost
	}{
		{0, 5, 5, 0},
		{1, 0, 0, 1},
		{1, 1, 0, 0},
		{10, 3, 4, 3},
		{10, 8, 4, 0},
	} {
		m := &Meter{budget: row.budget}
		require.Equal(t, row.want, m.left(MeterState{row.spent, row.reserved}), "%+v", row)
	}
}

// TestAfter: a reservation that just fits is made; one that does not changes nothing.
func TestAfter(t *testing.T) {
	now := MeterState{Spent: 4, Reserved: 3}
	next, ok := now.After(3, 10)
	require.True(t, ok)
	require.Equal(t, MeterState{Spent: 4, Reserved: 6}, next)
	next, ok = now.After(4, 10)
	require.False(t, ok)
	require.Equal(t, now, next)
	_, ok = MeterState{}.After(2, 1)
	require.False(t, ok, "a budget of 1 is one")
}

// TestRefusalSaysWhatIsLeft: what is spent, or what calls under way may take.
func TestRefusalSaysWhatIsLeft(t *testing.T) {
	m := &Meter{budget: 10}
	require.ErrorContains(t, m.refusal(6, MeterState{Spent: 4, Reserved: 1}), "calls under way can cost 0.000001 of that", "6 of 6 would fit")
	require.ErrorContains(t, m.refusal(7, MeterState{Spent: 4, Reserved: 1}), "it could cost 0.000007, and 0.000006 of 0.00001 is left")
	require.ErrorContains(t, m.refusal(7, MeterState{Spent: 12}), "and 0 of 0.00001 is left")
}

// TestPricesMustNotBeNegative: each alone.
func TestPricesMustNotBeNegative(t *testing.T) {
	for _, cfg := range []MeterConfig{
		{Budget: -1}, {PostRead: -1}, {UserLookup: -1}, {From: MeterState{Spent: -1}}, {From: MeterState{Reserved: -1}},
	} {
		_, err := NewMeter(cfg)
		require.ErrorIs(t, err, walletfi.ErrInvalidRequest, "%+v", cfg)
	}
}

// noted is a store that notes what it is asked.
type noted struct {
	MemorySpendStore
	settles []string
	settle  context.Context
	fails   error
}

func (n *noted) Settle(ctx context.Context, id string, c Cost) (MeterState, error) {
	n.settles, n.settle = append(n.settles, id), ctx
	if n.fails != nil {
		return MeterState{}, n.fails
	}
	return n.MemorySpendStore.Settle(ctx, id, c)
}

// TestSettleIsBounded: it has its time even if the caller has gone, and holds nothing
// when it has ended.
func TestSettleIsBounded(t *testing.T) {
	store := &noted{}
	m, err := NewMeter(MeterConfig{Store: store})
	require.NoError(t, err)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	m.settle(gone, m.now(), "a", 1)
	deadline, ok := store.settle.Deadline()
	require.True(t, ok)
	require.WithinDuration(t, time.Now().Add(5*time.Second), deadline, 4*time.Second)
	require.ErrorIs(t, store.settle.Err(), context.Canceled, "ended")
}

// TestSettleLateEndsOnce: what was settled late is not settled again, and the meter
// knows of it although the next reservation fails.
func TestSettleLateEndsOnce(t *testing.T) {
	store := &noted{}
	m, err := NewMeter(MeterConfig{Store: store})
	require.NoError(t, err)
	first := m.reads(1)
	require.NoError(t, first.begin(t.Context()))
	require.Equal(t, MeterState{Reserved: CostPostRead}, m.State(), "known while the call is under way")
	store.fails = errors.New("gone")
	first.settle(t.Context(), 1, nil, false)
	require.Equal(t, m.State(), first.after, "of a store that fails, what it told last")
	require.Equal(t, CostPostRead, first.after.Reserved)

	store.fails = nil
	m.settleLate(t.Context())
	require.Equal(t, MeterState{Spent: CostPostRead}, m.State())
	m.settleLate(t.Context())
	require.Equal(t, []string{first.id, first.id}, store.settles)
}

// TestFailedTellsWhoEnded: the caller's own end is not the store's failure.
func TestFailedTellsWhoEnded(t *testing.T) {
	m := &Meter{}
	ctx, cancel := context.WithCancel(t.Context())
	broken := errors.New("disk full")
	require.ErrorIs(t, m.failed(ctx, broken), ErrSpendStore)
	require.ErrorIs(t, m.failed(ctx, context.Canceled), ErrSpendStore, "the store's own context")
	cancel()
	require.ErrorIs(t, m.failed(ctx, broken), ErrSpendStore)
	ended := m.failed(ctx, fmt.Errorf("reserve: %w", context.Canceled))
	require.ErrorIs(t, ended, context.Canceled)
	require.NotErrorIs(t, ended, ErrSpendStore)
}

type refusing struct {
	transport.Authoriser
	err error
}

func (r refusing) Authorise(context.Context, http.Header) error { return r.err }

// TestMeteredAsksTheCredential: what is metered is authorised too.
func TestMeteredAsksTheCredential(t *testing.T) {
	no := errors.New("no credential")
	m, err := NewMeter(MeterConfig{})
	require.NoError(t, err)
	for _, c := range []*charge{nil, m.lookup()} {
		ctx := context.WithValue(t.Context(), chargeKey{}, c)
		require.ErrorIs(t, metered{refusing{err: no}}.Authorise(ctx, http.Header{}), no)
	}
	require.Equal(t, CostUserLookup, m.State().Reserved)
}
