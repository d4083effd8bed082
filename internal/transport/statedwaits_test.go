package transport

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/observing/recorded"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// TestStatedWaits states when requests leave, in virtual time, for everything that the
// headers of a 429 may hold, over classes with and without a window, urgent or not.
func TestStatedWaits(t *testing.T) {
	rows, late := 0, 0
	for _, class := range waitClasses {
		for _, said := range statedWaits {
			for _, urgent := range []bool{false, true} {
				for _, refusals := range []int{1, 4} {
					name := fmt.Sprintf("%s/%s/urgent=%v/%d refused", class.name, said.name, urgent, refusals)
					want := class.departures(said, urgent, refusals)
					inBubble(name, t, func(t *testing.T) {
						steps := append(slices.Repeat([]step{said.refuse}, refusals), reply(200, success))
						got := class.play(t, []bool{urgent}, steps)
						if rows++; len(got) < 2 || got[1] > want[1] {
							late++
						}
						assert.Equal(t, want, got)
					})
				}
			}
		}
	}
	t.Logf("stated waits=%d held past window=%d", rows, late)
}

// waitClass is a class of calls.
type waitClass struct {
	name       string
	budgets    []ratelimit.Budget
	documented bool          // the service documents its header of resets
	window     time.Duration // for which an undocumented reset counts at most
	bound      time.Duration // the longest wait that is obeyed whole
}

var waitClasses = []waitClass{
	{"no window", nil, true, time.Minute, 15 * time.Minute},
	{"no window, resets not documented", nil, false, time.Minute, 15 * time.Minute},
	{"a minute", []ratelimit.Budget{{Requests: 10, Per: time.Minute}}, true, time.Minute, 15 * time.Minute},
	{"15 minutes", []ratelimit.Budget{{Requests: 300, Per: 15 * time.Minute}}, true, 15 * time.Minute, 15 * time.Minute},
	{"a day", []ratelimit.Budget{{Requests: 10_000, Per: 24 * time.Hour}, {Requests: 60, Per: time.Minute}},
		true, 24 * time.Hour, 24 * time.Hour},
	{"a day, resets not documented", []ratelimit.Budget{{Requests: 100_000, Per: 24 * time.Hour}},
		false, 24 * time.Hour, 24 * time.Hour},
}

// stated is what the headers of a refusal hold, and what they mean: nothing if unstated.
type stated struct {
	name         string
	after, reset func() string // nil for none
	waits        time.Duration // by Retry-After
	resets       time.Duration // by the reset
}

const (
	unstated = time.Duration(-1)
	never    = time.Duration(1 << 62) // a wait that no service means
	passed   = 250 * time.Millisecond // what a time that has passed counts for
)

func text(s string) func() string { return func() string { return s } }

func dateIn(d time.Duration) func() string {
	return func() string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
}

func unixIn(d time.Duration) func() string {
	return func() string { return strconv.FormatInt(time.Now().Add(d).Unix(), 10) }
}

func millisIn(d time.Duration) func() string {
	return func() string { return strconv.FormatInt(time.Now().Add(d).UnixMilli(), 10) }
}

