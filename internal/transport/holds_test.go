package transport

import (
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/peer"
	"github.com/walletfi/walletfi-go/internal/race"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// TestHolds: how long one 429 holds the others back, by a limiter that cannot doubt. A
// rate header is taken at its word only if the service documents it.
func TestHolds(t *testing.T) {
	in := func(d time.Duration) string { return strconv.FormatInt(time.Now().Add(d).Unix(), 10) }
	for name, c := range map[string]struct {
		header     func() (name, value string)
		documented bool
		window     time.Duration // of the class's longest budget
		want       time.Duration
		told       time.Duration // in the error
	}{
		"Retry-After":                     {func() (string, string) { return "Retry-After", "840" }, false, 0, 14 * time.Minute, 14 * time.Minute},
		"Retry-After of two hours":        {func() (string, string) { return "Retry-After", "7200" }, false, 0, leastBound, leastBound},
		"Retry-After of a window":         {func() (string, string) { return "Retry-After", "7200" }, false, 3 * time.Hour, 2 * time.Hour, 2 * time.Hour},
		"Retry-After of a week":           {func() (string, string) { return "Retry-After", "604800" }, false, 0, leastBound, leastBound},
		"Retry-After of a century":        {func() (string, string) { return "Retry-After", "3153600000" }, false, 0, leastBound, leastBound},
		"a reset":                         {func() (string, string) { return "X-RateLimit-Reset", in(10 * time.Minute) }, true, 0, 10 * time.Minute, 10 * time.Minute},
		"an undocumented reset":           {func() (string, string) { return "X-RateLimit-Reset", in(2 * time.Hour) }, false, 0, time.Minute, time.Minute},
		"an undocumented reset, windows":  {func() (string, string) { return "X-RateLimit-Reset", in(2 * time.Hour) }, false, time.Hour, time.Hour, time.Hour},
		"an undocumented reset, soon":     {func() (string, string) { return "X-RateLimit-Reset", in(9 * time.Second) }, false, 0, 9 * time.Second, 9 * time.Second},
		"milliseconds, undocumented":      {func() (string, string) { return "X-Rate-Limit-Reset", in(9*time.Second) + "000" }, false, 0, 9 * time.Second, 9 * time.Second},
		"milliseconds, documented":        {func() (string, string) { return "X-Rate-Limit-Reset", in(10*time.Minute) + "000" }, true, 0, 10 * time.Minute, 10 * time.Minute},
		"a reset in 2069, by the service": {func() (string, string) { return "X-RateLimit-Reset", "3155760000" }, true, 0, leastBound, leastBound},
	} {
		inBubble(name, t, func(t *testing.T) {
			header, value := c.header()
			limiter := &countingLimiter{}
			client := clientOf(t, serve(reply(429, "", header, value)), retries(0), limiter.use, func(cfg *Config) {
				cfg.RateHeaders = c.documented
				if c.window > 0 {
					cfg.Limits = map[string][]ratelimit.Budget{"": {{Requests: 5, Per: time.Second}, {Requests: 9, Per: c.window}}}
				}
			})
			begun := time.Now()
			_, err := Do[result](t.Context(), client, callOf(Read), nil)
			require.ErrorIs(t, err, walletfi.ErrRateLimited)
			require.Equal(t, []time.Time{begun.Add(c.want)}, limiter.holds)
			assert.Equal(t, c.told, responseOf(t, err).RetryAfter)
			assert.Equal(t, begun.Add(c.told), responseOf(t, err).ResetAt)
		})
	}
}

// TestThousandCallersUnder429: 429s that state no wait are not amplified.
func TestThousandCallersUnder429(t *testing.T) {
	for name, limit := range map[string]step{
		"nothing stated": reply(429, ""), "a wait of nothing": reply(429, "", "Retry-After", "0"),
		"a reset that is past": reply(429, "", "X-RateLimit-Reset", "1"),
	} {
		inBubble(name, t, func(t *testing.T) {
			service := serve(limit)
			client := clientOf(t, service, func(cfg *Config) { cfg.RateHeaders = true })
			var callers sync.WaitGroup
			for range 1000 {
				callers.Go(func() { Do[result](t.Context(), client, callOf(Read), nil) })
			}
			callers.Wait()
			require.GreaterOrEqual(t, len(service.requests()), 1000)
			assert.LessOrEqual(t, len(service.requests()), 1100)
			t.Logf("amplified %.2f times", float64(len(service.requests()))/1000)
		})
	}
}

// TestDNSFailures: a name server that is in trouble may do better the next
// time; a name that does not exist will not.
func TestDNSFailures(t *testing.T) {
	for name, c := range map[string]struct {
		err      net.DNSError
		attempts int
	}{
		"no such host":                       {net.DNSError{IsNotFound: true}, 1},
		"server misbehaves":                  {net.DNSError{IsTemporary: true}, 2},
		"temporary, and not found meanwhile": {net.DNSError{IsTemporary: true, IsNotFound: true}, 2},
		"timeout":                            {net.DNSError{IsTimeout: true, IsNotFound: true}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			service := serve(fail(&net.OpError{Op: "dial", Net: "tcp", Err: &c.err}), reply(200, success))
			err := run(t, service, callOf(Create))
			assert.Len(t, service.requests(), c.attempts)
			assert.Equal(t, c.attempts == 1, err != nil)
		})
	}
}

