package swap_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/swap"
)

func TestStatuses(t *testing.T) {
	for _, row := range []struct {
		status   int
		kind     error
		requests int
		starting bool
	}{
		{400, walletfi.ErrInvalidRequest, 1, false},
		{401, walletfi.ErrUnauthorized, 1, false},
		{404, walletfi.ErrNotFound, 1, false},
		{429, walletfi.ErrRateLimited, 4, false},
		{500, walletfi.ErrUnavailable, 4, false},
		{503, walletfi.ErrUnavailable, 4, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, wire := carriedClient(t, keyed(), map[string][]answer{"/order": {{Status: row.status, Body: `{"error":"the reason, k-123456"}`}}})
			_, err := c.BuildOrder(t.Context(), swap.OrderRequest{Owner: user, InputMint: sol, OutputMint: usdc, Amount: 1})
			require.ErrorIs(t, err, row.kind)
			require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
			require.Equal(t, row.starting, swap.Starting(err))
			require.Len(t, wire.Seen, row.requests)
			r := wiretest.As[*walletfi.ResponseError](t, err)
			require.Equal(t, "swap", r.Service)
			require.Equal(t, "BuildOrder", r.Op)
			require.Contains(t, err.Error(), "the reason")
			require.NotContains(t, err.Error(), "k-123456")
			require.NotContains(t, err.Error(), user, "a query")
		})
	}
	require.False(t, swap.Starting(nil))
	require.False(t, swap.Starting(context.Canceled))
}

// TestStartingUp: the service that is starting is waited for.
func TestStartingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, wire := carriedClient(t, keyed(), map[string][]answer{"/venues": {
			{Status: 503, Header: map[string]string{"Retry-After": "5"}}, {Status: 200, Body: `{"venues":[{"id":"a","enabled":true}]}`},
		}})
		begun := time.Now()
		venues, err := c.ListVenues(t.Context())
		require.NoError(t, err)
		require.Equal(t, []swap.Venue{{ID: "a", Enabled: true}}, venues.Items)
		require.Equal(t, 5*time.Second, time.Since(begun))
		require.Len(t, wire.Seen, 2)
	})
}

// TestListsFail: a list that failed is no empty list.
func TestListsFail(t *testing.T) {
	c, _ := carriedClient(t, keyed(), nil)
	require.ErrorIs(t, wiretest.Error(c.ListTokens(t.Context())), walletfi.ErrNotFound)
	require.ErrorIs(t, wiretest.Error(c.ListTokensWithDecimals(t.Context())), walletfi.ErrNotFound)
	require.ErrorIs(t, wiretest.Error(c.ListVenues(t.Context())), walletfi.ErrNotFound)
}