var statedWaits = []stated{
	{"nothing", nil, nil, unstated, unstated},
	{"0", text("0"), nil, 0, unstated},
	{"7", text("7"), nil, 7 * time.Second, unstated},
	{"1.2", text("1.2"), nil, 2 * time.Second, unstated},
	{"900", text("900"), nil, 15 * time.Minute, unstated},
	{"1e9", text("1000000000"), nil, never, unstated},
	{"2^63", text("9223372036854775808"), nil, never, unstated},
	{"20 digits", text("99999999999999999999"), nil, never, unstated},
	{"1e400", text("1e400"), nil, never, unstated},
	{"Inf", text("Inf"), nil, never, unstated},
	{"-5", text("-5"), nil, unstated, unstated},
	{"NaN", text("NaN"), nil, unstated, unstated},
	{"soon", text("soon"), nil, unstated, unstated},
	{"a date", dateIn(90 * time.Second), nil, 90 * time.Second, unstated},
	{"a date that has passed", dateIn(-time.Hour), nil, passed, unstated},
	{"the year 2100", text("Fri, 01 Jan 2100 00:00:00 GMT"), nil, never, unstated},
	{"reset", nil, unixIn(30 * time.Second), unstated, 30 * time.Second},
	{"reset in 10 minutes", nil, unixIn(10 * time.Minute), unstated, 10 * time.Minute},
	{"reset in ms", nil, millisIn(30 * time.Second), unstated, 30 * time.Second},
	{"reset that has passed", nil, unixIn(-time.Minute), unstated, passed},
	{"reset in ms that has passed", nil, millisIn(-time.Minute), unstated, passed},
	{"reset in seconds from now", nil, text("30"), unstated, passed},
	{"reset in the year 2100", nil, text("4102444800"), unstated, never},
	{"reset in ns", nil, text("1700000000000000000"), unstated, never},
	{"reset of 20 digits", nil, text("99999999999999999999"), unstated, never},
	{"reset -1", nil, text("-1"), unstated, unstated},
	{"reset that is garbage", nil, text("x"), unstated, unstated},
	{"both", text("5"), unixIn(30 * time.Second), 5 * time.Second, 30 * time.Second},
	{"both, the other longer", text("50"), unixIn(30 * time.Second), 50 * time.Second, 30 * time.Second},
	{"both, one far", text("5"), text("99999999999999"), 5 * time.Second, never},
	{"20 minutes", text("1200"), nil, 20 * time.Minute, unstated},
	{"an hour", text("3600"), nil, time.Hour, unstated},
	{"more than an hour", text("3601"), nil, time.Hour + time.Second, unstated},
	{"a day", text("86400"), nil, 24 * time.Hour, unstated},
	{"reset in 20 hours", nil, unixIn(20 * time.Hour), unstated, 20 * time.Hour},
	{"reset in three years", nil, unixIn(26280 * time.Hour), unstated, 26280 * time.Hour},
	{"reset in us", nil, text("1700000000000000"), unstated, never},
	{"both, the reset in three years", text("30"), unixIn(26280 * time.Hour), 30 * time.Second, 26280 * time.Hour},
	{"both, the reset in 10 minutes", text("90"), unixIn(10 * time.Minute), 90 * time.Second, 10 * time.Minute},
	{"both, one garbage", text("soon"), unixIn(30 * time.Second), unstated, 30 * time.Second},
}

// departures are the instants at which requests leave if so many are refused: one at the
// beginning, one after each refusal, and another after the success.
func (c waitClass) departures(said stated, urgent bool, refusals int) []time.Duration {
	resets, odd := said.resets, false
	if !c.documented {
		resets = min(resets, c.window)
		odd = resets < said.resets && resets > said.waits
	}
	wait := max(said.waits, resets, 0)
	obeyed := c.bound
	if urgent {
		obeyed = min(c.bound, time.Hour)
	}
	if urgent && odd {
		obeyed = 0
	}
	all := []time.Duration{0}
	if wait <= obeyed {
		for i := range refusals {
			all = append(all, all[i]+wait)
		}
		return append(all, all[refusals])
	}
	return append(all, probesOf(refusals, min(wait, c.bound), wait, urgent)...)
}

// probesOf are the instants of so many probes, and of the call after them. The first goes
// after pause, or sooner if it is urgent; each states that it is to wait for so long.
func probesOf(n int, pause, wait time.Duration, urgent bool) (all []time.Duration) {
	const never, most = time.Duration(1 << 62), time.Minute
	var at, until, ordinary, soon, soonPause, ordinaryPause time.Duration
	for range n {
		if at >= until {
			ordinaryPause, soonPause = pause, 10*time.Second
			ordinary, soon = at+ordinaryPause, at+soonPause
		}
		until = max(until, at+min(wait, never-at))
		if at = min(ordinary, until); urgent {
			at = min(at, soon)
		}
		if at >= ordinary {
			ordinaryPause *= 2
			ordinary = at + ordinaryPause
		}
		soonPause = min(2*soonPause, most)
		soon = at + soonPause
		all = append(all, at)
	}
	return append(all, at)
}

func (s stated) refuse(r *http.Request) (*http.Response, error) {
	var headers []string
	if s.after != nil {
		headers = append(headers, "Retry-After", s.after())
	}
	if s.reset != nil {
		headers = append(headers, "X-RateLimit-Reset", s.reset())
	}
	return reply(429, "", headers...)(r)
}

// play has each caller call until it was served twice, and returns when requests left.
func (c waitClass) play(t *testing.T, urgent []bool, steps []step) []time.Duration {
	return c.playUntil(t, 2, urgent, steps)
}

