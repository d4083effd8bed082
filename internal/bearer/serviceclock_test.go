package bearer

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// answered is an answer with a Date that is off from the true time.
func (r *rig) answered(off time.Duration) { r.Dated(time.Now().Add(off), r.cfg.Now()) }

// TestExpiryByTheServicesClock: a process starts after the clock was set back an hour, with
// the token of the one before it. The first answer says what time it is, and the token is
// not used past its expiry, however coarse that Date is.
func TestExpiryByTheServicesClock(t *testing.T) {
	for name, off := range map[string]time.Duration{"exact": 0, "in whole seconds": -999 * time.Millisecond, "slow": -20 * time.Second} {
		inBubble(name, t, func(t *testing.T) {
			r := newRig(t, time.Hour)
			r.offset = -time.Hour
			advance(30 * time.Minute)
			require.Equal(t, "Bearer a0", r.sent(t))
			r.answered(off)
			require.Equal(t, "Bearer a0", r.sent(t), "half an hour is left")
			advance(29 * time.Minute)
			require.Equal(t, "Bearer a0", r.sent(t))
			advance(time.Minute)
			require.Equal(t, "Bearer a1", r.sent(t))
			require.Equal(t, time.Hour, r.stored(t).Ahead-off, "for the next process")
		})
	}
	inBubble("of a token that came by a clock that is off alike", t, func(t *testing.T) {
		r := newRig(t, 0)
		r.offset = -time.Hour
		token := tokenOf("a0", "r0", 0) // good for an hour
		token.Expiry, token.Ahead = time.Now(), time.Hour
		require.NoError(t, r.store.Save(t.Context(), token))
		r.sent(t)
		r.answered(0)
		advance(59 * time.Minute)
		require.Equal(t, "Bearer a0", r.sent(t))
		advance(time.Minute)
		require.Equal(t, "Bearer a1", r.sent(t))
	})
}

// TestWrongDates: a Date that is absent, or a proxy's, locks nobody out and leads to no more
// than one renewal.
func TestWrongDates(t *testing.T) {
	inBubble("none", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		advance(59 * time.Minute)
		require.Equal(t, "Bearer a0", r.sent(t))
		require.Zero(t, r.stored(t).Ahead)
	})
	inBubble("a day ahead, and no renewal to be had", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		r.answered(24 * time.Hour)
		for _, refused := range []error{walletfi.ErrUnavailable, walletfi.ErrUnauthorized} {
			r.answer = func(context.Context, int, walletfi.Token) (walletfi.Token, error) { return walletfi.Token{}, refused }
			for range 100 {
				require.Equal(t, "Bearer a0", r.sent(t), "it is still good")
			}
			advance(time.Minute)
		}
		assert.LessOrEqual(t, r.count(), 2, "one in each minute")
		r.answer = rotating
		require.Contains(t, r.sent(t), "Bearer a")
		require.NotEqual(t, "Bearer a0", r.sent(t))
	})
	inBubble("of another day each time", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		for n := range 100 {
			r.answered(time.Duration(n%3-1) * 24 * time.Hour)
			r.sent(t)
			advance(time.Second)
		}
		require.Equal(t, 1, r.count())
	})
	inBubble("a day behind", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		r.answered(-24 * time.Hour)
		advance(time.Hour)
		require.Equal(t, "Bearer a1", r.sent(t), "by our own clock it is over")
	})
	inBubble("a caller that ends while it waits", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		r.answered(24 * time.Hour)
		r.answer = slowly(time.Minute)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, r.Authorise(ctx, http.Header{}), context.DeadlineExceeded)
		advance(time.Minute)
	})
}
