package rpcnode

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/peer"
)

// TestWaitsBeforeRepeats: each wait is drawn from all of nothing to its bound.
func TestWaitsBeforeRepeats(t *testing.T) {
	for n, bound := range []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second, 2 * time.Second, 2 * time.Second} {
		longest := time.Duration(0)
		c := &Client{pause: func(_ context.Context, d time.Duration) error {
			longest = max(longest, d)
			return nil
		}}
		for range 100 {
			again, err := c.await(t.Context(), n, errors.New("busy"))
			require.NoError(t, err)
			require.True(t, again)
		}
		require.LessOrEqual(t, longest, bound, n)
		require.Greater(t, longest, bound/2, n)
	}
}

// TestAskedWaitsAreObserved: no less than a busy node asks, and as long as ten seconds.
func TestAskedWaitsAreObserved(t *testing.T) {
	var waited []time.Duration
	c := &Client{pause: func(_ context.Context, d time.Duration) error {
		waited = append(waited, d)
		return nil
	}}
	for _, row := range []struct {
		asked time.Duration
		again bool
	}{{3 * time.Second, true}, {10 * time.Second, true}, {10*time.Second + 1, false}} {
		waited = nil
		again, err := c.await(t.Context(), 0, &Error{Kind: walletfi.ErrUnavailable, RetryAfter: row.asked})
		require.Equal(t, row.again, again, row.asked)
		if row.again {
			require.NoError(t, err)
			require.Equal(t, []time.Duration{row.asked}, waited)
			continue
		}
		require.ErrorIs(t, err, walletfi.ErrRateLimited)
		require.Empty(t, waited)
	}
}

// TestWaitOfAnAnswer: only one that is busy or away asks to wait, and a moment that is
// past is none.
func TestWaitOfAnAnswer(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	past, soon := now.Add(-time.Hour).Format(http.TimeFormat), now.Add(time.Minute).Format(http.TimeFormat)
	for _, row := range []struct {
		after string
		kind  error
		want  time.Duration
	}{
		{"7", walletfi.ErrRateLimited, 7 * time.Second},
		{"7", walletfi.ErrUnavailable, 7 * time.Second},
		{soon, walletfi.ErrRateLimited, time.Minute},
		{past, walletfi.ErrRateLimited, 0},
		{"", walletfi.ErrRateLimited, 0},
		{"7", walletfi.ErrDecode, 0},
		{"7", walletfi.ErrRejected, 0},
		{"7", nil, 0},
	} {
		r := &response{header: http.Header{"Retry-After": {row.after}}, at: now}
		require.Equal(t, row.want, r.wait(row.kind), "%s %v", row.after, row.kind)
	}
}

// TestBrokenCalls: a caller that left is no outage of the node.
func TestBrokenCalls(t *testing.T) {
	w := &wire{mask: &peer.Mask{}}
	gone, leave := context.WithCancel(t.Context())
	leave()
	err := w.broken(gone, "m", errors.New("reset"), &peer.Trace{})
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, walletfi.ErrUnavailable)
	for _, cause := range []error{errors.New("reset"), context.DeadlineExceeded} {
		err := w.broken(t.Context(), "m", cause, &peer.Trace{})
		require.ErrorIs(t, err, walletfi.ErrUnavailable)
		require.NotErrorIs(t, err, context.DeadlineExceeded, "the caller's has not passed")
		var lost *walletfi.TransportError
		require.ErrorAs(t, err, &lost)
		require.Equal(t, 1, lost.Attempts)
		require.Equal(t, "m", lost.Op)
	}
}
