package transport

import (
	"errors"
	"net/http"
	"net/http/httptrace"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/places"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// TestPlacesOfAHost: all clients of a host share so many.
func TestPlacesOfAHost(t *testing.T) {
	require.Equal(t, 256, mostRequests)
	room := requests.Room("places.example")
	for range mostRequests {
		require.NoError(t, room.Enter(t.Context(), false, 0))
	}
	require.Equal(t, places.ErrFull, room.Enter(t.Context(), false, 1))
	for range mostRequests {
		room.Leave()
	}
	require.EqualError(t, crowdedError(time.Second), "no free connection within 1s: 256 requests to the host are under way")
}

// timingOut is what net/http's timeouts are.
type timingOut interface {
	error
	Timeout() bool
}

// TestTimeoutsSaySo: as net/http's do.
func TestTimeoutsSaySo(t *testing.T) {
	for _, err := range []error{crowdedError(1), attemptTimeout(1)} {
		slow, ok := errors.AsType[timingOut](err)
		require.True(t, ok)
		require.True(t, slow.Timeout())
	}
	err := run(t, serve(stall), callOf(Read), walletfi.WithTimeout(1))
	require.ErrorContains(t, err, "no answer within 1ns")
	slow, ok := errors.AsType[timingOut](err)
	require.True(t, ok)
	require.True(t, slow.Timeout())
}

// TestStandardSettings: what the comments on Options state.
func TestStandardSettings(t *testing.T) {
	c := clientOf(t, nil)
	require.Equal(t, 30*time.Second, c.timeout)
	require.EqualValues(t, 32<<20, c.maxBody)
	require.Equal(t, 3, c.retries)
	require.Equal(t, time.Minute, c.maxAfter)
	require.Equal(t, 250*time.Millisecond, c.minWait)
	require.Equal(t, 8*time.Second, c.maxWait)
	require.Equal(t, 2*time.Minute, c.limiters.maxWait)
}

// TestWhoIsTraced: whether a request was sent is looked at only if that decides what
// may be done next.
func TestWhoIsTraced(t *testing.T) {
	for effect, want := range map[Effect]bool{Read: false, Build: false, Set: true, Relay: true, Create: true} {
		for _, paid := range []bool{false, true} {
			seen := 0
			client := clientOf(t, tripper(func(r *http.Request) (*http.Response, error) {
				seen++
				require.Equal(t, want || paid, httptrace.ContextClientTrace(r.Context()) != nil, "%d", effect)
				return reply(200, success)(r)
			}))
			call := callOf(effect)
			call.NoTimeoutRetry = paid
			_, err := Do[result](t.Context(), client, call, nil)
			require.NoError(t, err)
			require.Equal(t, 1, seen)
		}
	}
}

// TestLimitsAreMadeOnce: a limiter of the options is asked for as the client is made.
func TestLimitsAreMadeOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		client := clientOf(t, serve(reply(200, success)), func(cfg *Config) {
			cfg.Limits = map[string][]ratelimit.Budget{"": {{Requests: 9, Per: time.Minute}}}
			cfg.Options.Limiter = func(ratelimit.Scope) ratelimit.Limiter { asked++; return &countingLimiter{} }
		})
		require.Equal(t, 1, asked)
		for range 3 {
			_, err := Do[result](t.Context(), client, callOf(Read), nil)
			require.NoError(t, err)
		}
		require.Equal(t, 1, asked)
	})
}
