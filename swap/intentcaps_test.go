package swap_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/swap"
)

// TestSwapIntent: what a swap may do comes from what was asked for, not from
// what the service answered, but for the least that should arrive.
func TestSwapIntent(t *testing.T) {
	in := func(n walletfi.Amount) walletfi.Asset { return walletfi.Asset{Mint: sol, Amount: n} }
	out := func(n walletfi.Amount) walletfi.Asset { return walletfi.Asset{Mint: usdc, Amount: n} }
	const least = 149_250_000
	for name, row := range map[string]struct {
		quote swap.QuoteRequest
		req   swap.BuildRequest
		want  walletfi.Intent
	}{
		"the amount is the request's": {
			quote: swap.QuoteRequest{Amount: 5},
			want:  walletfi.Intent{Spend: []walletfi.Asset{in(5)}, Receive: []walletfi.Asset{out(least)}},
		},
		"a fee of the input, rounded up": {
			quote: swap.QuoteRequest{Amount: 10_001, PlatformFeeBps: new(1), PlatformFeeMode: swap.FeeInInputMint},
			want:  walletfi.Intent{Spend: []walletfi.Asset{in(10_001)}, ServiceFee: []walletfi.Asset{in(2)}, Receive: []walletfi.Asset{out(least)}},
		},
		"a fee of the output": {
			quote: swap.QuoteRequest{Amount: 1, PlatformFeeBps: new(10), PlatformFeeMode: swap.FeeInOutputMint},
			req:   swap.BuildRequest{FeeAccount: other},
			want: walletfi.Intent{Spend: []walletfi.Asset{in(1)}, ServiceFee: []walletfi.Asset{out(150_000)},
				Receive: []walletfi.Asset{out(least - 150_000)}, FeeTo: []string{other}},
		},
		"a fee of either": {
			quote: swap.QuoteRequest{Amount: maxAmount, PlatformFeeBps: new(10_000)},
			want:  walletfi.Intent{Spend: []walletfi.Asset{in(maxAmount)}, ServiceFee: []walletfi.Asset{in(maxAmount), out(150_000_000)}},
		},
		"part of the surplus": {
			quote: swap.QuoteRequest{Amount: 1},
			req:   swap.BuildRequest{PositiveSlippage: &swap.PositiveSlippage{Mode: swap.PositiveSlippageSplit, Bps: 5000}},
			want: walletfi.Intent{Spend: []walletfi.Asset{in(1)}, ServiceFee: []walletfi.Asset{out(375_000)},
				Receive: []walletfi.Asset{out(least)}},
		},
		"part of the surplus beside a fee": {
			quote: swap.QuoteRequest{Amount: 1, PlatformFeeBps: new(10), PlatformFeeMode: swap.FeeInOutputMint},
			req:   swap.BuildRequest{PositiveSlippage: &swap.PositiveSlippage{Mode: "all", Bps: 10_000}},
			want: walletfi.Intent{Spend: []walletfi.Asset{in(1)}, ServiceFee: []walletfi.Asset{out(900_000)},
				Receive: []walletfi.Asset{out(least - 150_000)}},
		},
		"another destination": {
			quote: swap.QuoteRequest{Amount: 1},
			req:   swap.BuildRequest{DestinationTokenAccount: &swap.DestinationTokenAccount{Address: other, CreateIfNeeded: true}},
			want:  walletfi.Intent{Spend: []walletfi.Asset{in(1)}, OutputTo: []string{other}, MaxForeignRentLamports: 2_248_080},
		},
		"a sponsor and a price": {
			quote: swap.QuoteRequest{Amount: 1},
			req:   swap.BuildRequest{Sponsor: other, ComputeUnitPriceMicroLamports: new(uint64(1_000_000))},
			want: walletfi.Intent{Spend: []walletfi.Asset{in(1)}, Sponsor: other, Receive: []walletfi.Asset{out(least)},
				MaxNetworkFeeLamports: new(walletfi.Amount(1_420_000))},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := carriedClient(t, keyed(), map[string][]answer{
				"/swap":              {{Status: 200, Body: `{"swapTransaction":"AQID"}`}},
				"/swap-instructions": {{Status: 200, Body: `{"instructions":[{"programId":"P"}]}`}},
			})
			row.quote.InputMint, row.quote.OutputMint = sol, usdc
			row.req.Owner, row.req.Quote = user, quoteOf(t, row.quote)
			row.want.Service, row.want.Owner = "swap", user
			built, err := c.BuildSwap(t.Context(), row.req)
			require.NoError(t, err)
			wiretest.Intent(t, row.want, built.Unsigned().Intent)
			parts, err := c.BuildSwapInstructions(t.Context(), row.req)
			require.NoError(t, err)
			wiretest.Intent(t, row.want, parts.Intent())
		})
	}
}

