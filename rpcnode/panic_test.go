package rpcnode_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/internal/observing/recorded"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/rpcnode"
)

// slots is a limiter that counts what is under way, and may panic.
type slots struct {
	ratelimit.Limiter
	under, sent int
	panics      bool
}

func (s *slots) Permit(context.Context, time.Duration) (func(context.Context, bool) error, error) {
	if s.panics {
		panic("limiter")
	}
	s.under++
	return func(_ context.Context, sent bool) error {
		if s.under--; sent {
			s.sent++
		}
		return nil
	}, nil
}

// TestPanicsKeepNoSlot: a round tripper or a limiter of the program's own that panics keeps
// no slot, and everything that was begun ends, with an error.
func TestPanicsKeepNoSlot(t *testing.T) {
	told, limit := recorded.New(t), &slots{}
	node, err := rpcnode.New(rpcnode.Config{
		URL: walletfi.NewSecret("https://node.example"), Observer: told, Limiter: limit,
		HTTPClient: &http.Client{Transport: panicking{}},
	})
	require.NoError(t, err)
	for _, limit.panics = range []bool{false, true} {
		require.Panics(t, func() { _, _ = node.BlockHeight(t.Context()) })
	}
	require.Zero(t, limit.under)
	require.Equal(t, 1, limit.sent, "it may have been")
	require.Empty(t, told.Open())
	calls := recorded.Ends[observe.Call, observe.CallEnd](told)
	require.Len(t, calls, 2)
	for _, c := range calls {
		require.Equal(t, observing.ErrPanicked, c.End.Err)
	}
	attempts := recorded.Ends[observe.Attempt, observe.AttemptEnd](told)
	require.Len(t, attempts, 1)
	require.Equal(t, observing.ErrPanicked, attempts[0].End.Err)
}

type panicking struct{}

func (panicking) RoundTrip(*http.Request) (*http.Response, error) { panic("round tripper") }
