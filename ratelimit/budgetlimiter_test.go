package ratelimit_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/wiretest"
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

func TestBudgetLimiterBurstsAreFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := ratelimit.New(ratelimit.Budget{Requests: 60, Per: per})
		for range 3 { // the whole budget at once, again and again
			for range 60 {
				reserve(t, l)(t.Context(), true)
			}
			requireRefused(t, l, per+time.Second)
			pause(per + time.Second)
		}
	})
}

// TestBudgetLimiterCountsFromTheAnswer: a slot is reserved while its request is
// under way, however long, and for a window after its answer.
func TestBudgetLimiterCountsFromTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := ratelimit.New(ratelimit.Budget{Requests: 1, Per: per})
		slow := reserve(t, l)
		pause(3 * per)
		requireRefused(t, l, per+time.Second) // if it were answered now
		slow(t.Context(), true)
		requireRefused(t, l, per+time.Second)
		pause(per + time.Second - 1)
		requireRefused(t, l, 1)
		pause(1)
		requireFree(t, l, 1)
	})
}

// TestBudgetLimiterAllOrNone: if a budget has no slot, no other budget loses a
// slot, and the error names the latest of their times.
func TestBudgetLimiterAllOrNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := ratelimit.New(
			ratelimit.Budget{Requests: 2, Per: per},
			ratelimit.Budget{Requests: 3, Per: 10 * per},
			ratelimit.Budget{Requests: 100, Per: per})
		reserve(t, l)(t.Context(), true)
		reserve(t, l)(t.Context(), true)
		for range 50 {
			requireRefused(t, l, per+time.Second)
		}
		pause(per + time.Second)
		reserve(t, l)(t.Context(), true)
		requireRefused(t, l, 10*(per+time.Second)-(per+time.Second)) // the middle one, since its first
		pause(8 * per)
		requireRefused(t, l, 10*(per+time.Second)-(per+time.Second)-8*per)
		pause(10*(per+time.Second) - (per + time.Second) - 8*per)
		requireFree(t, l, 2)
	})
}

// count is the service's word in a Tighten, with a reset so long from now.
type count struct {
	remaining int
	in        time.Duration
}

func TestBudgetLimiterTighten(t *testing.T) {
	minute := time.Minute
	for name, test := range map[string]struct {
		budgets []ratelimit.Budget
		flying  int // under way when it is said
		said    []count
		free    int           // slots after that
		then    time.Duration // when the next is free, 0 where there is no end
	}{
		"two more":                         {said: []count{{2, minute}}, free: 2, then: minute},
		"none":                             {said: []count{{0, minute}}, free: 0, then: minute},
		"below none":                       {said: []count{{-7, minute}}, free: 0, then: minute},
		"a reset in the past":              {said: []count{{0, -minute}}, free: 100},
		"a reset now":                      {said: []count{{0, 0}}, free: 100},
		"never loosens":                    {budgets: []ratelimit.Budget{{Requests: 1, Per: per}}, said: []count{{50, minute}}, free: 1, then: per + time.Second},
		"tightens further":                 {said: []count{{5, minute}, {3, minute}}, free: 3, then: minute},
		"stale: higher":                    {said: []count{{3, minute}, {5, minute}}, free: 3, then: minute},
		"stale: older and higher":          {said: []count{{3, minute}, {5, minute / 2}}, free: 3, then: minute},
		"newer window, as much":            {said: []count{{3, minute / 2}, {3, minute}}, free: 3, then: minute},
		"newer window, less":               {said: []count{{3, minute / 2}, {1, minute}}, free: 1, then: minute},
		"newer window lifts nothing":       {said: []count{{0, minute / 2}, {9, minute}}, free: 0, then: minute / 2},
		"older window does not undo":       {said: []count{{9, minute}, {2, minute / 2}}, free: 2, then: minute / 2},
		"under way are taken off":          {flying: 3, said: []count{{5, minute}}, free: 2, then: minute},
		"more under way than are left":     {flying: 3, said: []count{{1, minute}}, free: 0, then: minute},
		"with a budget, the later decides": {budgets: []ratelimit.Budget{{Requests: 3, Per: per}}, flying: 3, said: []count{{3, 4 * per}}, free: 0, then: 4 * per},
		"a reset beyond all clocks":        {said: []count{{0, 1<<63 - 1}}, free: 0, then: 1 << 62},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := ratelimit.New(test.budgets...)
				for range test.flying {
					defer reserve(t, l)(t.Context(), true)
				}
				for _, said := range test.said {
					l.Tighten(t.Context(), said.remaining, time.Now().Add(said.in))
				}
				for range test.free {
					defer reserve(t, l)(t.Context(), true)
				}
				if test.then > 0 {
					requireRefused(t, l, test.then)
				}
			})
		})
	}
}

// TestBudgetLimiterTightenOverTime: a count of one window ends with it, and the
// count of the next window applies from then on.
func TestBudgetLimiterTightenOverTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := ratelimit.New()
		l.Tighten(t.Context(), 1, time.Now().Add(time.Minute))
		l.Tighten(t.Context(), 3, time.Now().Add(2*time.Minute))
		reserve(t, l)(t.Context(), true)
		requireRefused(t, l, time.Minute)
		pause(time.Minute)
		reserve(t, l)(t.Context(), true)
		reserve(t, l)(t.Context(), true)
		requireRefused(t, l, time.Minute)
		pause(time.Minute)
		for range 10 {
			reserve(t, l)(t.Context(), true)
		}
	})
}

// TestBudgetLimiterTightenGivesBackWhatWasNotSent: a request under way was taken
// off the count and turns out never to have been sent.
func TestBudgetLimiterTightenGivesBackWhatWasNotSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := ratelimit.New()
		first, second := reserve(t, l), reserve(t, l)
		l.Tighten(t.Context(), 3, time.Now().Add(time.Minute))
		third := reserve(t, l)
		requireRefused(t, l, time.Minute)
		first(t.Context(), false)
		reserve(t, l)(t.Context(), true)
		requireRefused(t, l, time.Minute)
		third(t.Context(), false)
		reserve(t, l)(t.Context(), true)
		second(t.Context(), true)
		requireRefused(t, l, time.Minute)
	})
}

func TestBudgetLimiterTightenEndsWaitsThatBecameTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := single(t)
		q := newCallers(t, l)
		q.call(t.Context(), "first", 2*per)
		q.call(t.Context(), "second", 3*per)
		l.Tighten(t.Context(), 1, q.began.Add(9*per)) // enough for the first
		second := q.next()
		assert.Equal(t, "second", second.name)
		assert.Zero(t, second.at)
		limited := wiretest.As[*ratelimit.Error](t, second.err)
		assert.Equal(t, 9*per, limited.ResetAt.Sub(q.began))
		assert.Equal(t, outcome{"first", nil, per + time.Second}, q.next())
	})
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
