package bearer

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

func TestEarlyFailureIsNotTheCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.answer = failing(walletfi.ErrUnavailable)
		r.sent(t)
		advance(time.Hour - 30*time.Second)
		for range 290 { // 29 seconds, ten calls each
			assert.Equal(t, "Bearer a0", r.sent(t))
			advance(100 * time.Millisecond)
		}
		assert.Equal(t, 6, r.refreshes, "at 0, 1, 3, 7, 15 and 25 seconds")
		advance(time.Minute)
		header := http.Header{}
		err := r.Authorise(t.Context(), header)
		require.ErrorIs(t, err, walletfi.ErrUnavailable)
		assert.Empty(t, header, "an expired token is not sent")
		advance(10 * time.Second)
		r.answer = rotating
		assert.Equal(t, "Bearer a8", r.sent(t))
	})
}

func TestEarlyRefreshThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.answer = slowly(10 * time.Second)
		r.sent(t)
		advance(time.Hour - 30*time.Second)
		start := time.Now()
		assert.Equal(t, "Bearer a0", r.sent(t))
		assert.Equal(t, earlyPatience, time.Since(start))
		assert.Equal(t, "Bearer a0", r.sent(t))
		assert.Equal(t, earlyPatience, time.Since(start), "the second call does not wait again")
		advance(10 * time.Second)
		assert.Equal(t, "Bearer a1", r.sent(t))
		assert.Equal(t, 1, r.refreshes)
	})
}

func TestHangingRefresh(t *testing.T) {
	for name, obeys := range map[string]bool{"that heeds its context": true, "that does not": false} {
		inBubble(name, t, func(t *testing.T) {
			r := newRig(t, time.Hour)
			release := make(chan struct{})
			r.answer = func(ctx context.Context, n int, old walletfi.Token) (walletfi.Token, error) {
				if obeys {
					<-ctx.Done()
					return walletfi.Token{}, ctx.Err()
				}
				<-release
				return rotating(ctx, n, old)
			}
			r.sent(t)
			start := time.Now()
			var group sync.WaitGroup
			for range 20 {
				group.Go(func() {
					again, err := r.Refused(t.Context(), bearing("a0"))
					assert.False(t, again)
					assert.ErrorIs(t, err, walletfi.ErrUnavailable)
					assert.NotErrorIs(t, err, context.DeadlineExceeded, "the deadline is not the caller's")
					assert.Equal(t, 15*time.Second, time.Since(start))
				})
			}
			group.Wait()
			assert.Equal(t, 1, r.count())
			again, err := r.Refused(t.Context(), bearing("a0"))
			assert.False(t, again)
			require.ErrorIs(t, err, walletfi.ErrUnavailable)
			assert.Equal(t, 15*time.Second, time.Since(start), "no second wait at once")
			close(release)
			synctest.Wait()
			if !obeys {
				assert.Equal(t, "a1", r.stored(t).Access.Reveal(), "what came late is not lost")
				assert.Equal(t, "Bearer a1", r.sent(t))
				return
			}
			advance(2 * time.Second)
			r.answer = rotating
			assert.Equal(t, "Bearer a2", r.sent(t))
		})
	}
}

func TestOneCallersCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.answer = slowly(5 * time.Second)
		r.sent(t)
		ctx, cancel := context.WithCancel(t.Context())
		start := time.Now()
		var group sync.WaitGroup
		group.Go(func() {
			again, err := r.Refused(ctx, bearing("a0"))
			assert.False(t, again)
			assert.ErrorIs(t, err, context.Canceled)
			assert.Equal(t, time.Second, time.Since(start))
		})
		synctest.Wait() // the first caller's context is the refresh's parent
		for range 10 {
			group.Go(func() {
				again, err := r.Refused(t.Context(), bearing("a0"))
				assert.NoError(t, err)
				assert.True(t, again)
				assert.Equal(t, 5*time.Second, time.Since(start))
			})
		}
		advance(time.Second)
		cancel()
		group.Wait()
		assert.Equal(t, 1, r.refreshes)
		assert.Equal(t, "Bearer a1", r.sent(t))
		assert.ErrorIs(t, func() error { _, err := r.Refused(ctx, bearing("a1")); return err }(), context.Canceled)
	})
}

func TestCancelWithinEarlyWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.answer = slowly(500 * time.Millisecond)
		r.sent(t)
		advance(time.Hour - 30*time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		start := time.Now()
		require.ErrorIs(t, r.Authorise(ctx, http.Header{}), context.DeadlineExceeded)
		assert.Equal(t, 100*time.Millisecond, time.Since(start))
		advance(time.Second)
		assert.Equal(t, "Bearer a1", r.sent(t))
	})
}