// TestWithoutRetrySendsOnce: also after a 401, and the next call has a new token.
func TestWithoutRetrySendsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := renewing(t)
		service := serve(reply(401, ""), reply(200, success))
		client := clientOf(t, service, func(cfg *Config) { cfg.Auth = r.Tokens })
		_, err := Do[result](t.Context(), client, callOf(Read), []walletfi.CallOption{walletfi.WithoutRetry()})
		require.ErrorIs(t, err, walletfi.ErrUnauthorized)
		require.Len(t, service.requests(), 1)
		require.Zero(t, r.refreshes)
		_, err = Do[result](t.Context(), client, callOf(Read), []walletfi.CallOption{walletfi.WithoutRetry()})
		require.NoError(t, err)
		require.Equal(t, "Bearer a1", service.requests()[1].header.Get("Authorization"))
	})
}

// TestSecretAnswers: nothing of such an answer is in an error.
func TestSecretAnswers(t *testing.T) {
	for name, s := range map[string]step{
		"a refusal": reply(400, `{"error":{"code":"canary","message":"canary"}}`), "a success that is not understood": reply(200, `{"id":{"canary":1}}`),
		"garbage": reply(200, `canary`), "an outage": reply(500, `{"message":"canary"}`), "cut short": truncated(200, `{"id":"canary`),
	} {
		t.Run(name, func(t *testing.T) {
			call := callOf(Create)
			call.SecretAnswer = true
			err := run(t, serve(s), call)
			require.Error(t, err)
			assert.NotContains(t, fmt.Sprintf("%v %+v %#v", err, err, err), "canary")
			assert.Empty(t, responseOf(t, err).Body)
			assert.NotContains(t, responseOf(t, err).Message, "canary")
		})
	}
}

// TestBodyPastTheCap: memory for a body that is too large.
func TestBodyPastTheCap(t *testing.T) {
	const most = 8<<20 + 5
	for name, expected := range map[string]int64{"no length": -1, "a length": most + 1, "a wrong length": 1 << 40} {
		t.Run(name, func(t *testing.T) {
			var read []byte
			var err error
			spent := allocated(func() { read, err = readWithin(endless{}, most, expected) })
			require.ErrorIs(t, err, errTooLarge)
			require.Len(t, read, peer.MaxExcerpt)
			t.Logf("%.2f times the cap", float64(spent)/most)
			assert.LessOrEqual(t, spent, uint64(2*most))
		})
	}
	for _, size := range []int{0, 1, 511, 512, 513, smallBody - 1, smallBody, smallBody + 1, most - 1, most} {
		text := strings.Repeat("x", size)
		for _, expected := range []int{-1, 0, size / 2, size, size + 1, 2 * size, believed} {
			read, err := readWithin(strings.NewReader(text), most, int64(expected))
			require.NoError(t, err)
			require.Equal(t, size, len(read))
			require.True(t, string(read) == text)
		}
	}
}

// TestBodyOfStatedLength: a body of a stated length is copied no more than a small
// one, and a length that is stated alone takes little memory.
func TestBodyOfStatedLength(t *testing.T) {
	text := strings.Repeat("x", 1<<20)
	spent := allocated(func() { readWithin(strings.NewReader(text), 8<<20, int64(len(text))) })
	assert.LessOrEqual(t, spent, uint64(len(text)+2*smallBody)*race.Factor)
	spent = allocated(func() { readWithin(strings.NewReader("{}"), 8<<20, believed) })
	assert.LessOrEqual(t, spent, uint64(smallBody+8<<10)*race.Factor)
}
