package ratelimit_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/ratelimit"
)

func TestBudgetValidate(t *testing.T) {
	for name, test := range map[string]struct {
		budget  ratelimit.Budget
		problem string // empty where it is valid
	}{
		"a minute":        {ratelimit.Budget{Requests: 60, Per: time.Minute}, ""},
		"the least":       {ratelimit.Budget{Requests: 1, Per: 1}, ""},
		"a century":       {ratelimit.Budget{Requests: 1, Per: 100 * 366 * 24 * time.Hour}, ""},
		"zero value":      {ratelimit.Budget{}, "Budget.Requests: must be 1 or more, is 0"},
		"negative":        {ratelimit.Budget{Requests: -1, Per: time.Minute}, "Budget.Requests: must be 1 or more, is -1"},
		"no window":       {ratelimit.Budget{Requests: 1}, "Budget.Per: must be above 0 and at most 100 years, is 0s"},
		"more than that":  {ratelimit.Budget{Requests: 1, Per: 100*366*24*time.Hour + 1}, "Budget.Per: must be above 0 and at most 100 years, is 878400h0m0.000000001s"},
		"beyond counting": {ratelimit.Budget{Requests: 1, Per: 1<<63 - 1}, "Budget.Per: must be above 0 and at most 100 years, is 2562047h47m16.854775807s"},
	} {
		t.Run(name, func(t *testing.T) {
			err := test.budget.Validate()
			if test.problem == "" {
				require.NoError(t, err)
				requireFree(t, ratelimit.New(test.budget), test.budget.Requests)
				return
			}
			assert.EqualError(t, err, test.problem)
			assert.IsType(t, &ratelimit.BudgetError{}, err)
			assert.PanicsWithValue(t, "ratelimit.New: "+test.problem, func() { ratelimit.New(test.budget) })
		})
	}
}

func TestBudgetLimiterWithoutBudgets(t *testing.T) {
	l := ratelimit.New()
	for range 10_000 {
		defer reserve(t, l)(t.Context(), true)
	}
}

// TestBudgetLimiterObeysAServiceThatCountsMore: the service's window began
// before ours and another program uses the same key. What it says keeps us
// from being refused.
func TestBudgetLimiterObeysAServiceThatCountsMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 100
		began := time.Now()
		window := &fixedWindow{requests: n, per: time.Minute, first: began.Add(-20 * time.Second)}
		for range 70 {
			window.accept(began) // the other program's
		}
		l := ratelimit.New(ratelimit.Budget{Requests: n, Per: time.Minute})
		served := 0
		for time.Since(began) < 3*time.Minute {
			done, err := l.Permit(t.Context(), time.Hour)
			require.NoError(t, err)
			pause(50 * time.Millisecond)
			require.True(t, window.accept(time.Now()), "refused after %d", served)
			served++
			remaining, reset := n-window.count, window.first.Add(time.Duration(window.window+1)*time.Minute)
			done(t.Context(), true)
			l.Tighten(t.Context(), remaining, reset)
		}
		assert.GreaterOrEqual(t, served, 30+2*n)
	})
}