func TestRefusedRefresh(t *testing.T) {
	for _, refused := range []error{walletfi.ErrUnauthorized, walletfi.ErrForbidden, walletfi.ErrInvalidRequest} {
		inBubble(refused.Error(), t, func(t *testing.T) {
			r := newRig(t, time.Hour)
			r.answer = failing(fmt.Errorf("HTTP 4xx: %w", refused))
			r.sent(t)
			_, first := r.Refused(t.Context(), bearing("a0"))
			require.ErrorIs(t, first, walletfi.ErrUnauthorized)
			require.ErrorIs(t, first, refused)
			assert.ErrorContains(t, first, "sign in again")
			for range 100 {
				assert.Equal(t, first, r.Authorise(t.Context(), http.Header{}))
			}
			assert.Equal(t, 1, r.refreshes)
			advance(10 * time.Second)
			require.ErrorIs(t, r.Authorise(t.Context(), http.Header{}), walletfi.ErrUnauthorized)
			assert.Equal(t, 2, r.refreshes)
			require.NoError(t, r.store.Save(t.Context(), tokenOf("b0", "s0", time.Hour)))
			assert.Equal(t, "Bearer b0", r.sent(t), "a token that another process stored is taken at once")
			assert.Equal(t, 2, r.refreshes)
		})
	}
}

func TestTakesWhatTheStoreHas(t *testing.T) {
	newer := func() walletfi.Token { return tokenOf("b0", "s0", time.Hour) }
	inBubble("before refreshing", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		require.NoError(t, r.store.Save(t.Context(), newer()))
		again, err := r.Refused(t.Context(), bearing("a0"))
		require.NoError(t, err)
		assert.True(t, again)
		assert.Equal(t, "Bearer b0", r.sent(t))
		assert.Zero(t, r.refreshes)
	})
	for _, delay := range []time.Duration{0, 150 * time.Millisecond} {
		inBubble(fmt.Sprintf("%v after the refusal", delay), t, func(t *testing.T) {
			r := newRig(t, time.Hour)
			var group sync.WaitGroup
			r.answer = func(ctx context.Context, _ int, _ walletfi.Token) (walletfi.Token, error) {
				if delay == 0 {
					return walletfi.Token{}, errors.Join(r.store.Save(ctx, newer()), walletfi.ErrUnauthorized)
				}
				group.Go(func() {
					advance(delay)
					assert.NoError(t, r.store.Save(t.Context(), newer()))
				})
				return walletfi.Token{}, walletfi.ErrUnauthorized
			}
			r.sent(t)
			again, err := r.Refused(t.Context(), bearing("a0"))
			require.NoError(t, err)
			assert.True(t, again)
			assert.Equal(t, "Bearer b0", r.sent(t))
			assert.Equal(t, 1, r.refreshes)
			group.Wait()
		})
	}
	inBubble("the same access token with another refresh token", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		require.NoError(t, r.store.Save(t.Context(), tokenOf("a0", "s0", time.Hour)))
		again, err := r.Refused(t.Context(), bearing("a0"))
		require.NoError(t, err)
		assert.True(t, again)
		assert.Equal(t, []string{"s0"}, r.used)
		assert.Equal(t, "Bearer a1", r.sent(t))
	})
	inBubble("nothing: signed out elsewhere", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		require.NoError(t, r.store.Save(t.Context(), walletfi.Token{}))
		_, err := r.Refused(t.Context(), bearing("a0"))
		require.ErrorIs(t, err, walletfi.ErrUnauthorized)
		assert.ErrorContains(t, err, "sign in first")
		assert.Zero(t, r.refreshes)
	})
	inBubble("what no header can carry", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		require.NoError(t, r.store.Save(t.Context(), tokenOf("canary\r\nX: y", "", 0)))
		err := r.Authorise(t.Context(), http.Header{})
		require.ErrorIs(t, err, walletfi.ErrUnauthorized)
		assert.NotContains(t, err.Error(), "canary")
	})
}

func TestNonsenseExpiry(t *testing.T) {
	for name, life := range map[string]time.Duration{"none": 0, "in the past": -time.Hour, "now": -1, "milliseconds taken for seconds": 3_600_000 * time.Second} {
		inBubble(name, t, func(t *testing.T) {
			r := newRig(t, time.Minute)
			r.answer = func(_ context.Context, n int, _ walletfi.Token) (walletfi.Token, error) {
				return tokenOf(fmt.Sprintf("a%d", n), "", life), nil
			}
			r.sent(t)
			advance(time.Hour)
			for range 1000 {
				assert.Equal(t, "Bearer a1", r.sent(t))
				advance(time.Second)
			}
			assert.Equal(t, 1, r.refreshes)
			if life <= 0 {
				assert.True(t, r.stored(t).Expiry.IsZero(), "it would make other processes refresh")
			}
			again, err := r.Refused(t.Context(), bearing("a1"))
			require.NoError(t, err)
			assert.True(t, again, "a 401 still renews it")
			assert.Equal(t, 2, r.refreshes)
		})
	}
}

