package providerswap_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/providerswap"
)

// TestStricterMinimum: the least that should arrive is the stricter of the
// answer's threshold and of the quoted output under the slippage.
func TestStricterMinimum(t *testing.T) {
	for name, row := range map[string]struct {
		bps             int
		quoted, minimum string
		want            walletfi.Amount
	}{
		"a threshold of 1": {50, "152340000", "1", 151_578_300},
		"the honest one":   {50, "152340000", "151578300", 151_578_300},
		"a stricter one":   {50, "152340000", "152000000", 152_000_000},
		"none allowed":     {0, "152340000", "1", 152_340_000},
		"anything allowed": {10_000, "152340000", "1", 1},
		"the largest":      {0, "18446744073709551615", "1", maxAmount},
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := carried(t, once, always(200, `{"srcAmountIn":"5","destAmountOut":"`+row.quoted+`","destAmountOutMin":"`+row.minimum+`","txn":"AQID"}`),
				always(200, string(transaction(0))))
			built, err := c.BuildSwap(t.Context(), providerswap.BuildRequest{
				QuoteRequest: providerswap.QuoteRequest{SrcMint: mintA, DstMint: mintB, AmountIn: 5, Slippage: walletfi.SlippageBps(row.bps)}, Owner: owner,
			})
			require.NoError(t, err)
			require.Equal(t, []walletfi.Asset{{Mint: mintB, Amount: row.want}}, built.Unsigned().Intent.Receive)

			req := providerswap.BuildV1Request{QuoteV1Request: quoteV1(), Owner: owner, Quote: &providerswap.QuoteV1{}}
			req.Slippage = walletfi.SlippageBps(row.bps)
			require.NoError(t, json.Unmarshal([]byte(`{"outAmount":"`+row.quoted+`","minOutAmount":"`+row.minimum+`"}`), req.Quote))
			old, err := c.BuildSwapV1(t.Context(), req)
			require.NoError(t, err)
			require.Equal(t, []walletfi.Asset{{Mint: mintB, Amount: row.want}}, old.Unsigned().Intent.Receive)
		})
	}
}

// TestMinimumV1: what version 1 takes from the output, and when nothing is
// known of it.
func TestMinimumV1(t *testing.T) {
	quote := &providerswap.QuoteV1{OutAmount: new(walletfi.Amount(1000))}
	for name, row := range map[string]struct {
		change func(*providerswap.BuildV1Request)
		want   walletfi.Amount // 0 if nothing is expected
	}{
		"no threshold":            {func(*providerswap.BuildV1Request) {}, 995},
		"no quote":                {func(r *providerswap.BuildV1Request) { r.Quote = nil }, 0},
		"a quote of nothing":      {func(r *providerswap.BuildV1Request) { r.Quote = &providerswap.QuoteV1{} }, 0},
		"a sponsor takes of it":   {func(r *providerswap.BuildV1Request) { r.ToMint, r.Gasless = walletfi.NativeMint, new(true) }, 0},
		"a fee from the output":   {fee(5, walletfi.NativeMint), 990},
		"a fee past the output":   {fee(5000, walletfi.NativeMint), 0},
		"a fee from elsewhere":    {fee(5, mintB), 995},
		"a fee of nothing at all": {fee(0, walletfi.NativeMint), 995},
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := carried(t, once, always(200, string(transaction(0))))
			req := providerswap.BuildV1Request{QuoteV1Request: quoteV1(), Owner: owner, Quote: quote}
			row.change(&req)
			built, err := c.BuildSwapV1(t.Context(), req)
			require.NoError(t, err)
			var want []walletfi.Asset
			if row.want > 0 {
				want = []walletfi.Asset{{Mint: req.ToMint, Amount: row.want}}
			}
			require.Equal(t, want, built.Unsigned().Intent.Receive)
		})
	}
}

func fee(lamports walletfi.Amount, to string) func(*providerswap.BuildV1Request) {
	return func(r *providerswap.BuildV1Request) {
		r.ToMint, r.FeeLamports, r.FeeReceiver = to, &lamports, other
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
