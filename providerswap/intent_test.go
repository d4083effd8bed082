package providerswap_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/providerswap"
)

// TestStricterMinimum: the least that should arrive is the stricter of the
// answer's threshold and of the quoted output under the slippage. A threshold that the
// slippage does not allow is refused.
func TestStricterMinimum(t *testing.T) {
	for name, row := range map[string]struct {
		bps             int
		quoted, minimum string
		want            walletfi.Amount // 0 if the quote contradicts its request
	}{
		"a threshold of 1":          {50, "152340000", "1", 0},
		"a threshold of 0":          {50, "152340000", "0", 0},
		"one less":                  {50, "152340000", "151578299", 0},
		"the honest one":            {50, "152340000", "151578300", 151_578_300},
		"a stricter one":            {50, "152340000", "152000000", 152_000_000},
		"none allowed":              {0, "152340000", "152339999", 0},
		"none allowed, none taken":  {0, "152340000", "152340000", 152_340_000},
		"anything allowed":          {10_000, "152340000", "1", 1},
		"one above the estimate":    {50, "152340000", "152340001", 0},
		"anything allowed, above":   {10_000, "152340000", "152340001", 0},
		"an estimate of 1":          {50, "1", "151578300", 0},
		"the largest":               {0, "18446744073709551615", "18446744073709551615", maxAmount},
		"nothing":                   {50, "0", "0", 0},
		"nothing, anything allowed": {10_000, "0", "0", 0},
		"nothing but a threshold":   {50, "0", "7", 0},
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := carried(t, once, always(200, `{"srcAmountIn":"5","destAmountOut":"`+row.quoted+`","destAmountOutMin":"`+row.minimum+`","priceImpactPct":"0.1","txn":"AQID"}`),
				always(200, string(transaction(0))))
			asked := providerswap.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 5, Slippage: walletfi.SlippageBps(row.bps)}
			built, err := c.BuildSwap(t.Context(), providerswap.BuildRequest{QuoteRequest: asked, Owner: owner})
			if row.want > 0 {
				require.NoError(t, err)
				require.Equal(t, []walletfi.Asset{{Mint: mintB, Amount: row.want}}, built.Unsigned().Intent.Receive)
			} else {
				require.ErrorIs(t, err, walletfi.ErrMismatch)
			}

			req := providerswap.BuildV1Request{QuoteV1Request: quoteV1(), Owner: owner, Quote: &providerswap.QuoteV1{}}
			req.Slippage = walletfi.SlippageBps(row.bps)
			require.NoError(t, json.Unmarshal([]byte(`{"outAmount":"`+row.quoted+`","minOutAmount":"`+row.minimum+`"}`), req.Quote))
			c, wire := carried(t, once, always(200, string(transaction(0))))
			old, err := c.BuildSwapV1(t.Context(), req)
			if row.want > 0 {
				require.NoError(t, err)
				require.Equal(t, []walletfi.Asset{{Mint: mintB, Amount: row.want}}, old.Unsigned().Intent.Receive)
			} else {
				require.ErrorIs(t, err, walletfi.ErrMismatch)
				require.Empty(t, wire.Seen, "nothing is asked for")
			}
		})
	}
}

// TestQuoteOfNothing: the quote of version 2 is held by itself too.
func TestQuoteOfNothing(t *testing.T) {
	for _, amounts := range []string{`"destAmountOut":"0","destAmountOutMin":"0"`, `"destAmountOut":"1000","destAmountOutMin":"994"`} {
		c, _ := carried(t, once, always(200, `{"srcAmountIn":"5","priceImpactPct":"0.1",`+amounts+`}`))
		_, err := c.GetQuote(t.Context(), providerswap.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 5, Slippage: walletfi.SlippageBps(50)})
		require.ErrorIs(t, err, walletfi.ErrMismatch)
	}
}

