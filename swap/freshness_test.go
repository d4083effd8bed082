package swap_test

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/swap"
)

// freshClient is a client whose quote, swap and order routes answer.
func freshClient(t *testing.T, f swap.Freshness) (*swap.Client, *wiretest.Carrier) {
	t.Helper()
	cfg := keyed()
	cfg.Freshness = f
	return carriedClient(t, cfg, map[string][]answer{
		"/quote": {{Status: 200, Body: wiretest.File(t, "GetQuote.json")}},
		"/swap":  {{Status: 200, Body: wiretest.File(t, "BuildSwap.json")}},
	})
}

func TestMaxAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, wire := freshClient(t, swap.Freshness{MaxAge: 10 * time.Second})
		q, err := c.GetQuote(t.Context(), swap.QuoteRequest{InputMint: sol, OutputMint: usdc, Amount: 1_000_000_000})
		require.NoError(t, err)
		req := swap.BuildRequest{Owner: user, Quote: q}

		<-time.After(9 * time.Second)
		age, known := q.Age()
		require.True(t, known)
		require.Equal(t, 9*time.Second, age)
		require.NoError(t, wiretest.Error(c.BuildSwap(t.Context(), req)))

		<-time.After(1500 * time.Millisecond)
		_, err = c.BuildSwap(t.Context(), req)
		require.ErrorIs(t, err, swap.ErrQuoteTooOld)
		require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
		require.ErrorContains(t, err, "10.5s old, more than 10s")
		require.Equal(t, []string{"/quote", "/swap"}, wire.Paths())

		req.Freshness = &swap.Freshness{MaxAge: time.Minute}
		require.NoError(t, wiretest.Error(c.BuildSwap(t.Context(), req)), "the request's own limit")
	})
}

// TestStoredQuoteHasNoAge: it is refused until the caller says when it came.
func TestStoredQuoteHasNoAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := freshClient(t, swap.Freshness{MaxAge: 10 * time.Second})
		q := plainQuote(t)
		q.ReceivedAt = time.Time{}
		_, err := c.BuildSwap(t.Context(), swap.BuildRequest{Owner: user, Quote: q})
		require.ErrorIs(t, err, swap.ErrQuoteTooOld)
		require.ErrorContains(t, err, "unknown age")
		q.ReceivedAt = time.Now().Add(-10 * time.Second)
		_, err = c.BuildSwap(t.Context(), swap.BuildRequest{Owner: user, Quote: q, Freshness: &swap.Freshness{MaxAge: 11 * time.Second}})
		require.NoError(t, err)
	})
}

// slow answers when the request's context ends.
type slow struct{}

func (slow) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// TestGrowsOldOnTheWay: what the service is too slow to build in time is not
// handed out, and the caller's own deadline stays its own.
func TestGrowsOldOnTheWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := keyed()
		cfg.BaseURL, cfg.HTTPClient = "https://swap.test", &http.Client{Transport: slow{}}
		c, err := swap.New(cfg)
		require.NoError(t, err)
		req := swap.BuildRequest{Owner: user, Quote: plainQuote(t), Freshness: &swap.Freshness{MaxAge: 5 * time.Second}}
		begun := time.Now()
		_, err = c.BuildSwapInstructions(t.Context(), req)
		require.ErrorIs(t, err, swap.ErrQuoteTooOld)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 5*time.Second, time.Since(begun))

		req.Quote = plainQuote(t)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = c.BuildSwap(ctx, req)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotErrorIs(t, err, swap.ErrQuoteTooOld)
	})
}

// TestQueueMakesOld: a slot that comes too late for the quote is not waited for.
func TestQueueMakesOld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, wire := carriedClient(t, swap.Config{Budgets: []ratelimit.Budget{{Requests: 1, Per: time.Minute}}, Freshness: swap.Freshness{MaxAge: 10 * time.Second}},
			map[string][]answer{"/quote": {{Status: 200, Body: wiretest.File(t, "GetQuote.json")}}})
		q, err := c.GetQuote(t.Context(), swap.QuoteRequest{InputMint: sol, OutputMint: usdc, Amount: 1_000_000_000})
		require.NoError(t, err)
		begun := time.Now()
		_, err = c.BuildSwap(t.Context(), swap.BuildRequest{Owner: user, Quote: q})
		require.ErrorIs(t, err, walletfi.ErrRateLimited)
		require.Zero(t, time.Since(begun))
		require.Len(t, wire.Seen, 1)
	})
}

func TestMaxPriceImpact(t *testing.T) {
	for _, row := range []struct {
		impact, limit string
		refused       bool
	}{
		{`"0.10"`, "0.1", false},
		{`"0.1000000000000000000001"`, "0.1", true},
		{`0.2`, "0.1", true},
		{`1e-1`, "0.1", false},
		{`"0"`, "0", false},
		{`"0.0000001"`, "0", true},
		{`"99.5"`, "", false},
	} {
		t.Run(row.impact+" of "+row.limit, func(t *testing.T) {
			cfg := keyed()
			if row.limit != "" {
				cfg.Freshness.MaxPriceImpactPct = wiretest.Decimal(t, row.limit)
			}
			c, wire := carriedClient(t, cfg, map[string][]answer{
				"/quote": {{Status: 200, Body: quoted(t, `"inAmount":"1","outAmount":"1","priceImpactPct":`+row.impact)}},
				"/swap":  {{Status: 200, Body: wiretest.File(t, "BuildSwap.json")}},
				"/order": {{Status: 200, Body: ordered(t, `"outAmount":"1","minOutAmount":"1","priceImpactPct":`+row.impact)}},
			})
			q, err := c.GetQuote(t.Context(), swap.QuoteRequest{InputMint: sol, OutputMint: usdc, Amount: 1})
			require.NoError(t, err)
			_, swapped := c.BuildSwap(t.Context(), swap.BuildRequest{Owner: user, Quote: q})
			order, ordered := c.BuildOrder(t.Context(), swap.OrderRequest{Owner: user, InputMint: sol, OutputMint: usdc, Amount: 1})
			if !row.refused {
				require.NoError(t, swapped)
				require.NoError(t, ordered)
				return
			}
			require.ErrorIs(t, swapped, swap.ErrPriceImpact)
			require.ErrorIs(t, ordered, swap.ErrPriceImpact)
			require.Nil(t, order, "no transaction to sign by mistake")
			require.Equal(t, []string{"/quote", "/order"}, wire.Paths())
		})
	}
}
