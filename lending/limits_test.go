package lending_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/ratelimit"
)

var noPools = answer{Status: 200, Body: `{"pools":[]}`}

// call makes n calls, each of which must succeed.
func call(t *testing.T, c *lending.Client, n int) {
	t.Helper()
	for range n {
		require.NoError(t, wiretest.Error(c.ListPools(t.Context())))
	}
}

// reserve takes n slots of c's limiter without a request: a day's budget through
// the whole client takes seconds.
func reserve(t *testing.T, c *lending.Client, n int) {
	t.Helper()
	for range n {
		done, err := c.Limiter(lending.ClassAll).Permit(t.Context(), time.Hour)
		require.NoError(t, err)
		done(t.Context(), true)
	}
}

func TestMinuteBudgets(t *testing.T) {
	for _, row := range []struct {
		tier  lending.Tier
		burst int
	}{{"", 60}, {lending.TierFree, 60}, {lending.TierPro, 300}} {
		wiretest.InBubble(t, string(row.tier), func(t *testing.T) {
			c, _ := carriedClient(t, row.tier, walletfi.Options{}, noPools)
			begun := time.Now()
			call(t, c, row.burst)
			require.Zero(t, time.Since(begun), "a burst up to the budget is free")
			call(t, c, 1)
			require.GreaterOrEqual(t, time.Since(begun), time.Minute)
			require.Less(t, time.Since(begun), time.Minute+time.Minute/512)
		})
	}
}

func TestDayBudgets(t *testing.T) {
	for _, row := range []struct {
		tier        lending.Tier
		day, minute int
	}{{lending.TierFree, 10_000, 60}, {lending.TierPro, 100_000, 300}} {
		wiretest.InBubble(t, string(row.tier), func(t *testing.T) {
			c, wire := carriedClient(t, row.tier, walletfi.Options{}, noPools)
			begun := time.Now()
			call(t, c, row.minute)
			reserve(t, c, row.day-2*row.minute)
			call(t, c, row.minute)
			minutes := time.Duration((row.day-1)/row.minute) * time.Minute
			require.GreaterOrEqual(t, time.Since(begun), minutes)
			// Both budgets apply at once; the day's window is the longer.
			_, err := c.ListPools(t.Context())
			limited := wiretest.As[*ratelimit.Error](t, err)
			require.ErrorIs(t, err, walletfi.ErrRateLimited)
			require.WithinDuration(t, begun.Add(24*time.Hour), limited.ResetAt, 3*time.Minute)
			require.Len(t, wire.Seen, 2*row.minute, "a refused call is not sent")
			<-time.After(time.Until(limited.ResetAt))
			call(t, c, 1)
		})
	}
}

func TestEnterpriseHasNoBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := carriedClient(t, lending.TierEnterprise, walletfi.Options{}, noPools)
		begun := time.Now()
		call(t, c, 1000)
		require.Zero(t, time.Since(begun))
	})
}

func TestMaxQueueWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, wire := carriedClient(t, lending.TierFree, walletfi.Options{MaxQueueWait: new(time.Duration(0))}, noPools)
		call(t, c, 60)
		begun := time.Now()
		require.ErrorIs(t, wiretest.Error(c.ListPools(t.Context())), walletfi.ErrRateLimited)
		require.Zero(t, time.Since(begun))
		require.Len(t, wire.Seen, 60)
	})
}

// TestSharedLimiter: two clients of a key share its budget.
func TestSharedLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, _ := carriedClient(t, lending.TierFree, walletfi.Options{}, noPools)
		second, _ := carriedClient(t, lending.TierFree, walletfi.Options{
			Limiter: func(ratelimit.Scope) ratelimit.Limiter { return first.Limiter(lending.ClassAll) },
		}, noPools)
		begun := time.Now()
		call(t, first, 30)
		call(t, second, 30)
		require.Zero(t, time.Since(begun))
		call(t, second, 1)
		require.GreaterOrEqual(t, time.Since(begun), time.Minute)
	})
}
