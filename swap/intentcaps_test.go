package swap_test

import (
	"cmp"
	"encoding/json"
	"fmt"
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
				"/swap":              {{Status: 200, Body: wiretest.File(t, "BuildSwap.json")}},
				"/swap-instructions": {{Status: 200, Body: wiretest.File(t, "BuildSwapInstructions.json")}},
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
	c, _ := carriedClient(t, keyed(), map[string][]answer{"/swap": {{Status: 200, Body: wiretest.File(t, "BuildSwap.json")}}})
	for text, want := range map[string]walletfi.Intent{
		plainQuote(t).Raw.String(): {
			Spend:      []walletfi.Asset{{Mint: sol, Amount: 1_000_000_000}},
			ServiceFee: []walletfi.Asset{{Mint: sol, Amount: 1_000_000}, {Mint: usdc, Amount: 150_000}},
			Receive:    []walletfi.Asset{{Mint: usdc, Amount: 149_100_000}},
		},
		quoted(t, `"inputMint":"A","outputMint":"B","inAmount":"3","outAmount":"2"`): {
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

// TestOrderIntentLater: the floor of an order is the same in every mode. The proceeds of one
// that goes on after its transaction are not due with it.
func TestOrderIntentLater(t *testing.T) {
	for mode, later := range map[string]bool{
		`"executionMode":"sync"`: false, `"executionMode":"SYNC"`: false, `"executionMode":"Sync"`: false,
		`"executionMode":"async"`: true, `"executionMode":""`: true, `"executionMode":null`: true, `"else":1`: true,
		`"executionMode":"polled"`: true, `"executionMode":"syncc"`: true,
	} {
		t.Run(mode, func(t *testing.T) {
			c, _ := carriedClient(t, keyed(), map[string][]answer{
				"/order": {{Status: 200, Body: ordered(t, `"outAmount":"10","minOutAmount":"9","executionMode":null,`+mode)}},
			})
			o, err := c.BuildOrder(t.Context(), swap.OrderRequest{Owner: user, InputMint: sol, OutputMint: usdc, Amount: 1})
			require.NoError(t, err)
			i := o.Unsigned().Intent
			require.Equal(t, []walletfi.Asset{{Mint: usdc, Amount: 9}}, i.Receive)
			require.Equal(t, later, i.ReceiveAfter != nil)
		})
	}
}

// TestStricterMinimum: the least that should arrive is the strictest of the answer's
// thresholds and of the quoted output under the slippage. A threshold that is below what the
// slippage allows is refused.
func TestStricterMinimum(t *testing.T) {
	for name, row := range map[string]struct {
		slippage walletfi.Slippage
		market   walletfi.Slippage // a prediction market's slippage, of an order
		least    string            // of the answer; empty means 1
		answer   string            // in addition to that and an outAmount
		want     walletfi.Amount   // 0 if the quote contradicts its request
		stored   walletfi.Amount   // if the quote's request is not known
		order    walletfi.Amount   // 0 if the order contradicts its request
	}{
		"a threshold of 1":           {slippage: walletfi.SlippageBps(50), stored: 151_578_300},
		"the least threshold":        {slippage: walletfi.SlippageBps(50), least: "151578300", want: 151_578_300, stored: 151_578_300, order: 151_578_300},
		"one less":                   {slippage: walletfi.SlippageBps(50), least: "151578299", stored: 151_578_300},
		"none allowed":               {slippage: walletfi.SlippageBps(0), stored: 1},
		"none allowed, none taken":   {slippage: walletfi.SlippageBps(0), least: "152340000", want: 152_340_000, stored: 152_340_000, order: 152_340_000},
		"anything allowed":           {slippage: walletfi.SlippageBps(10_000), want: 1, stored: 1, order: 1},
		"auto":                       {slippage: walletfi.AutoSlippage(), want: 1, stored: 1, order: 1},
		"auto, no floor":             {slippage: walletfi.AutoSlippage(), least: "0"},
		"unsaid, no floor":           {least: "0"},
		"auto, and the answer says":  {slippage: walletfi.AutoSlippage(), answer: `,"slippageBps":300`, stored: 147_769_800, order: 1},
		"unsaid, the answer says":    {answer: `,"slippageBps":300`, stored: 147_769_800, order: 1},
		"unsaid, the answer all":     {least: "0", answer: `,"slippageBps":10000`},
		"the other threshold":        {slippage: walletfi.SlippageBps(50), least: "151578300", answer: `,"otherAmountThreshold":"152000000"`, want: 152_000_000, stored: 152_000_000, order: 151_578_300},
		"the other threshold of 1":   {slippage: walletfi.SlippageBps(50), least: "151578300", answer: `,"otherAmountThreshold":"1"`, stored: 151_578_300, order: 151_578_300},
		"above the estimate":         {slippage: walletfi.SlippageBps(50), least: "152340001", stored: 152_340_001},
		"the other above it":         {slippage: walletfi.SlippageBps(50), least: "151578300", answer: `,"otherAmountThreshold":"152340001"`, stored: 152_340_001, order: 151_578_300},
		"auto, above the estimate":   {slippage: walletfi.AutoSlippage(), least: "152340001", stored: 152_340_001},
		"the other threshold alone":  {slippage: walletfi.SlippageBps(50), least: "0", answer: `,"otherAmountThreshold":"152000000"`},
		"a market's own slippage":    {slippage: walletfi.SlippageBps(50), market: walletfi.SlippageBps(100), least: "150062517", stored: 151_578_300, order: 150_062_517},
		"the answer says it as well": {slippage: walletfi.SlippageBps(50), least: "151578300", answer: `,"slippageBps":50`, want: 151_578_300, stored: 151_578_300, order: 151_578_300},
	} {
		t.Run(name, func(t *testing.T) {
			least := cmp.Or(row.least, "1")
			floor := `"minOutAmount":"` + least + `"`
			bps, _ := row.slippage.Bps()
			quote := quoted(t, fmt.Sprintf(`"inAmount":"1","outAmount":"152340000",%s,"otherAmountThreshold":%s,"slippageBps":%d%s`,
				floor, least, bps, row.answer))
			c, _ := carriedClient(t, keyed(), map[string][]answer{
				"/quote": {{Status: 200, Body: quote}},
				"/swap":  {{Status: 200, Body: wiretest.File(t, "BuildSwap.json")}},
				"/order": {{Status: 200, Body: ordered(t, `"outAmount":"152340000",`+floor+`,"executionMode":"sync"`)}},
			})
			receives := func(want walletfi.Amount, err error, u func() walletfi.Unsigned) {
				t.Helper()
				if want == 0 {
					refused(t, err)
					return
				}
				require.NoError(t, err)
				require.Equal(t, []walletfi.Asset{{Mint: usdc, Amount: want}}, u().Intent.Receive)
			}
			built := func(q *swap.Quote) *swap.Transaction {
				built, err := c.BuildSwap(t.Context(), swap.BuildRequest{Owner: user, Quote: q})
				require.NoError(t, err)
				return built
			}
			q, err := c.GetQuote(t.Context(), swap.QuoteRequest{InputMint: sol, OutputMint: usdc, Amount: 1, Slippage: row.slippage})
			receives(row.want, err, func() walletfi.Unsigned { return built(q).Unsigned() })
			var stored swap.Quote
			err = json.Unmarshal([]byte(quote), &stored)
			require.Equal(t, row.least == "0", err != nil)
			if row.stored > 0 {
				receives(row.stored, nil, built(&stored).Unsigned)
			}
			o, err := c.BuildOrder(t.Context(), swap.OrderRequest{
				Owner:     user,
				InputMint: sol, OutputMint: usdc, Amount: 1, Slippage: row.slippage, PredictionMarketSlippage: row.market,
			})
			receives(row.order, err, func() walletfi.Unsigned { return o.Unsigned() })
		})
	}
}

// TestNothingOut: an answer that quotes no output is refused, whatever the slippage allows.
func TestNothingOut(t *testing.T) {
	for _, least := range []string{"0", "5"} {
		c, _ := carriedClient(t, keyed(), map[string][]answer{
			"/order":  {{Status: 200, Body: ordered(t, `"outAmount":"0","minOutAmount":"`+least+`","executionMode":"sync"`)}},
			"/intent": {{Status: 200, Body: intended(t, `"estimatedOutAmount":"0","guaranteedOutAmount":"`+least+`"`)}},
		})
		for _, slippage := range []walletfi.Slippage{{}, walletfi.SlippageBps(10_000)} {
			order := swap.OrderRequest{Owner: user, InputMint: sol, OutputMint: usdc, Amount: 1, Slippage: slippage}
			require.ErrorIs(t, wiretest.Error(c.BuildOrder(t.Context(), order)), walletfi.ErrMismatch)
			require.ErrorIs(t, wiretest.Error(c.QuoteOrder(t.Context(), order)), walletfi.ErrMismatch)
			require.ErrorIs(t, wiretest.Error(c.BuildIntent(t.Context(), swap.IntentRequest{
				Owner: user, InputMint: sol, OutputMint: usdc, Amount: 1, Slippage: slippage,
			})), walletfi.ErrMismatch)
		}
	}
}

// TestIntentFloor: what an intent guarantees is held against its estimate.
func TestIntentFloor(t *testing.T) {
	for name, row := range map[string]struct {
		slippage walletfi.Slippage
		answer   string
		want     walletfi.Amount // 0 if the intent contradicts its request
	}{
		"1 of 500 at 1 %":          {walletfi.SlippageBps(100), `"estimatedOutAmount":"500","guaranteedOutAmount":"1"`, 0},
		"the least":                {walletfi.SlippageBps(100), `"estimatedOutAmount":"500","guaranteedOutAmount":"495"`, 495},
		"one less":                 {walletfi.SlippageBps(100), `"estimatedOutAmount":"500","guaranteedOutAmount":"494"`, 0},
		"all":                      {walletfi.SlippageBps(100), `"estimatedOutAmount":"500","guaranteedOutAmount":"500"`, 500},
		"above the estimate":       {walletfi.SlippageBps(100), `"estimatedOutAmount":"500","guaranteedOutAmount":"501"`, 0},
		"an estimate of 1":         {walletfi.Slippage{}, `"estimatedOutAmount":"1","guaranteedOutAmount":"495"`, 0},
		"nothing asked":            {walletfi.Slippage{}, `"estimatedOutAmount":"500","guaranteedOutAmount":"1"`, 1},
		"nothing asked, no floor":  {walletfi.Slippage{}, `"estimatedOutAmount":"500","guaranteedOutAmount":"0"`, 0},
		"less than the answer has": {walletfi.Slippage{}, `"estimatedOutAmount":"500","guaranteedOutAmount":"1","slippageBps":100`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			bps, _ := row.slippage.Bps()
			c, _ := carriedClient(t, keyed(), map[string][]answer{"/intent": {{Status: 200, Body: intended(t, fmt.Sprintf(`"slippageBps":%d,`, bps)+row.answer)}}})
			i, err := c.BuildIntent(t.Context(), swap.IntentRequest{Owner: user, InputMint: sol, OutputMint: usdc, Amount: 1, Slippage: row.slippage})
			if row.want == 0 {
				refused(t, err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, []walletfi.Asset{{Mint: usdc, Amount: row.want}}, i.Unsigned().Intent.Receive)
			require.NotNil(t, i.Unsigned().Intent.ReceiveAfter)
		})
	}
}

// TestPriorityFeeCeiling: what the service chose as the priority fee is no more than was
// asked for.
func TestPriorityFeeCeiling(t *testing.T) {
	const field = `"prioritizationFeeLamports":`
	price := func(n uint64) swap.BuildRequest { return swap.BuildRequest{ComputeUnitPriceMicroLamports: &n} }
	fee := func(f swap.PrioritizationFee) swap.BuildRequest { return swap.BuildRequest{PrioritizationFee: f} }
	for name, row := range map[string]struct {
		req    swap.BuildRequest
		most   walletfi.Amount
		no, is bool // no: any fee is the service's choice; is: of an order too
	}{
		"exact":        {req: fee(swap.PriorityLamports(12_000)), most: 12_000, is: true},
		"disabled":     {req: fee(swap.PriorityDisabled()), is: true},
		"multiplied":   {req: fee(swap.PriorityMultiplied(2, 9_000)), most: 9_000, is: true},
		"a tip":        {req: fee(swap.PriorityBundleTip(7_000)), most: 7_000, is: true},
		"a price":      {req: price(1_000), most: 1_400},
		"a price of 0": {req: price(0)},
		"auto":         {req: fee(swap.PriorityAuto()), most: 12_000_000, no: true, is: true},
		"a level":      {req: fee(swap.PriorityAt(swap.LevelHigh)), most: 12_000_000, no: true, is: true},
		"unsaid":       {most: 12_000_000, no: true, is: true},
	} {
		for _, over := range []walletfi.Amount{0, 1, 12_000_000} {
			body := field + (row.most + over).String()
			c, _ := carriedClient(t, keyed(), map[string][]answer{
				"/swap":  {{Status: 200, Body: swapped(t, body)}},
				"/order": {{Status: 200, Body: ordered(t, `"outAmount":"5","minOutAmount":"5",`+body)}},
			})
			row.req.Owner, row.req.Quote = user, quoteOf(t, swap.QuoteRequest{InputMint: sol, OutputMint: usdc, Amount: 1})
			all := []error{wiretest.Error(c.BuildSwap(t.Context(), row.req))}
			if row.is {
				order := swap.OrderRequest{Owner: user, InputMint: sol, OutputMint: usdc, Amount: 1, PrioritizationFee: row.req.PrioritizationFee}
				all = append(all, wiretest.Error(c.BuildOrder(t.Context(), order)))
			}
			for _, err := range all {
				if over == 0 || row.no {
					require.NoError(t, err, name)
				} else {
					require.ErrorIs(t, err, walletfi.ErrMismatch, name)
				}
			}
		}
	}
}

// TestSurplusOfALowThreshold: a low threshold does not raise the share of the
// positive slippage that the user gives away.
func TestSurplusOfALowThreshold(t *testing.T) {
	c, _ := carriedClient(t, keyed(), map[string][]answer{
		"/quote": {{Status: 200, Body: quoted(t, `"inAmount":"1","outAmount":"152340000","minOutAmount":"151578300","otherAmountThreshold":"151578300","slippageBps":50`)}},
		"/swap":  {{Status: 200, Body: wiretest.File(t, "BuildSwap.json")}},
	})
	q, err := c.GetQuote(t.Context(), swap.QuoteRequest{InputMint: sol, OutputMint: usdc, Amount: 1, Slippage: walletfi.SlippageBps(50)})
	require.NoError(t, err)
	built, err := c.BuildSwap(t.Context(), swap.BuildRequest{Owner: user, Quote: q, PositiveSlippage: &swap.PositiveSlippage{Mode: swap.PositiveSlippageSplit, Bps: 10_000}})
	require.NoError(t, err)
	require.Equal(t, []walletfi.Asset{{Mint: usdc, Amount: 761_700}}, built.Unsigned().Intent.ServiceFee)
}
