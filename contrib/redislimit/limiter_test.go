package redislimit_test

import (
	"testing"

	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/ratelimit/limitertest"
)

func TestRedisLimiter(t *testing.T) {
	addr := address(t)
	limitertest.Run(t, func(t *testing.T, scope ratelimit.Scope) limitertest.Fleet {
		key := unique(t)
		ready(t, open(t, addr, key).Limiter(scope))
		return limitertest.Fleet{Open: func(t *testing.T) ratelimit.Limiter {
			l := open(t, addr, key).Limiter(scope)
			ready(t, l)
			return l
		}}
	})
}