// playUntil is play for another number of answers.
func (c waitClass) playUntil(t *testing.T, answers int, urgent []bool, steps []step) []time.Duration {
	service, begun := serve(steps...), time.Now()
	client := clientOf(t, service, retries(0), func(cfg *Config) {
		patience := 100_000 * time.Hour
		cfg.Options.MaxQueueWait, cfg.RateHeaders = &patience, c.documented
		cfg.Limits = map[string][]ratelimit.Budget{"": c.budgets}
	})
	var callers sync.WaitGroup
	for _, urgent := range urgent {
		callers.Go(func() {
			for served := 0; served < answers; {
				if call(t, client, urgent) == nil {
					served++
				}
			}
		})
	}
	callers.Wait()
	return service.left(begun)
}

// left is when requests came.
func (m *memory) left(begun time.Time) (all []time.Duration) {
	for _, r := range m.requests() {
		all = append(all, r.at.Sub(begun))
	}
	return all
}

func call(t *testing.T, client *Client, urgent bool) error {
	var opts []walletfi.CallOption
	if urgent {
		opts = append(opts, walletfi.Urgent())
	}
	_, err := Do[result](t.Context(), client, callOf(Read), opts)
	return err
}

// TestProbesOfManyCallers: one of them probes at a time, the urgent ones sooner, and all
// go on once a probe is served.
func TestProbesOfManyCallers(t *testing.T) {
	const s, m = time.Second, time.Minute
	far, ok := stated{after: text("1000000000")}, reply(200, success)
	taking := func(d time.Duration) step {
		return func(r *http.Request) (*http.Response, error) {
			time.Sleep(d)
			return far.refuse(r)
		}
	}
	ordinary, closes := slices.Repeat([]bool{false}, 4), slices.Repeat([]bool{true}, 4)
	atOnce := slices.Repeat([]step{taking(s)}, 4)
	times := func(n int, at time.Duration) []time.Duration { return slices.Repeat([]time.Duration{at}, n) }
	for name, c := range map[string]struct {
		callers []bool
		steps   []step
		want    []time.Duration
	}{
		"ordinary": {ordinary, append(slices.Clone(atOnce), far.refuse, far.refuse, ok),
			append([]time.Duration{0, 0, 0, 0, 15*m + s, 45*m + s}, times(8, 105*m+s)...)},
		"urgent": {closes, append(slices.Clone(atOnce), far.refuse, far.refuse, ok),
			append([]time.Duration{0, 0, 0, 0, 11 * s, 31 * s}, times(8, 71*s)...)},
		"both": {append(slices.Clone(ordinary[:2]), closes[:2]...), append(slices.Clone(atOnce), far.refuse, ok),
			append([]time.Duration{0, 0, 0, 0, 11 * s}, times(8, 31*s)...)},
		"a probe that is slow": {closes, append(slices.Clone(atOnce), taking(25*s), taking(25*s), ok),
			append([]time.Duration{0, 0, 0, 0, 11 * s, 56 * s}, times(8, 121*s)...)},
		"recovered in between": {ordinary[:1], []step{far.refuse, ok, far.refuse, far.refuse, ok},
			[]time.Duration{0, 15 * m, 15 * m, 30 * m, 60 * m}},
		"a probe that fails": {ordinary[:1], []step{far.refuse, reply(500, ""), fail(reset), ok},
			[]time.Duration{0, 15 * m, 45 * m, 105 * m, 105 * m}},
		"a probe that was not sent": {ordinary[:1], []step{far.refuse, fail(refused), fail(refused), ok},
			[]time.Duration{0, 15 * m, 15 * m, 15 * m, 15 * m}},
		"a wait that can be meant": {ordinary[:1], []step{far.refuse, reply(429, "", "Retry-After", "30"), ok},
			[]time.Duration{0, 15 * m, 15*m + 30*s, 15*m + 30*s}},
		"a refusal of the request": {ordinary[:1], []step{far.refuse, reply(404, ""), ok},
			[]time.Duration{0, 15 * m, 15 * m, 15 * m}},
		"the stated end": {ordinary[:1], []step{reply(429, "", "Retry-After", "1000"), reply(500, ""), ok},
			[]time.Duration{0, 15 * m, 1000 * s, 1000 * s}},
		"a count that is used up": {closes[:1], []step{far.usedUp, ok}, []time.Duration{0, 10 * s}},
	} {
		inBubble(name, t, func(t *testing.T) {
			require.Equal(t, c.want, waitClasses[0].play(t, c.callers, c.steps))
		})
	}
}

// usedUp is a success with a count of zero until a time that no service means.
func (stated) usedUp(r *http.Request) (*http.Response, error) {
	return reply(200, success, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "9999999999999999")(r)
}

