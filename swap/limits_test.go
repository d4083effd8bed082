package swap_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/swap"
)

func TestBudgets(t *testing.T) {
	for name, row := range map[string]struct {
		cfg   swap.Config
		burst int
		limit bool
	}{
		"no key":             {swap.Config{}, 10, true},
		"no key, but agreed": {swap.Config{Budgets: []ratelimit.Budget{{Requests: 3, Per: time.Minute}}}, 3, true},
		"a key":              {keyed(), 500, false},
		"a key with a limit": {swap.Config{APIKey: walletfi.NewSecret("k"), Budgets: []ratelimit.Budget{{Requests: 20, Per: time.Minute}}}, 20, true},
	} {
		wiretest.InBubble(t, name, func(t *testing.T) {
			c, wire := carriedClient(t, row.cfg, map[string][]answer{"/tokens": {{Status: 200, Body: `{"tokens":[]}`}}})
			begun := time.Now()
			for range row.burst + 1 {
				require.NoError(t, wiretest.Error(c.ListTokens(t.Context())))
			}
			require.Equal(t, row.limit, time.Since(begun) >= time.Minute)
			require.Equal(t, row.cfg.APIKey.Reveal(), wire.Seen[0].Header.Get("x-api-key"))
		})
	}
}

// TestSharedLimiter: two clients with one key keep one budget.
func TestSharedLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answers := map[string][]answer{"/tokens": {{Status: 200, Body: `{"tokens":[]}`}}}
		first, _ := carriedClient(t, swap.Config{}, answers)
		second, _ := carriedClient(t, swap.Config{Options: walletfi.Options{
			Limiter: func(ratelimit.Scope) ratelimit.Limiter { return first.Limiter(swap.ClassAll) }, MaxQueueWait: new(time.Duration(0)),
		}}, answers)
		for range swap.KeylessRequestsPerMinute {
			require.NoError(t, wiretest.Error(first.ListTokens(t.Context())))
		}
		require.ErrorIs(t, wiretest.Error(second.ListTokens(t.Context())), walletfi.ErrRateLimited)
	})
}
