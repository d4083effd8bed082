package redislimit_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/contrib/redislimit"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// BenchmarkPermit is a permit and its done without contention: two round trips. A PING is
// one.
func BenchmarkPermit(b *testing.B) {
	client := redis.NewClient(&redis.Options{Addr: address(b)})
	defer client.Close()
	fleet, err := redislimit.New(redislimit.Config{Client: client, Key: time.Now().String(), ReportPeriod: 100 * time.Millisecond})
	require.NoError(b, err)
	defer fleet.Close()
	l := fleet.Limiter(ratelimit.Scope{Service: "bench", Budgets: []ratelimit.Budget{
		{Requests: 1 << 30, Per: 24 * time.Hour}, {Requests: 1 << 30, Per: time.Minute},
	}})
	_, err = l.Permit(b.Context(), time.Minute)
	require.NoError(b, err)
	b.Run("permit", func(b *testing.B) {
		for b.Loop() {
			done, err := l.Permit(b.Context(), 0)
			if err != nil {
				b.Fatal(err)
			}
			_ = done(b.Context(), true)
		}
	})
	b.Run("ping", func(b *testing.B) {
		for b.Loop() {
			if err := client.Ping(b.Context()).Err(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