// TestProbesOfTwoClients: two that share a limiter probe as one.
func TestProbesOfTwoClients(t *testing.T) {
	for name, limiter := range map[string]func() ratelimit.Limiter{
		"a budget": func() ratelimit.Limiter { return ratelimit.New() },
		"a pacer":  func() ratelimit.Limiter { return ratelimit.NewPacer(0) },
		"a fallback": func() ratelimit.Limiter {
			scope := ratelimit.Scope{Budgets: []ratelimit.Budget{{Requests: 100, Per: time.Hour}}}
			return ratelimit.Fallback{Processes: 1, Part: 0.5}.Limiter(scope, func(s ratelimit.Scope) ratelimit.Limiter {
				return ratelimit.New(s.Budgets...)
			})
		},
	} {
		inBubble(name, t, func(t *testing.T) {
			shared, far := limiter(), stated{after: text("1e400")}
			service := serve(far.refuse, far.refuse, reply(200, success))
			use := func(cfg *Config) {
				patience := time.Hour
				cfg.Options.MaxQueueWait = &patience
				cfg.Options.Limiter = func(ratelimit.Scope) ratelimit.Limiter { return shared }
			}
			a, b := clientOf(t, service, use, retries(0)), clientOf(t, service, use, retries(0))
			begun := time.Now()
			require.ErrorIs(t, call(t, a, false), walletfi.ErrRateLimited)
			require.ErrorIs(t, call(t, b, true), walletfi.ErrRateLimited)
			require.NoError(t, call(t, a, true))
			require.NoError(t, call(t, b, false))
			want := []time.Duration{0, 10 * time.Second, 30 * time.Second, 30 * time.Second}
			require.Equal(t, want, service.left(begun))
		})
	}
}

// TestUrgentCallProbes: an urgent call repeats itself as a probe, as often as it may, and
// then says when the next one may come.
func TestUrgentCallProbes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service, begun := serve(stated{after: text("1e9")}.refuse), time.Now()
		client := clientOf(t, service)
		err := call(t, client, true)
		require.ErrorIs(t, err, walletfi.ErrRateLimited)
		require.Equal(t, ratelimit.UrgentProbe, responseOf(t, err).RetryAfter)
		want := []time.Duration{0, 10 * time.Second, 30 * time.Second, 70 * time.Second}
		require.Equal(t, want, service.left(begun))
	})
}

// TestDoubtEndsWithTheContext: nobody waits for a probe any longer than its context lasts.
func TestDoubtEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := clientOf(t, serve(stated{after: text("1e9")}.refuse), func(cfg *Config) {
			patience := time.Hour
			cfg.Options.MaxQueueWait = &patience
		})
		require.Error(t, call(t, client, false))
		ctx, cancel := context.WithCancel(t.Context())
		defer time.AfterFunc(7*time.Minute, cancel).Stop()
		begun := time.Now()
		_, err := Do[result](ctx, client, callOf(Read), nil)
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, 7*time.Minute, time.Since(begun))
	})
}

// TestOddWaitsAreNoted: the observer hears once a route what is odd about a wait.
func TestOddWaitsAreNoted(t *testing.T) {
	for name, c := range map[string]struct {
		said        stated
		member, odd string // "" for none
	}{
		"ms":         {stated{reset: millisIn(30 * time.Second)}, "X-RateLimit-Reset", "in milliseconds"},
		"past":       {stated{reset: unixIn(-time.Minute)}, "X-RateLimit-Reset", "in the past"},
		"far":        {stated{reset: text("99999999999999999")}, "X-RateLimit-Reset", "past any limit"},
		"far after":  {stated{after: text("1e9")}, "Retry-After", "past any limit"},
		"now":        {stated{reset: unixIn(0)}, "", ""},
		"documented": {stated{after: text("900"), reset: unixIn(time.Minute)}, "", ""},
	} {
		inBubble(name, t, func(t *testing.T) {
			told := recorded.New(t)
			client := clientOf(t, serve(c.said.refuse), retries(0), observedBy(told), func(cfg *Config) { cfg.RateHeaders = true })
			_ = call(t, client, true)
			time.Sleep(time.Hour)
			_ = call(t, client, true)
			var want []observe.Drift
			if c.odd != "" {
				want = []observe.Drift{{Service: "test", Op: "Do", Route: "/v1/thing", Member: c.member, Value: c.odd}}
			}
			require.Equal(t, want, recorded.Events[observe.Drift](told))
		})
	}
}
