package transport

import (
	"context"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/bearer"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// promptly is how soon a cancelled call returns.
const promptly = 10 * time.Millisecond

// cancelled makes a call whose context ends after the given time and returns
// how much longer the call took, and its error.
func cancelled(t *testing.T, client *Client, after time.Duration) (late time.Duration, err error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(after, cancel)
	begun := time.Now()
	_, err = Do[result](ctx, client, callOf(Read), nil)
	require.GreaterOrEqual(t, time.Since(begun), after, "ended before it was cancelled: %v", err)
	return time.Since(begun) - after, err
}

func TestCancelInBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late, err := cancelled(t, clientOf(t, serve(reply(503, `{"message":"maintenance"}`, "Retry-After", "30"))), 5*time.Second)
		assert.LessOrEqual(t, late, promptly)
		assert.ErrorIs(t, err, context.Canceled)
		assert.ErrorIs(t, err, walletfi.ErrUnavailable, "the last failure")
		assert.Equal(t, 503, responseOf(t, err).StatusCode)
		assert.EqualError(t, err, "test.Do: GET /base/v1/thing: context canceled; before that: test.Do: GET /base/v1/thing: HTTP 503: maintenance")
	})
}

func TestDeadlineInBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		client := clientOf(t, serve(reply(500, "")), retries(1000), func(cfg *Config) { cfg.Options.Retry.MinWait = time.Hour })
		client.maxWait = time.Hour
		client.quota.tenths = 1 << 30
		begun := time.Now()
		_, err := Do[result](ctx, client, callOf(Read), nil)
		assert.LessOrEqual(t, time.Since(begun), 2*time.Second+promptly)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, 500, responseOf(t, err).StatusCode)
	})
}

func TestCancelInTheLimitersQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := serve(reply(500, `{"message":"oops"}`))
		client := clientOf(t, service, func(cfg *Config) {
			cfg.Limits = map[string][]ratelimit.Budget{"": {{Requests: 1, Per: time.Minute}}}
		})
		late, err := cancelled(t, client, 10*time.Second)
		assert.LessOrEqual(t, late, promptly)
		assert.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, 500, responseOf(t, err).StatusCode, "the last failure")
		assert.Len(t, service.requests(), 1)
		assert.NotContains(t, err.Error(), "\n")
	})
}

func TestCancelInATokenRefresh(t *testing.T) {
	hanging := func(ctx context.Context, _ walletfi.Token) (walletfi.Token, error) {
		<-ctx.Done()
		return walletfi.Token{}, ctx.Err()
	}
	bearer := func(t *testing.T, expiry time.Time) func(*Config) {
		store := &walletfi.MemoryTokenStore{}
		token := walletfi.Token{Access: walletfi.NewSecret("access-1"), Refresh: walletfi.NewSecret("refresh-1"), Expiry: expiry}
		require.NoError(t, store.Save(t.Context(), token))
		return func(cfg *Config) { cfg.Auth = bearer.New(bearer.Config{Store: store, Refresh: hanging}) }
	}
	inBubble("before the first attempt", t, func(t *testing.T) {
		service := serve(reply(200, success))
		limiter := &countingLimiter{}
		late, err := cancelled(t, clientOf(t, service, bearer(t, time.Now().Add(-time.Hour)), limiter.use), 3*time.Second)
		assert.LessOrEqual(t, late, promptly)
		assert.ErrorIs(t, err, context.Canceled)
		assert.Empty(t, service.requests())
		assert.Equal(t, 1, limiter.unsent, "the slot is given back")
		synctest.Wait()
		advance(time.Minute) // for the refresh to end
	})
	inBubble("after a 401", t, func(t *testing.T) {
		service := serve(reply(401, `{"message":"expired"}`))
		late, err := cancelled(t, clientOf(t, service, bearer(t, time.Time{})), 3*time.Second)
		assert.LessOrEqual(t, late, promptly)
		assert.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, 401, responseOf(t, err).StatusCode)
		assert.Len(t, service.requests(), 1)
		advance(time.Minute)
	})
}

func TestCancelOnTheWire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late, err := cancelled(t, clientOf(t, serve(stall)), 3*time.Second)
		assert.LessOrEqual(t, late, promptly)
		assert.ErrorIs(t, err, context.Canceled)
		assert.NotErrorIs(t, err, walletfi.ErrUnavailable, "it is the caller who ended it")
	})
}