// TestStoredQuoteIntent: of a quote whose request is not known, the quote says
// what was asked for.
func TestStoredQuoteIntent(t *testing.T) {
	c, _ := carriedClient(t, keyed(), map[string][]answer{"/swap": {{Status: 200, Body: `{"swapTransaction":"AQID"}`}}})
	for text, want := range map[string]walletfi.Intent{
		plainQuote(t).Raw.String(): {
			Spend:      []walletfi.Asset{{Mint: sol, Amount: 1_000_000_000}},
			ServiceFee: []walletfi.Asset{{Mint: sol, Amount: 1_000_000}, {Mint: usdc, Amount: 150_000}},
			Receive:    []walletfi.Asset{{Mint: usdc, Amount: 149_100_000}},
		},
		`{"inputMint":"A","outputMint":"B","inAmount":"3","outAmount":"2","otherAmountThreshold":"1"}`: {
			Spend: []walletfi.Asset{{Mint: "A", Amount: 3}}, Receive: []walletfi.Asset{{Mint: "B", Amount: 1}},
		},
	} {
		var q swap.Quote
		require.NoError(t, json.Unmarshal([]byte(text), &q))
		built, err := c.BuildSwap(t.Context(), swap.BuildRequest{Owner: user, Quote: &q})
		require.NoError(t, err)
		want.Service, want.Owner = "swap", user
		wiretest.Intent(t, want, built.Unsigned().Intent)
	}
}

// TestOrderIntentLater: the proceeds of an order that goes on after its
// transaction are not due with it.
func TestOrderIntentLater(t *testing.T) {
	for mode, receive := range map[string][]walletfi.Asset{
		"sync": {{Mint: usdc, Amount: 9}}, "async": nil, "": nil,
	} {
		c, _ := carriedClient(t, keyed(), map[string][]answer{
			"/order": {{Status: 200, Body: `{"transaction":"AQID","outAmount":"10","minOutAmount":"9","executionMode":"` + mode + `"}`}},
		})
		o, err := c.BuildOrder(t.Context(), swap.OrderRequest{Owner: user, InputMint: sol, OutputMint: usdc, Amount: 1})
		require.NoError(t, err)
		require.Equal(t, receive, o.Unsigned().Intent.Receive)
	}
}

