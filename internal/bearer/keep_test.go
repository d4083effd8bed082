package bearer

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// TestSameTokenForLonger: a refresh may return the same access token with a later
// expiry, which is used, unless the service has refused it.
func TestSameTokenForLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.answer = func(context.Context, int, walletfi.Token) (walletfi.Token, error) {
			return tokenOf("a0", "r1", time.Hour), nil
		}
		advance(2 * time.Hour)
		for range 5 {
			require.Equal(t, "Bearer a0", r.sent(t))
			advance(time.Minute)
		}
		require.Equal(t, 1, r.refreshes)
	})
}

// TestKindOfARefusedRefresh stays, but for a 404, which is not about what the
// caller asked for.
func TestKindOfARefusedRefresh(t *testing.T) {
	for status, kind := range map[int]error{400: walletfi.ErrInvalidRequest, 401: walletfi.ErrUnauthorized, 403: walletfi.ErrForbidden, 404: walletfi.ErrNotFound} {
		inBubble(kind.Error(), t, func(t *testing.T) {
			r := newRig(t, time.Minute)
			r.answer = failing(&walletfi.ResponseError{StatusCode: status, Kind: kind})
			advance(time.Hour)
			_, err := r.Token(t.Context())
			require.ErrorIs(t, err, walletfi.ErrUnauthorized)
			require.Equal(t, kind != walletfi.ErrNotFound, errors.Is(err, kind))
		})
	}
}

// TestLandsItsOwnFlight: one that was abandoned and ends late leaves the next.
func TestLandsItsOwnFlight(t *testing.T) {
	b, first, second := New(Config{}), new(flight), new(flight)
	b.flight = second
	b.land(first)
	require.Same(t, second, b.flight)
	b.land(second)
	require.Nil(t, b.flight)
}
