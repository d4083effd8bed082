package bearer

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// TestRefreshFailures: what a failed refresh, and a failed store, answer to.
func TestRefreshFailures(t *testing.T) {
	gone := &walletfi.ResponseError{StatusCode: 404, Kind: walletfi.ErrNotFound}
	for name, c := range map[string]struct {
		err       error
		want, not error
	}{
		"404":     {gone, walletfi.ErrUnauthorized, walletfi.ErrNotFound},
		"500":     {&walletfi.ResponseError{StatusCode: 500, Kind: walletfi.ErrUnavailable}, walletfi.ErrUnavailable, walletfi.ErrUnauthorized},
		"429":     {&walletfi.ResponseError{StatusCode: 429, Kind: walletfi.ErrRateLimited}, walletfi.ErrUnavailable, walletfi.ErrUnauthorized},
		"garbage": {fmt.Errorf("%w: what", walletfi.ErrDecode), walletfi.ErrUnavailable, walletfi.ErrUnauthorized},
	} {
		inBubble(name, t, func(t *testing.T) {
			r := newRig(t, time.Hour)
			r.answer = failing(c.err)
			advance(2 * time.Hour)
			for range 5 {
				_, err := r.Token(t.Context())
				require.ErrorIs(t, err, c.want)
				require.NotErrorIs(t, err, c.not)
				advance(700 * time.Millisecond)
			}
		})
	}
	inBubble("store", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.loadErr = fmt.Errorf("disk")
		_, err := r.Token(t.Context())
		require.ErrorIs(t, err, walletfi.ErrTokenStore)
		require.NotErrorIs(t, err, walletfi.ErrUnavailable)
		r.loadErr = nil
		r.breakSave(fmt.Errorf("disk"))
		advance(2 * time.Hour)
		for range 3 {
			_, err = r.Token(t.Context())
			require.ErrorIs(t, err, walletfi.ErrTokenStore)
			advance(2 * time.Second)
		}
		require.ErrorIs(t, r.Set(t.Context(), tokenOf("b", "", 0)), walletfi.ErrTokenStore)
	})
}
