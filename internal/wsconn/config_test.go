package wsconn

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

func testContext(t *testing.T) (context.Context, context.CancelFunc) {
	return context.WithCancel(t.Context())
}

func TestEndpoint(t *testing.T) {
	tests := []struct{ text, want string }{
		{"https://feed.example.com/ws", "wss://feed.example.com/ws"},
		{"wss://feed.example.com/prefix/ws?x=1", "wss://feed.example.com/prefix/ws?x=1"},
		{"http://127.0.0.1:8080/ws", "ws://127.0.0.1:8080/ws"},
		{"ws://[::1]:8080", "ws://[::1]:8080"},
		{"ws://localhost", "ws://localhost"},
		{"ws://gateway.internal/ws", "ws://gateway.internal/ws"},
		{"ws://10.0.0.7:8080/ws", "ws://10.0.0.7:8080/ws"},
	}
	for _, test := range tests {
		got, err := endpoint(test.text, []string{"gateway.internal", "10.0.0.7:8080"})
		require.NoError(t, err, test.text)
		assert.Equal(t, test.want, got.String())
	}
	for _, text := range []string{
		"", "canary", "/canary", "ws://canary.example.com", "http://10.0.0.7:8081/canary", "ws://localhost.canary.com",
		"ftp://localhost/canary", "wss://canary:x@example.com", "wss://example.com/#canary", "wss://exa mple.com/canary",
	} {
		_, err := New(Config{URL: text, AllowHTTP: []string{"gateway.internal", "10.0.0.7:8080"}}, &recorder{})
		wiretest.Refused(t, err, "URL")
		assert.NotContains(t, err.Error(), "canary")
	}
}

func TestDefaults(t *testing.T) {
	cfg, err := Config{}.withDefaults()
	require.NoError(t, err)
	assert.Equal(t, 15*time.Second, cfg.HandshakeTimeout)
	assert.Equal(t, 15*time.Second, cfg.PingEvery)
	assert.Equal(t, 1<<20, cfg.ReadLimit)
	assert.Equal(t, 250*time.Millisecond, cfg.MinBackoff)
	assert.Equal(t, 30*time.Second, cfg.MaxBackoff)
	assert.Equal(t, time.Minute, cfg.MaxRetryAfter)
	assert.WithinDuration(t, time.Now(), cfg.now(), time.Minute)
	cfg, err = Config{MinBackoff: time.Hour}.withDefaults()
	require.NoError(t, err)
	assert.Equal(t, time.Hour, cfg.MaxBackoff, "never below the minimum")
	_, err = New(Config{URL: "wss://example.com", PingEvery: 15}, &recorder{}) // nanoseconds
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
}

func TestBackoff(t *testing.T) {
	const attempts = 200
	b := backoff{min: 100 * time.Millisecond, max: time.Second}
	bounds := []time.Duration{100, 200, 400, 800, 1000, 1000, 1000}
	sums := make([]time.Duration, len(bounds))
	for range attempts {
		b.bound = 0
		for i, bound := range bounds {
			wait := b.next(0)
			require.LessOrEqual(t, wait, bound*time.Millisecond)
			sums[i] += wait
		}
	}
	for i, bound := range bounds { // the mean of full jitter is half the bound
		assert.InEpsilon(t, float64(bound*time.Millisecond)/2, float64(sums[i])/attempts, 0.25, "attempt %d", i)
	}
	b.next(999 * time.Millisecond)
	assert.Equal(t, time.Second, b.bound, "it did not last")
	b.next(1001 * time.Millisecond)
	assert.Equal(t, 100*time.Millisecond, b.bound)
}

func TestPings(t *testing.T) {
	var p pings
	at := time.Unix(1000, 0)
	for i := range 20 {
		p.wrote(mark(1 + i/10))
		p.next(at.Add(time.Duration(i) * time.Second)) // numbers 1 to 20
	}
	for _, payload := range []string{"", "x", "0", "-1", "21", "4", "18446744073709551616"} {
		_, ok := p.answered(payload)
		assert.False(t, ok, payload)
	}
	got, ok := p.answered("5")
	assert.True(t, ok)
	assert.Equal(t, ping{at.Add(4 * time.Second), 1}, got)
	got, ok = p.answered("20")
	assert.True(t, ok)
	assert.Equal(t, ping{at.Add(19 * time.Second), 2}, got)
	_, ok = p.answered("19")
	assert.False(t, ok, "a later one was answered")
}
