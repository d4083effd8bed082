package smartaccount_test

import (
	"context"
	"net/http"
	"strconv"
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

var signedIn = walletfi.Token{Access: access, Refresh: refresh}

// calls of each class.
var classes = map[string]struct {
	budget int
	call   wiretest.Call
}{
	smartaccount.ClassAuthentication: {10, wiretest.Of((*smartaccount.Client).SendEmailCode, "a@example.com")},
	smartaccount.ClassRead:           {100, wiretest.Of((*smartaccount.Client).GetAccount, "acc_1")},
	smartaccount.ClassWrite:          {30, wiretest.Of((*smartaccount.Client).DeletePolicy, "acc_1", "pol_1")},
	smartaccount.ClassExecution:      {10, execute(smartaccount.Instruction{ProgramID: "P1111111111111111111111111111111"})},
	smartaccount.ClassRefresh:        {5, wiretest.Of((*smartaccount.Client).RefreshToken, signedIn)},
}

func TestBudgets(t *testing.T) {
	for class, c := range classes {
		wiretest.InBubble(t, class, func(t *testing.T) {
			s := newService("", "3600")
			client := s.client(t, smartaccount.Config{Token: signedIn, Options: walletfi.Options{MaxQueueWait: new(time.Duration(0))}})
			for range c.budget {
				require.NoError(t, c.call.Error(t.Context(), client))
			}
			err := c.call.Error(t.Context(), client)
			assertOnly(t, err, walletfi.ErrRateLimited)
			own := wiretest.As[*ratelimit.Error](t, err)
			assert.Equal(t, class, own.Class)
			assert.InDelta(t, time.Minute, time.Until(own.ResetAt), float64(time.Second))
			for other, o := range classes {
				if other != class && !(class == smartaccount.ClassAuthentication && other == smartaccount.ClassRefresh) {
					assert.NoError(t, o.call.Error(t.Context(), client), other)
				}
			}
			pass(61 * time.Second)
			require.NoError(t, c.call.Error(t.Context(), client))
		})
	}
}

func TestClassOfEachCall(t *testing.T) {
	asked := map[string]int{}
	var mu sync.Mutex
	s := newService("", "3600")
	c := s.client(t, smartaccount.Config{Token: signedIn, Options: walletfi.Options{Limiter: func(scope ratelimit.Scope) ratelimit.Limiter {
		return countingLimiter{scope.Class, asked, &mu}
	}}})
	for _, op := range everyCall() {
		clear(asked)
		require.NoError(t, op.call.Error(t.Context(), c), op.name)
		want := map[string]int{op.class: 1}
		if op.class == smartaccount.ClassRefresh {
			want[smartaccount.ClassAuthentication] = 1 // the service counts it there too
		}
		assert.Equal(t, want, asked, op.name)
	}
}

type countingLimiter struct {
	class string
	asked map[string]int
	mu    *sync.Mutex
}

func (l countingLimiter) Permit(context.Context, time.Duration) (func(context.Context, bool) error, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked[l.class]++
	return func(context.Context, bool) error { return nil }, nil
}

func (countingLimiter) Hold(context.Context, time.Time) error { return nil }

func (countingLimiter) Tighten(context.Context, int, time.Time) error { return nil }

func TestServersCountTightens(t *testing.T) {
	for class, c := range classes {
		wiretest.InBubble(t, class, func(t *testing.T) {
			s := newService("", "3600")
			answering := s.answer
			s.answer = func(r *http.Request, body string) answer {
				a := answering(r, body)
				a.header = http.Header{
					"X-Ratelimit-Limit": {"100"}, "X-Ratelimit-Remaining": {"0"},
					"X-Ratelimit-Reset": {strconv.FormatInt(time.Now().Add(20*time.Second).Unix(), 10)},
				}
				return a
			}
			client := s.client(t, smartaccount.Config{Token: signedIn})
			begun := time.Now()
			require.NoError(t, c.call.Error(t.Context(), client))
			require.NoError(t, c.call.Error(t.Context(), client))
			require.InDelta(t, 20*time.Second, time.Since(begun), float64(time.Second))
		})
	}
}

// A refusal of one class holds that class and no other.
func TestRateLimitedIsWaitedOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService("", "3600")
		answering, refused := s.answer, false
		s.answer = func(r *http.Request, body string) answer {
			if r.Method == http.MethodPost && !refused {
				refused = true
				return answer{status: 429, body: `{"error": {"code": "RATE_LIMITED", "message": "slow"}}`, header: http.Header{"Retry-After": {"30"}}}
			}
			return answering(r, body)
		}
		c := s.client(t, smartaccount.Config{Token: signedIn})
		begun := time.Now()
		account, err := c.CreateAccount(t.Context(), smartaccount.CreateAccountRequest{Name: "n", Type: smartaccount.AccountPersonal})
		require.NoError(t, err, "the code says that it was not carried out")
		require.Equal(t, "acc_1", account.ID)
		require.GreaterOrEqual(t, time.Since(begun), 30*time.Second)
		require.Equal(t, []string{"/accounts", "/accounts"}, s.paths())
	})
}

func TestBudgetsAreShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService("", "3600")
		first := s.client(t, smartaccount.Config{Token: signedIn})
		second := s.client(t, smartaccount.Config{Token: signedIn, Options: walletfi.Options{Limiter: func(s ratelimit.Scope) ratelimit.Limiter { return first.Limiter(s.Class) }, MaxQueueWait: new(time.Duration(0))}})
		for range 10 {
			require.NoError(t, classes[smartaccount.ClassExecution].call.Error(t.Context(), first))
		}
		require.ErrorIs(t, classes[smartaccount.ClassExecution].call.Error(t.Context(), second), walletfi.ErrRateLimited)
		for range 10 {
			require.NoError(t, classes[smartaccount.ClassAuthentication].call.Error(t.Context(), second))
		}
		_, err := first.RefreshToken(t.Context(), signedIn)
		require.NoError(t, err, "waits for a slot that the second took")
		require.GreaterOrEqual(t, s.seen[len(s.seen)-1].at.Sub(s.seen[0].at), time.Minute)
	})
}