// TestCancelWithinTheBody: the head of the answer came, its status is kept.
func TestCancelWithinTheBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		half := func(r *http.Request) (*http.Response, error) {
			response, err := reply(200, "")(r)
			response.Body = waitingBody{r.Context()}
			return response, err
		}
		_, err := cancelled(t, clientOf(t, serve(half)), time.Second)
		assert.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, 200, responseOf(t, err).StatusCode)
		assert.NotErrorIs(t, err, walletfi.ErrDecode)
	})
}

// TestTimeoutWithinTheBody: it is slowness, not garbage.
func TestTimeoutWithinTheBody(t *testing.T) {
	half := func(r *http.Request) (*http.Response, error) {
		response, err := reply(200, "")(r)
		response.Body = waitingBody{r.Context()}
		return response, err
	}
	err := run(t, serve(half), callOf(Read), walletfi.WithoutRetry())
	assert.ErrorIs(t, err, walletfi.ErrUnavailable)
	assert.NotErrorIs(t, err, context.DeadlineExceeded, "the caller's deadline is another")
	assert.ErrorContains(t, err, "HTTP 200: no answer within 30s")
}

// waitingBody is one whose bytes never come.
type waitingBody struct{ ctx context.Context }

func (b waitingBody) Read([]byte) (int, error) { <-b.ctx.Done(); return 0, b.ctx.Err() }
func (waitingBody) Close() error               { return nil }

func TestCancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	service := serve(reply(200, success))
	_, err := Do[result](ctx, clientOf(t, service), callOf(Create), nil)
	assert.ErrorIs(t, err, context.Canceled)
	assert.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
	assert.Empty(t, service.requests())
}

// TestAnswerAtTheEnd: an answer that came counts, though the context ended as it did.
func TestAnswerAtTheEnd(t *testing.T) {
	for effect, name := range effectNames {
		ctx, cancel := context.WithCancel(t.Context())
		service := serve(func(r *http.Request) (*http.Response, error) {
			cancel()
			return reply(200, success)(r)
		})
		got, err := Do[result](ctx, clientOf(t, service), callOf(effect), nil)
		require.NoError(t, err, name)
		require.Equal(t, "x1", got.ID)
	}
}

// TestCancelWithinTheBodyOfARefusal: the call was given up; what the beginning of a
// refusal would have said is not known.
func TestCancelWithinTheBodyOfARefusal(t *testing.T) {
	for effect := range effectNames {
		ctx, cancel := context.WithCancel(t.Context())
		service := serve(func(r *http.Request) (*http.Response, error) {
			response, err := truncated(500, `{"message":"`)(r)
			response.Body = endingBody{response.Body, cancel}
			return response, err
		})
		_, err := Do[result](ctx, clientOf(t, service), callOf(effect), nil)
		require.ErrorIs(t, err, context.Canceled)
		require.NotErrorIs(t, err, walletfi.ErrUnavailable)
		require.Equal(t, movesMoney[effect], isUnknown(err))
		require.Equal(t, 500, responseOf(t, err).StatusCode)
	}
}

// endingBody ends the call as it is read.
type endingBody struct {
	io.ReadCloser
	end context.CancelFunc
}

func (b endingBody) Read(p []byte) (int, error) {
	b.end()
	return b.ReadCloser.Read(p)
}

// TestAttemptsContextEnds: what a round tripper does in the attempt's context ends
// with the attempt.
func TestAttemptsContextEnds(t *testing.T) {
	var wire []context.Context
	note := func(next step) step {
		return func(r *http.Request) (*http.Response, error) {
			assert.NoError(t, r.Context().Err())
			wire = append(wire, r.Context())
			return next(r)
		}
	}
	for _, timeout := range []time.Duration{-1, time.Hour} {
		wire = nil
		client := clientOf(t, serve(note(fail(reset)), note(reply(200, success))), lasting(timeout), at(testBase))
		_, err := Do[result](t.Context(), client, callOf(Read), nil)
		require.NoError(t, err)
		require.Len(t, wire, 2)
		for _, ctx := range wire {
			require.ErrorIs(t, ctx.Err(), context.Canceled)
		}
		require.NoError(t, t.Context().Err())
	}
}
