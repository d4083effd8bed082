package amm_test

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// swapping answers quotes and builds.
func swapping(t *testing.T) func(int, sent) (int, string) {
	return func(_ int, r sent) (int, string) {
		switch {
		case r.Body != "":
			return 200, wiretest.File(t, "BuildSwap.json")
		case r.URL.Host == "data.test":
			return 200, wiretest.File(t, "GetAutoFee.json")
		}
		return 200, wiretest.File(t, "QuoteBaseIn.json")
	}
}

var someQuote = amm.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: maxAmount, Slippage: walletfi.SlippageBps(0)}

// offsets are when the requests went, after the first.
func offsets(wire *wiretest.Carrier) []time.Duration {
	var all []time.Duration
	for _, s := range wire.Seen {
		all = append(all, s.At.Sub(wire.Seen[0].At))
	}
	return all
}

func TestPauseOverBothHosts(t *testing.T) {
	for name, row := range map[string]struct {
		pause *time.Duration
		want  time.Duration
	}{
		"default":    {nil, 1500 * time.Millisecond},
		"configured": {new(2 * time.Second), 2 * time.Second},
		"none":       {new(time.Duration(0)), 0},
	} {
		wiretest.InBubble(t, name, func(t *testing.T) {
			c, wire := carried(t, amm.Config{Pause: row.pause}, swapping(t))
			require.NoError(t, wiretest.Error(c.QuoteBaseIn(t.Context(), someQuote)))
			require.NoError(t, wiretest.Error(c.GetAutoFee(t.Context())))
			require.NoError(t, wiretest.Error(c.QuoteBaseIn(t.Context(), someQuote)))
			require.Equal(t, []time.Duration{0, row.want, 2 * row.want}, offsets(wire))
			require.Equal(t, "data.test/api/main/auto-fee", wire.Seen[1].URL.Host+wire.Seen[1].Target)
		})
	}
}

// A quote and its build as one unit: the quote is not older than the network
// makes it, and the next call waits twice.
func TestFollowUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, wire := carried(t, amm.Config{Pause: new(time.Second)}, swapping(t))
		q, err := c.QuoteBaseIn(t.Context(), someQuote)
		require.NoError(t, err)
		_, err = c.BuildSwap(ratelimit.WithFollowUp(t.Context()), amm.BuildRequest{Quote: q, Owner: owner})
		require.NoError(t, err)
		require.Zero(t, q.Age())
		require.NoError(t, wiretest.Error(c.GetAutoFee(t.Context())))
		require.Equal(t, []time.Duration{0, 0, 2 * time.Second}, offsets(wire))
	})
}

// Without the mark the build takes its turn, and the quote knows its age.
func TestAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, wire := carried(t, amm.Config{Pause: new(time.Second)}, swapping(t))
		q, err := c.QuoteBaseIn(t.Context(), someQuote)
		require.NoError(t, err)
		require.NoError(t, wiretest.Error(c.BuildSwap(t.Context(), amm.BuildRequest{Quote: q, Owner: owner})))
		require.Equal(t, []time.Duration{0, time.Second}, offsets(wire))
		require.Equal(t, time.Second, q.Age())
	})
}

// Nothing is cached: the same quote is requested again.
func TestQuotesAreNotCached(t *testing.T) {
	c, wire := carried(t, amm.Config{Pause: new(time.Duration(0))}, swapping(t))
	for range 2 {
		require.NoError(t, wiretest.Error(c.QuoteBaseIn(t.Context(), someQuote)))
	}
	require.Len(t, wire.Seen, 2)
}

// A limiter of the caller's own is asked for once, and both hosts share it.
func TestOwnLimiter(t *testing.T) {
	own := &countingLimiter{}
	asked := 0
	c, _ := carried(t, amm.Config{Options: walletfi.Options{Limiter: func(ratelimit.Scope) ratelimit.Limiter { asked++; return own }}}, swapping(t))
	require.NoError(t, wiretest.Error(c.QuoteBaseIn(t.Context(), someQuote)))
	require.NoError(t, wiretest.Error(c.GetAutoFee(t.Context())))
	require.Equal(t, 1, asked)
	require.Equal(t, 2, own.permits)
	require.Same(t, own, c.Limiter(amm.ClassAll))

	second := clientOf(t, amm.Config{TradeURL: "https://a.test", DataURL: "https://b.test", Options: walletfi.Options{
		Limiter: func(ratelimit.Scope) ratelimit.Limiter { return nil },
	}})
	require.IsType(t, &ratelimit.Pacer{}, second.Limiter(amm.ClassAll))
}

type countingLimiter struct{ permits int }

func (l *countingLimiter) Permit(context.Context, time.Duration) (func(context.Context, bool) error, error) {
	l.permits++
	return func(context.Context, bool) error { return nil }, nil
}

func (l *countingLimiter) Hold(context.Context, time.Time) error { return nil }

func (l *countingLimiter) Tighten(context.Context, int, time.Time) error { return nil }

// Every route reads or builds: what failed for a moment is asked again.
func TestRepeats(t *testing.T) {
	for name, call := range map[string]func(context.Context, *amm.Client, *amm.Quote) error{
		"QuoteBaseIn": func(ctx context.Context, c *amm.Client, _ *amm.Quote) error {
			_, err := c.QuoteBaseIn(ctx, someQuote)
			return err
		},
		"BuildSwap": func(ctx context.Context, c *amm.Client, q *amm.Quote) error {
			_, err := c.BuildSwap(ctx, amm.BuildRequest{Quote: q, Owner: owner})
			return err
		},
		"GetAutoFee": func(ctx context.Context, c *amm.Client, _ *amm.Quote) error { _, err := c.GetAutoFee(ctx); return err },
	} {
		for _, failure := range []struct {
			status int
			body   string
		}{{500, `{"success":false,"msg":"busy"}`}, {503, ``}, {429, ``}, {502, `<html>`}} {
			wiretest.InBubble(t, name, func(t *testing.T) {
				answer := swapping(t)
				failed := false
				c, wire := carried(t, amm.Config{}, func(n int, r sent) (int, string) {
					if n == 2 {
						failed = true
						return failure.status, failure.body
					}
					return answer(n, r)
				})
				q, err := c.QuoteBaseIn(t.Context(), someQuote)
				require.NoError(t, err)
				require.NoError(t, call(t.Context(), c, q))
				require.True(t, failed)
				require.Len(t, wire.Seen, 3)
				require.Equal(t, wire.Seen[1].Target+wire.Seen[1].Body, wire.Seen[2].Target+wire.Seen[2].Body)
			})
		}
	}
}

// A documented reason is final, whatever the status.
func TestReasonsAreNotRepeated(t *testing.T) {
	for _, status := range []int{200, 500, http.StatusServiceUnavailable} {
		c, wire := carried(t, amm.Config{}, func(int, sent) (int, string) { return status, `{"success":false,"msg":"Slippage exceeded"}` })
		require.ErrorIs(t, wiretest.Error(c.QuoteBaseIn(t.Context(), someQuote)), amm.ErrSlippageExceeded)
		require.Len(t, wire.Seen, 1)
	}
}