// TestStricterMinimum: the least that should arrive is the strictest of the
// answer's thresholds and of the quoted output under the slippage.
func TestStricterMinimum(t *testing.T) {
	for name, row := range map[string]struct {
		slippage walletfi.Slippage
		market   walletfi.Slippage // a prediction market's slippage, of an order
		answer   string            // in addition to outAmount and a minOutAmount of 1
		want     walletfi.Amount
		stored   walletfi.Amount // if the quote's request is not known
		order    walletfi.Amount // 0 if there is none to compare
	}{
		"a threshold of 1":           {slippage: walletfi.SlippageBps(50), want: 151_578_300, stored: 1, order: 151_578_300},
		"none allowed":               {slippage: walletfi.SlippageBps(0), want: 152_340_000, stored: 1, order: 152_340_000},
		"anything allowed":           {slippage: walletfi.SlippageBps(10_000), want: 1, stored: 1, order: 1},
		"auto":                       {slippage: walletfi.AutoSlippage(), want: 1, stored: 1, order: 1},
		"auto, and the answer says":  {slippage: walletfi.AutoSlippage(), answer: `,"slippageBps":300`, want: 147_769_800, stored: 147_769_800},
		"unsaid, the answer says":    {answer: `,"slippageBps":300`, want: 147_769_800, stored: 147_769_800},
		"the other threshold":        {slippage: walletfi.SlippageBps(50), answer: `,"otherAmountThreshold":"152000000"`, want: 152_000_000, stored: 152_000_000},
		"a market's own slippage":    {slippage: walletfi.SlippageBps(50), market: walletfi.SlippageBps(100), want: 151_578_300, stored: 1, order: 150_062_517},
		"the answer says it as well": {slippage: walletfi.SlippageBps(50), answer: `,"slippageBps":50`, want: 151_578_300, stored: 151_578_300},
	} {
		t.Run(name, func(t *testing.T) {
			quoted := `{"inputMint":"` + sol + `","outputMint":"` + usdc + `","inAmount":"1","outAmount":"152340000","minOutAmount":"1"` + row.answer + `}`
			c, _ := carriedClient(t, keyed(), map[string][]answer{
				"/quote": {{Status: 200, Body: quoted}},
				"/swap":  {{Status: 200, Body: `{"swapTransaction":"AQID"}`}},
				"/order": {{Status: 200, Body: `{"outAmount":"152340000","minOutAmount":"1","executionMode":"sync","transaction":"AQID"}`}},
			})
			q, err := c.GetQuote(t.Context(), swap.QuoteRequest{InputMint: sol, OutputMint: usdc, Amount: 1, Slippage: row.slippage})
			require.NoError(t, err)
			var stored swap.Quote
			require.NoError(t, json.Unmarshal(q.Raw, &stored))
			for quote, want := range map[*swap.Quote]walletfi.Amount{q: row.want, &stored: row.stored} {
				built, err := c.BuildSwap(t.Context(), swap.BuildRequest{Owner: user, Quote: quote})
				require.NoError(t, err)
				require.Equal(t, []walletfi.Asset{{Mint: usdc, Amount: want}}, built.Unsigned().Intent.Receive)
			}
			if row.order == 0 {
				return
			}
			o, err := c.BuildOrder(t.Context(), swap.OrderRequest{
				Owner:     user,
				InputMint: sol, OutputMint: usdc, Amount: 1, Slippage: row.slippage, PredictionMarketSlippage: row.market,
			})
			require.NoError(t, err)
			require.Equal(t, []walletfi.Asset{{Mint: usdc, Amount: row.order}}, o.Unsigned().Intent.Receive)
		})
	}
}

// TestSurplusOfALowThreshold: a low threshold does not raise the share of the
// positive slippage that the user gives away.
func TestSurplusOfALowThreshold(t *testing.T) {
	c, _ := carriedClient(t, keyed(), map[string][]answer{
		"/quote": {{Status: 200, Body: `{"inAmount":"1","outAmount":"152340000","minOutAmount":"1"}`}},
		"/swap":  {{Status: 200, Body: `{"swapTransaction":"AQID"}`}},
	})
	q, err := c.GetQuote(t.Context(), swap.QuoteRequest{InputMint: sol, OutputMint: usdc, Amount: 1, Slippage: walletfi.SlippageBps(50)})
	require.NoError(t, err)
	built, err := c.BuildSwap(t.Context(), swap.BuildRequest{Owner: user, Quote: q, PositiveSlippage: &swap.PositiveSlippage{Mode: swap.PositiveSlippageSplit, Bps: 10_000}})
	require.NoError(t, err)
	require.Equal(t, []walletfi.Asset{{Mint: usdc, Amount: 761_700}}, built.Unsigned().Intent.ServiceFee)
}
