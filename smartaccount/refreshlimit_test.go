package smartaccount_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/smartaccount"
)

// A refresh counts under the service's authentication budget, and the client
// keeps to it: never more than 10 of both in a minute.
func TestRefreshCountsAsAuthentication(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService("", "3600")
		c := s.client(t, smartaccount.Config{Token: signedIn, Options: walletfi.Options{MaxQueueWait: new(time.Duration(0))}})
		for range 8 {
			require.NoError(t, wiretest.Error(c.SendEmailCode(t.Context(), "a@example.com")))
		}
		for range 2 {
			require.NoError(t, wiretest.Error(c.RefreshToken(t.Context(), signedIn)))
		}
		_, err := c.RefreshToken(t.Context(), signedIn)
		own := wiretest.As[*ratelimit.Error](t, err)
		require.Equal(t, smartaccount.ClassAuthentication, own.Class)
		require.ErrorIs(t, wiretest.Error(c.SendEmailCode(t.Context(), "a@example.com")), walletfi.ErrRateLimited)
		require.Len(t, s.paths(), 10)
	})
}

func TestRefreshThatFindsNoSlotGivesItsOwnBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService("", "3600")
		c := s.client(t, smartaccount.Config{Token: signedIn, Options: walletfi.Options{MaxQueueWait: new(time.Duration(0))}})
		for range 10 {
			require.NoError(t, classes[smartaccount.ClassAuthentication].call.Error(t.Context(), c))
		}
		for range 6 {
			_, err := c.RefreshToken(t.Context(), signedIn)
			own := wiretest.As[*ratelimit.Error](t, err)
			require.Equal(t, smartaccount.ClassAuthentication, own.Class)
		}
	})
}

// Every call waits for the refresh, and a sign-in waits for itself alone.
func TestRefreshGoesBeforeSignIns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService("at-1", "3600")
		s.answer = func(r *http.Request, _ string) answer {
			return answer{status: 200, body: `{"id": "acc_1", "address": "A1111111111111111111111111111111", "status": "active", "accessToken": "at-1", "expiresIn": 3600, "success": true, "balance": {}}`}
		}
		c := s.client(t, smartaccount.Config{Token: signedIn})
		for range 10 {
			require.NoError(t, classes[smartaccount.ClassAuthentication].call.Error(t.Context(), c))
		}
		pass(40 * time.Second)
		var group sync.WaitGroup
		for range 10 {
			group.Go(func() { assert.NoError(t, classes[smartaccount.ClassAuthentication].call.Error(t.Context(), c)) })
		}
		pass(10 * time.Second)
		get(t, c)
		require.Equal(t, 1, s.count("/auth/refresh"))
		require.Less(t, s.count("/auth/email/otp"), 20, "one of the next ten slots was not theirs")
		group.Wait()
	})
}

// A service that refuses every token makes each call try a refresh: there must
// be room to sign in all the while.
func TestRefreshStormLeavesRoomToSignIn(t *testing.T) {
	for name, refreshing := range map[string]answer{
		"tokens that never work":   {status: 200, body: `{"accessToken": "bad", "expiresIn": 0}`},
		"refresh down":             {status: 503},
		"refresh token is refused": {status: 401, body: `{"error": {"code": "UNAUTHORIZED", "message": "no"}}`},
	} {
		wiretest.InBubble(t, name, func(t *testing.T) {
			s := newService("good", "3600")
			s.answer = func(r *http.Request, _ string) answer {
				if r.URL.Path == "/api/v1/auth/refresh" {
					return refreshing
				}
				return answer{status: 200, body: `{"accessToken": "good", "refreshToken": "rt-2", "expiresIn": 3600, "id": "acc_1", "address": "A1111111111111111111111111111111", "status": "active", "balance": {}}`}
			}
			c := s.client(t, smartaccount.Config{Token: signedIn})
			storm(t, c, 5*time.Minute)
			for range 5 {
				begun := time.Now()
				_, err := c.VerifyEmailCode(t.Context(), smartaccount.VerifyEmailCodeRequest{Email: "e", Code: walletfi.NewSecret("012345")})
				require.NoError(t, err)
				require.Less(t, time.Since(begun), time.Second, "no wait")
			}
			get(t, c)
			inAnyMinute(t, s, "/auth/refresh", 5)
		})
	}
}

// storm makes 20 calls a second, none of which succeeds.
func storm(t *testing.T, c *smartaccount.Client, long time.Duration) {
	var group sync.WaitGroup
	for begun := time.Now(); time.Since(begun) < long; pass(50 * time.Millisecond) {
		group.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			assert.Error(t, wiretest.Error(c.GetAccount(ctx, "acc_1")))
		})
	}
	group.Wait()
}

// inAnyMinute holds that no minute has more than most requests of path.
func inAnyMinute(t *testing.T, s *service, path string, most int) {
	t.Helper()
	var times []time.Time
	for _, c := range s.seen {
		if c.path == path {
			times = append(times, c.at)
		}
	}
	require.NotEmpty(t, times)
	for i := range len(times) - most {
		require.GreaterOrEqual(t, times[i+most].Sub(times[i]), time.Minute, "request %d", i)
	}
}

func TestRateLimitedRefreshHoldsTheSignIns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService("", "3600")
		s.answer = func(*http.Request, string) answer {
			return answer{status: 429, header: http.Header{"Retry-After": {"30"}}}
		}
		c := s.client(t, smartaccount.Config{Token: signedIn, Options: walletfi.Options{
			MaxQueueWait: new(time.Duration(0)), Retry: walletfi.RetryPolicy{MaxRetries: new(0)},
		}})
		_, err := c.RefreshToken(t.Context(), signedIn)
		assertOnly(t, err, walletfi.ErrRateLimited)
		_, err = c.SendEmailCode(t.Context(), "a@example.com")
		own := wiretest.As[*ratelimit.Error](t, err)
		require.Equal(t, 30*time.Second, time.Until(own.ResetAt).Round(time.Second))
		get := c.Limiter(smartaccount.ClassRead)
		done, err := get.Permit(t.Context(), 0)
		require.NoError(t, err, "reads are not held")
		done(t.Context(), false)
	})
}

// TestRefreshOutage: an outage of 4 seconds costs seconds, and not the budget of
// a minute. Each call fails for a reason that passes.
func TestRefreshOutage(t *testing.T) {
	for name, down := range map[string]answer{"503": {status: 503}, "500": {status: 500}, "429": {status: 429}} {
		wiretest.InBubble(t, name, func(t *testing.T) {
			s := newService("at-1", "3600")
			begun, up := time.Now(), s.answer
			s.answer = func(r *http.Request, body string) answer {
				if strings.HasSuffix(r.URL.Path, "/auth/refresh") && time.Since(begun) < 4*time.Second {
					return down
				}
				return up(r, body)
			}
			c := s.client(t, smartaccount.Config{Token: signedIn})
			for {
				_, err := c.GetAccount(t.Context(), "acc_1")
				if err == nil {
					break
				}
				require.ErrorIs(t, err, walletfi.ErrUnavailable)
				require.Less(t, time.Since(begun), time.Minute)
				pass(100 * time.Millisecond)
			}
			t.Log(time.Since(begun))
			require.GreaterOrEqual(t, time.Since(begun), 4*time.Second)
			require.LessOrEqual(t, time.Since(begun), 10*time.Second)
		})
	}
}
