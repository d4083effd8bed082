package limitertest_test

import (
	"testing"

	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/ratelimit/limitertest"
)

// A limiter for one process returns itself again.
func Example() {
	var t *testing.T // that of your test
	limitertest.Run(t, func(t *testing.T, scope ratelimit.Scope) limitertest.Fleet {
		limiter := ratelimit.New(scope.Budgets...)
		return limitertest.Fleet{Open: func(t *testing.T) ratelimit.Limiter { return limiter }}
	})
}