// TestMinimumV1: what version 1 takes from the output, and when nothing is
// known of it.
func TestMinimumV1(t *testing.T) {
	amount := func(n walletfi.Amount) *walletfi.Amount { return &n }
	quote := &providerswap.QuoteV1{OutAmount: amount(1000)}
	quoting := func(q *providerswap.QuoteV1) func(*providerswap.BuildV1Request) {
		return func(r *providerswap.BuildV1Request) { r.Quote = q }
	}
	for name, row := range map[string]struct {
		change func(*providerswap.BuildV1Request)
		want   walletfi.Amount // 0 if nothing is expected
		is     error
	}{
		"no threshold":             {func(*providerswap.BuildV1Request) {}, 995, nil},
		"no quote":                 {quoting(nil), 0, walletfi.ErrInvalidRequest},
		"no quote, a floor":        {func(r *providerswap.BuildV1Request) { r.Quote, r.MinReceive = nil, 7 }, 7, nil},
		"a higher floor":           {func(r *providerswap.BuildV1Request) { r.MinReceive = 999 }, 999, nil},
		"a lower floor":            {func(r *providerswap.BuildV1Request) { r.MinReceive = 5 }, 995, nil},
		"a threshold alone":        {quoting(&providerswap.QuoteV1{MinOutAmount: amount(990)}), 990, nil},
		"a threshold of 0 alone":   {quoting(&providerswap.QuoteV1{MinOutAmount: amount(0)}), 0, walletfi.ErrMismatch},
		"a quote without amounts":  {quoting(&providerswap.QuoteV1{}), 0, walletfi.ErrInvalidRequest},
		"a quote of its input":     {quoting(&providerswap.QuoteV1{InAmount: amount(5), OutAmount: amount(1000)}), 995, nil},
		"a quote of another input": {quoting(&providerswap.QuoteV1{InAmount: amount(4), OutAmount: amount(1000)}), 0, walletfi.ErrMismatch},
		"a round trip, no quote":   {func(r *providerswap.BuildV1Request) { r.Quote, r.OutputMint, r.MinReceive = nil, r.InputMint, 3 }, 3, nil},
		"a sponsor takes of it":    {func(r *providerswap.BuildV1Request) { r.OutputMint, r.Gasless = walletfi.NativeMint, new(true) }, 0, walletfi.ErrInvalidRequest},
		"a sponsor, with a floor": {func(r *providerswap.BuildV1Request) {
			r.OutputMint, r.Gasless, r.MinReceive = walletfi.NativeMint, new(true), 900
		}, 900, nil},
		"a fee from the output":   {fee(5, walletfi.NativeMint), 990, nil},
		"a fee past the output":   {fee(5000, walletfi.NativeMint), 1, nil},
		"a fee from elsewhere":    {fee(5, mintB), 995, nil},
		"a fee of nothing at all": {fee(0, walletfi.NativeMint), 995, nil},
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := carried(t, once, always(200, string(transaction(0))))
			req := providerswap.BuildV1Request{QuoteV1Request: quoteV1(), Owner: owner, Quote: quote}
			row.change(&req)
			built, err := c.BuildSwapV1(t.Context(), req)
			require.ErrorIs(t, err, row.is)
			if err != nil {
				return
			}
			var want []walletfi.Asset
			if row.want > 0 {
				want = []walletfi.Asset{{Mint: req.OutputMint, Amount: row.want}}
			}
			require.Equal(t, want, built.Unsigned().Intent.Receive)
		})
	}
}

func fee(lamports walletfi.Amount, to string) func(*providerswap.BuildV1Request) {
	return func(r *providerswap.BuildV1Request) {
		r.OutputMint, r.FeeLamports, r.FeeReceiver = to, &lamports, other
	}
}

// TestQuotesSurviveJSON: a quote can be stored and read again.
func TestQuotesSurviveJSON(t *testing.T) {
	var q, again providerswap.Quote
	require.NoError(t, json.Unmarshal([]byte(`{"srcAmountIn":"5","destAmountOut":18446744073709551615,"destAmountOutMin":"4","priceImpactPct":0.10,"routePlan":[{"swapProvider":"a","percent":100,"x":1}]}`), &q))
	text, err := json.Marshal(q)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &again))
	require.Equal(t, q, again)

	var old, oldAgain providerswap.QuoteV1
	require.NoError(t, json.Unmarshal([]byte(`{"provider":"a","outAmount":"7","minOutAmount":6}`), &old))
	text, err = json.Marshal(old)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &oldAgain))
	require.Equal(t, old, oldAgain)
}
