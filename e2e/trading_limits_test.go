package e2e

import (
	"errors"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/swap"
)

// lockstep carries requests out of a synctest bubble to a sandbox whose clock
// goes with the bubble's, and notes when each went and what was answered. Its
// connections end with their answers: one that waits for the network would hold
// the bubble's clock.
type lockstep struct {
	s     *sandbox.Sandbox
	inner http.Transport

	mu     sync.Mutex
	begun  time.Time
	passed time.Duration // of it, on the sandbox's clock
	went   []time.Duration
	codes  map[int]int
}

func newLockstep(s *sandbox.Sandbox) *lockstep {
	return &lockstep{s: s, inner: http.Transport{DisableKeepAlives: true}, begun: time.Now(), codes: map[int]int{}}
}

func (l *lockstep) RoundTrip(r *http.Request) (*http.Response, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := time.Since(l.begun)
	l.s.Advance(at - l.passed)
	l.passed = at
	l.went = append(l.went, at)
	resp, err := l.inner.RoundTrip(r)
	if err == nil {
		l.codes[resp.StatusCode]++
	}
	return resp, err
}

// limited is a sandbox that keeps the documented limits.
func limited(t *testing.T) *sandbox.Sandbox { return flows.Start(t, sandbox.Config{ManualClock: true}) }

// TestSwapWithoutAKeyKeepsTenAMinute: 25 callers at once, and the service never
// has to say 429.
func TestSwapWithoutAKeyKeepsTenAMinute(t *testing.T) {
	s := limited(t)
	synctest.Test(t, func(t *testing.T) {
		wire := newLockstep(s)
		c, err := swap.New(swap.Config{BaseURL: s.URL(sandbox.Swap), Options: walletfi.Options{
			HTTPClient: &http.Client{Transport: wire}, MaxQueueWait: new(5 * time.Minute),
		}})
		require.NoError(t, err)
		var group sync.WaitGroup
		for range 25 {
			group.Go(func() {
				_, err := c.ListVenues(t.Context())
				if err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		require.Equal(t, map[int]int{200: 25}, wire.codes)
		require.Zero(t, wire.went[9])
		require.Greater(t, wire.went[10], time.Minute)
		require.Less(t, wire.went[10], time.Minute+time.Second)
		require.Greater(t, wire.went[20], 2*time.Minute)
	})
	require.Equal(t, 25, s.Hits()[sandbox.Route{Service: sandbox.Swap, Method: "GET", Pattern: "/venues"}])
}

// TestSwapBudgetRefusesAtOnce: where nobody waits, the eleventh is refused by
// ourselves, with the time; without our budget the service refuses it.
func TestSwapBudgetRefusesAtOnce(t *testing.T) {
	for _, own := range []bool{true, false} {
		s := limited(t)
		cfg := swap.Config{BaseURL: s.URL(sandbox.Swap), Options: walletfi.Options{
			MaxQueueWait: new(time.Duration(0)), Retry: walletfi.RetryPolicy{MaxRetries: new(0)},
		}}
		if !own {
			cfg.Budgets = []ratelimit.Budget{{Requests: 1000, Per: time.Minute}}
		}
		c, err := swap.New(cfg)
		require.NoError(t, err)
		for range 10 {
			_, err := c.ListTokens(t.Context())
			require.NoError(t, err)
		}
		_, err = c.ListTokens(t.Context())
		require.ErrorIs(t, err, walletfi.ErrRateLimited)
		refusal, ours := errors.AsType[*ratelimit.Error](err)
		require.Equal(t, own, ours)
		want := 11
		if own {
			want = 10
			require.InDelta(t, 60, time.Until(refusal.ResetAt).Seconds(), 2)
		}
		require.Equal(t, want, s.Hits()[sandbox.Route{Service: sandbox.Swap, Method: "GET", Pattern: "/tokens"}])
	}
}

// ammPairs quotes and builds so many times, and returns when each request went.
func ammPairs(t *testing.T, s *sandbox.Sandbox, pause *time.Duration, pairs int) *lockstep {
	t.Helper()
	wire := newLockstep(s)
	c, err := amm.New(amm.Config{TradeURL: s.URL(sandbox.AMM), DataURL: s.AMM().DataURL(), Pause: pause, Options: walletfi.Options{
		HTTPClient: &http.Client{Transport: wire}, MaxQueueWait: new(5 * time.Minute),
	}})
	require.NoError(t, err)
	for range pairs {
		quote, err := c.QuoteBaseIn(t.Context(), amm.QuoteRequest{
			InputMint: s.Mint("USDC"), OutputMint: walletfi.NativeMint, Amount: 1_000_000, Slippage: walletfi.SlippageBps(100),
		})
		require.NoError(t, err)
		_, err = c.BuildSwap(ratelimit.WithFollowUp(t.Context()), amm.BuildRequest{Quote: quote, Owner: s.WalletAddress()})
		require.NoError(t, err)
		if pause == nil || *pause > 0 {
			require.Zero(t, quote.Age(), "it was built from at once")
		}
	}
	return wire
}

// TestAMMPacing: a quote and its build go as one unit, the pauses are made up
// for after it, and the service never has to say 429. Without a pause it does.
func TestAMMPacing(t *testing.T) {
	for name, row := range map[string]struct {
		pause *time.Duration
		unit  time.Duration // between a pair and the next
	}{
		"default":    {nil, 2 * amm.DefaultPause},
		"configured": {new(2 * time.Second), 4 * time.Second},
		"none":       {new(time.Duration(0)), 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := limited(t)
			synctest.Test(t, func(t *testing.T) {
				wire := ammPairs(t, s, row.pause, 70)
				if row.unit == 0 {
					require.NotZero(t, wire.codes[429], "the limit is one that can be met")
					return
				}
				require.Equal(t, map[int]int{200: 140}, wire.codes)
				for i := range 70 {
					require.Equal(t, time.Duration(i)*row.unit, wire.went[2*i])
					require.Equal(t, wire.went[2*i], wire.went[2*i+1])
				}
			})
		})
	}
}