func TestTinyLifetime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, time.Minute)
		r.answer = func(_ context.Context, n int, _ walletfi.Token) (walletfi.Token, error) {
			return tokenOf(fmt.Sprintf("a%d", n), "", time.Second), nil
		}
		r.sent(t)
		advance(time.Minute)
		for range 600 { // a minute
			r.sent(t)
			advance(100 * time.Millisecond)
		}
		assert.Equal(t, 6, r.refreshes, "one an interval of 10 s")
	})
}

func TestServiceThatRefusesEveryToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		final := 0
		for range 600 { // a minute
			header := http.Header{}
			err := r.Authorise(t.Context(), header)
			if err == nil {
				_, err = r.Refused(t.Context(), header)
			}
			if err != nil {
				require.ErrorIs(t, err, walletfi.ErrUnauthorized)
				final++
			}
			advance(100 * time.Millisecond)
		}
		assert.Equal(t, 7, r.refreshes, "two at once, then one an interval of 10 s")
		assert.Equal(t, 600-2, final, "a call repeats only after its own refresh")
	})
}

func TestRefreshBringsNothingNew(t *testing.T) {
	tests := []struct {
		name, access string
		want         error
	}{
		{"the same token", "a0", walletfi.ErrUnauthorized},
		{"no token", "", walletfi.ErrDecode},
		{"a line break", "canary\r\nX-Evil: 1", walletfi.ErrDecode},
	}
	for _, test := range tests {
		inBubble(test.name, t, func(t *testing.T) {
			r := newRig(t, time.Hour)
			r.answer = func(context.Context, int, walletfi.Token) (walletfi.Token, error) {
				return tokenOf(test.access, "", time.Hour), nil
			}
			r.sent(t)
			again, err := r.Refused(t.Context(), bearing("a0"))
			assert.False(t, again)
			require.ErrorIs(t, err, test.want)
			assert.NotContains(t, err.Error(), "canary")
		})
	}
}

func TestNothingToRefreshWith(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 0)
		require.NoError(t, r.store.Save(t.Context(), tokenOf("a0", "", time.Minute)))
		r.sent(t)
		advance(time.Hour)
		assert.Equal(t, "Bearer a0", r.sent(t), "the service is asked before it is given up")
		_, err := r.Refused(t.Context(), bearing("a0"))
		require.ErrorIs(t, err, walletfi.ErrUnauthorized)
		assert.ErrorContains(t, err, "sign in again")
		assert.Zero(t, r.refreshes)
	})
}

func TestClockThatJumps(t *testing.T) {
	inBubble("back", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		advance(time.Hour)
		r.offset = -24 * time.Hour
		assert.Equal(t, "Bearer a1", r.sent(t), "by this clock it is good for a day, but an hour has passed")
		for range 1000 {
			assert.Equal(t, "Bearer a1", r.sent(t))
		}
		assert.Equal(t, 1, r.refreshes)
	})
	inBubble("back, before its time was up", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		advance(30 * time.Minute)
		r.offset = -24 * time.Hour
		assert.Equal(t, "Bearer a0", r.sent(t))
		advance(29 * time.Minute)
		assert.Equal(t, "Bearer a0", r.sent(t))
		advance(time.Minute)
		assert.Equal(t, "Bearer a1", r.sent(t), "never the expired one")
		assert.Equal(t, 1, r.refreshes)
	})
	inBubble("forth and back", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.answer = func(ctx context.Context, n int, old walletfi.Token) (walletfi.Token, error) {
			token, err := rotating(ctx, n, old)
			token.Expiry = r.cfg.Now().Add(time.Hour)
			return token, err
		}
		r.sent(t)
		r.offset = 24 * time.Hour
		for range 100 {
			assert.Equal(t, "Bearer a1", r.sent(t))
		}
		r.offset = 0
		for range 100 {
			assert.Equal(t, "Bearer a1", r.sent(t))
		}
		again, err := r.Refused(t.Context(), bearing("a1"))
		require.NoError(t, err)
		assert.True(t, again)
		assert.Equal(t, 2, r.refreshes)
	})
	inBubble("back after a refused refresh", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.answer = failing(walletfi.ErrUnauthorized)
		r.sent(t)
		_, err := r.Refused(t.Context(), bearing("a0"))
		require.ErrorIs(t, err, walletfi.ErrUnauthorized)
		r.offset = -24 * time.Hour
		r.answer = rotating
		assert.Equal(t, "Bearer a2", r.sent(t), "not held back for a day")
	})
	inBubble("back after two refreshes", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		for _, access := range []string{"a0", "a1"} {
			_, err := r.Refused(t.Context(), bearing(access))
			require.NoError(t, err)
		}
		r.offset = -24 * time.Hour
		again, err := r.Refused(t.Context(), bearing("a2"))
		require.NoError(t, err)
		assert.True(t, again)
	})
}
