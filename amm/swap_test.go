package amm_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// quoteData is the data of QuoteBaseIn.json, byte for byte.
func quoteData(t testing.TB, file string) string {
	t.Helper()
	answer := strings.TrimSpace(wiretest.File(t, file))
	_, data, ok := strings.Cut(answer, `"data": `)
	require.True(t, ok)
	return strings.TrimSuffix(data, "}")
}

// quoteAndBuild quotes and builds against canned answers and returns what the
// build sent.
func quoteAndBuild(t *testing.T, cfg amm.Config, kind amm.Kind, quoted amm.QuoteRequest, req amm.BuildRequest) (*amm.Transaction, sent) {
	t.Helper()
	cfg.Pause, cfg.Retry = new(time.Duration(0)), once.Retry
	file, quote := "QuoteBaseIn.json", (*amm.Client).QuoteBaseIn
	if kind == amm.BaseOut {
		file, quote = "QuoteBaseOut.json", (*amm.Client).QuoteBaseOut
	}
	c, wire := carried(t, cfg, func(n int, _ sent) (int, string) {
		if n == 1 {
			return 200, wiretest.File(t, file)
		}
		return 200, wiretest.File(t, "BuildSwap.json")
	})
	q, err := quote(c, t.Context(), quoted)
	require.NoError(t, err)
	req.Quote = q
	swap, err := c.BuildSwap(t.Context(), req)
	require.NoError(t, err)
	require.Len(t, wire.Seen, 2)
	return swap, wire.Seen[1]
}

func TestBuildSwap(t *testing.T) {
	swap, build := quoteAndBuild(t, amm.Config{}, amm.BaseIn,
		amm.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: maxAmount, Slippage: walletfi.SlippageBps(50)},
		amm.BuildRequest{
			Owner: owner, WrapSOL: new(false), UnwrapSOL: new(false), InputAccount: other, OutputAccount: mintB,
			ComputeUnitPriceMicroLamports: new(uint64(7)),
		})
	require.Equal(t, "trade.test/transaction/swap-base-in", build.URL.Host+build.Target)
	// Every byte, the order included.
	require.Equal(t, `{"wallet":"`+owner+`","wrapSol":false,"unwrapSol":false,"inputAccount":"`+other+`","outputAccount":"`+mintB+
		`","computeUnitPriceMicroLamports":"7","txVersion":"V0","swapResponse":`+quoteData(t, "QuoteBaseIn.json")+`}`, build.Body)
	wiretest.Built(t, walletfi.Unsigned{
		Transactions: []walletfi.EncodedTransaction{walletfi.Base64Transaction("AQID"), walletfi.Base64Transaction("BAUG")},
		Intent: walletfi.Intent{
			Service: "amm", Owner: owner,
			Spend:                 []walletfi.Asset{{Mint: mintA, Amount: maxAmount}},
			Receive:               []walletfi.Asset{{Mint: mintB, Amount: 1_000_000}},
			OutputTo:              []string{other, mintB},
			MaxNetworkFeeLamports: new(walletfi.Amount(40_020)), // of a route of two steps
			MaxTransactions:       4,
		},
	}, swap.Unsigned())
}

func TestBuildSwapLeast(t *testing.T) {
	swap, build := quoteAndBuild(t, amm.Config{}, amm.BaseOut,
		amm.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 700, Slippage: walletfi.SlippageBps(50), TxVersion: amm.TxVersionLegacy},
		amm.BuildRequest{Owner: owner, MaxSpend: 2005})
	require.Equal(t, "/transaction/swap-base-out", build.Target, "a base-out quote is built as one")
	require.Equal(t, `{"wallet":"`+owner+`","txVersion":"LEGACY","swapResponse":`+quoteData(t, "QuoteBaseOut.json")+`}`, build.Body)
	wiretest.Intent(t, walletfi.Intent{
		Service: "amm", Owner: owner,
		Spend:   []walletfi.Asset{{Mint: mintA, Amount: 2000}},
		Receive: []walletfi.Asset{{Mint: mintB, Amount: 700}}, MaxTransactions: 4,
	}, swap.Unsigned().Intent)
}

func TestBuildSwapSaysDefaults(t *testing.T) {
	_, build := quoteAndBuild(t, amm.Config{}, amm.BaseIn,
		amm.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: maxAmount, Slippage: walletfi.SlippageBps(0)},
		amm.BuildRequest{Owner: owner, WrapSOL: new(true), UnwrapSOL: new(true), ComputeUnitPriceMicroLamports: new(uint64(0))})
	require.Contains(t, build.Body, `"wrapSol":true,"unwrapSol":true,"computeUnitPriceMicroLamports":"0"`)
}

// The price that GetAutoFee returns goes into the request as it is.
func TestAutoFeeMeetsBuildRequest(t *testing.T) {
	var fee amm.AutoFee
	require.NoError(t, json.Unmarshal([]byte(`{"default":{"vh":3,"h":2,"m":1}}`), &fee))
	req := amm.BuildRequest{ComputeUnitPriceMicroLamports: new(fee.Default.High)}
	text, err := json.Marshal(req)
	require.NoError(t, err)
	require.Contains(t, string(text), `"computeUnitPriceMicroLamports":"2"`)
}

func TestEchoEnvelope(t *testing.T) {
	_, build := quoteAndBuild(t, amm.Config{EchoEnvelope: true}, amm.BaseIn,
		amm.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: maxAmount, Slippage: walletfi.SlippageBps(0)}, amm.BuildRequest{Owner: owner})
	require.Equal(t, `{"wallet":"`+owner+`","txVersion":"V0","swapResponse":`+wiretest.File(t, "QuoteBaseIn.json")+`}`, build.Body)
}

func TestEchoEnvelopeLeavesRawResponse(t *testing.T) {
	c, _ := carried(t, amm.Config{EchoEnvelope: true}, func(int, sent) (int, string) { return 200, wiretest.File(t, "QuoteBaseOut.json") })
	var raw walletfi.RawResponse
	q, err := c.QuoteBaseOut(t.Context(), amm.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 700, Slippage: walletfi.SlippageBps(0)}, walletfi.WithRawResponse(&raw))
	require.NoError(t, err)
	require.Equal(t, wiretest.File(t, "QuoteBaseOut.json"), string(raw.Body))
	clear(raw.Body)
	require.Equal(t, wiretest.File(t, "QuoteBaseOut.json"), q.SwapResponse().String(), "the quote has bytes of its own")
}

// Under a deployment, the answer is read in the live words and echoed in them.
func TestEchoKeepsLiveWords(t *testing.T) {
	answers := []string{
		`{"ref":"1","ok":true,"payload":{"inputMint":"` + mintA + `","outputMint":"` + mintB + `","inputAmount":"5","outAmount":"6","otherAmountThreshold":"6","priceImpactPct":"0"}}`,
		`{"ref":"1","ok":true,"payload":[{"transaction":"AQID"}]}`,
	}
	c, wire := carried(t, amm.Config{Pause: new(time.Duration(0)), Options: walletfi.Options{Deployment: wiretest.Words{Keys: map[string]string{
		"id": "ref", "success": "ok", "data": "payload", "inAmount": "inputAmount", "swapResponse": "quoteResponse",
	}}.Of("amm")}}, func(n int, _ sent) (int, string) { return 200, answers[n-1] })
	q, err := c.QuoteBaseIn(t.Context(), amm.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 5, Slippage: walletfi.SlippageBps(0)})
	require.NoError(t, err)
	require.Equal(t, walletfi.Amount(5), q.InAmount)
	require.NoError(t, wiretest.Error(c.BuildSwap(t.Context(), amm.BuildRequest{Quote: q, Owner: owner})))
	require.Contains(t, wire.Seen[1].Body, `"quoteResponse":{"inputMint":"`+mintA+`","outputMint":"`+mintB+`","inputAmount":"5","outAmount":"6","otherAmountThreshold":"6","priceImpactPct":"0"}`)
}

// A quote that was marshalled and read again, by another process, builds the
// same bytes with the same intent, whatever its white space and its signs.
func TestStoredQuoteBuilds(t *testing.T) {
	for _, kind := range []amm.Kind{amm.BaseIn, amm.BaseOut} {
		for _, whole := range []bool{false, true} {
			file, amount, quote := "QuoteBaseIn.json", maxAmount, (*amm.Client).QuoteBaseIn
			if kind == amm.BaseOut {
				file, amount, quote = "QuoteBaseOut.json", 700, (*amm.Client).QuoteBaseOut
			}
			c, wire := carried(t, amm.Config{Pause: new(time.Duration(0)), EchoEnvelope: whole}, func(n int, _ sent) (int, string) {
				if n == 1 {
					return 200, wiretest.File(t, file)
				}
				return 200, wiretest.File(t, "BuildSwap.json")
			})
			q, err := quote(c, t.Context(), amm.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: amount, Slippage: walletfi.SlippageBps(50), TxVersion: amm.TxVersionLegacy})
			require.NoError(t, err)
			text, err := json.Marshal(q)
			require.NoError(t, err)
			var stored amm.Quote
			require.NoError(t, json.Unmarshal(text, &stored))
			require.Equal(t, q.SwapResponse(), stored.SwapResponse())
			require.Equal(t, q.Request(), stored.Request())
			require.Equal(t, q.Kind(), stored.Kind())
			require.Equal(t, q.RoutePlan, stored.RoutePlan)
			require.InDelta(t, q.Age(), stored.Age(), float64(time.Minute))

			first, err := c.BuildSwap(t.Context(), amm.BuildRequest{Quote: q, Owner: owner})
			require.NoError(t, err)
			second, err := c.BuildSwap(t.Context(), amm.BuildRequest{Quote: &stored, Owner: owner})
			require.NoError(t, err)
			require.Equal(t, first, second)
			require.Equal(t, wire.Seen[1].Target, wire.Seen[2].Target)
			require.Equal(t, wire.Seen[1].Body, wire.Seen[2].Body)
		}
	}
	changedQuoteIsRefused(t)
	_, err := json.Marshal(amm.Quote{InAmount: 1})
	require.ErrorContains(t, err, "not a quote that QuoteBaseIn or QuoteBaseOut returned")
	for _, text := range []string{`{}`, `{"kind":"base-in"}`, `{"kind":"both","swapResponse":"{}"}`, `{"kind":"base-in","swapResponse":"{"}`} {
		require.Error(t, json.Unmarshal([]byte(text), new(amm.Quote)), text)
	}
}

// The stricter of the answer's threshold and the quoted amount under the slippage
// that was asked for: least received by BaseIn, most spent by BaseOut, there within
// MaxSpend. A threshold that the slippage does not allow is refused.
func TestStricterBound(t *testing.T) {
	for name, row := range map[string]struct {
		kind      amm.Kind
		bps       int
		quoted    string // of the estimated side
		threshold string
		want      walletfi.Amount // 0 if the quote contradicts its request
	}{
		"in, a threshold of 1":             {amm.BaseIn, 50, "152340000", "1", 0},
		"in, the honest one":               {amm.BaseIn, 50, "152340000", "151578300", 151_578_300},
		"in, one less":                     {amm.BaseIn, 50, "152340000", "151578299", 0},
		"in, a stricter one":               {amm.BaseIn, 50, "152340000", "152000000", 152_000_000},
		"in, none allowed":                 {amm.BaseIn, 0, "152340000", "152340000", 152_340_000},
		"in, none allowed, 1":              {amm.BaseIn, 0, "152340000", "1", 0},
		"in, anything allowed":             {amm.BaseIn, 10_000, "152340000", "1", 1},
		"in, the largest":                  {amm.BaseIn, 0, "18446744073709551615", "18446744073709551615", maxAmount},
		"in, one above the estimate":       {amm.BaseIn, 50, "152340000", "152340001", 0},
		"in, an estimate of 1":             {amm.BaseIn, 50, "1", "151578300", 0},
		"in, anything allowed, above":      {amm.BaseIn, 10_000, "152340000", "152340001", 0},
		"out, one below the estimate":      {amm.BaseOut, 50, "152340000", "152339999", 0},
		"out, a threshold of 1":            {amm.BaseOut, 50, "152340000", "1", 0},
		"in, nothing":                      {amm.BaseIn, 50, "0", "0", 0},
		"in, nothing but a threshold":      {amm.BaseIn, 50, "0", "7", 0},
		"in, nothing, anything allowed":    {amm.BaseIn, 10_000, "0", "0", 0},
		"out, a threshold of all there is": {amm.BaseOut, 50, "152340000", "18446744073709551615", 0},
		"out, the honest one":              {amm.BaseOut, 50, "152340000", "153101700", 153_101_700},
		"out, one more":                    {amm.BaseOut, 50, "152340000", "153101701", 0},
		"out, a stricter one":              {amm.BaseOut, 50, "152340000", "152400000", 152_400_000},
		"out, none allowed":                {amm.BaseOut, 0, "152340000", "152340000", 152_340_000},
		"out, the double allowed":          {amm.BaseOut, 10_000, "152340000", "304680000", 304_680_000},
		"out, the largest":                 {amm.BaseOut, 1, "18446744073709551615", "18446744073709551615", maxAmount},
	} {
		t.Run(name, func(t *testing.T) {
			amounts := `"inAmount":"9","outAmount":"` + row.quoted + `"`
			if row.kind == amm.BaseOut {
				amounts = `"inAmount":"` + row.quoted + `","outAmount":"9"`
			}
			c, quote := quoting(t, row.kind, amounts+`,"otherAmountThreshold":"`+row.threshold+`"`)
			q, err := quote(t.Context(), amm.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 9, Slippage: walletfi.SlippageBps(row.bps)})
			if row.want == 0 {
				want := walletfi.ErrMismatch
				if row.threshold == "0" {
					want = walletfi.ErrDecode
				}
				require.ErrorIs(t, err, want)
				return
			}
			require.NoError(t, err)
			swap, err := c.BuildSwap(t.Context(), amm.BuildRequest{Quote: q, Owner: owner, MaxSpend: maxAmount})
			require.NoError(t, err)
			spend, receive := walletfi.Amount(9), row.want
			if row.kind == amm.BaseOut {
				spend, receive = row.want, 9
			}
			i := swap.Unsigned().Intent
			require.Equal(t, []walletfi.Asset{{Mint: mintA, Amount: spend}}, i.Spend)
			require.Equal(t, []walletfi.Asset{{Mint: mintB, Amount: receive}}, i.Receive)
			require.Equal(t, 4, i.MaxTransactions)
		})
	}
}

// quoting is a client that is answered a quote with these amounts, and then a swap.
func quoting(t *testing.T, kind amm.Kind, amounts string) (
	*amm.Client, func(context.Context, amm.QuoteRequest, ...walletfi.CallOption) (*amm.Quote, error),
) {
	c, _ := carried(t, amm.Config{Pause: new(time.Duration(0))}, func(n int, _ sent) (int, string) {
		if n == 1 {
			return 200, `{"success":true,"data":{"inputMint":"` + mintA + `","outputMint":"` + mintB + `","priceImpactPct":"0.1",` + amounts + `}}`
		}
		return 200, `{"success":true,"data":[{"transaction":"AQID"}]}`
	})
	if kind == amm.BaseOut {
		return c, c.QuoteBaseOut
	}
	return c, c.QuoteBaseIn
}

// TestMaxSpend: what a BaseOut quote may cost is the request's to say. The answer can
// lower it.
func TestMaxSpend(t *testing.T) {
	const most = `"inAmount":"18446744073709551615","outAmount":"9","otherAmountThreshold":"18446744073709551615"`
	for name, row := range map[string]struct {
		amounts string
		allowed walletfi.Amount
		want    walletfi.Amount // 0 if nothing may be spent
		refused bool
	}{
		"nothing allowed":            {amounts: `"inAmount":"1000","outAmount":"9","otherAmountThreshold":"1005"`},
		"nothing allowed, all taken": {amounts: most},
		"all taken":                  {amounts: most, allowed: 5000, refused: true},
		"one more":                   {amounts: `"inAmount":"1000","outAmount":"9","otherAmountThreshold":"1005"`, allowed: 999, refused: true},
		"as much":                    {amounts: `"inAmount":"1000","outAmount":"9","otherAmountThreshold":"1005"`, allowed: 1000, want: 1000},
		"less than the slippage":     {amounts: `"inAmount":"1000","outAmount":"9","otherAmountThreshold":"1005"`, allowed: 1002, want: 1002},
		"more than the slippage":     {amounts: `"inAmount":"1000","outAmount":"9","otherAmountThreshold":"1005"`, allowed: 9000, want: 1005},
	} {
		t.Run(name, func(t *testing.T) {
			c, quote := quoting(t, amm.BaseOut, row.amounts)
			q, err := quote(t.Context(), amm.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 9, Slippage: walletfi.SlippageBps(50)})
			require.NoError(t, err)
			swap, err := c.BuildSwap(t.Context(), amm.BuildRequest{Quote: q, Owner: owner, MaxSpend: row.allowed})
			if row.refused {
				require.ErrorIs(t, err, walletfi.ErrMismatch)
				return
			}
			require.NoError(t, err)
			var want []walletfi.Asset
			if row.want > 0 {
				want = []walletfi.Asset{{Mint: mintA, Amount: row.want}}
			}
			require.Equal(t, want, swap.Unsigned().Intent.Spend)
		})
	}
}

// TestNoThreshold: a quote that states no bound of its estimated side is no quote.
func TestNoThreshold(t *testing.T) {
	for _, kind := range []amm.Kind{amm.BaseIn, amm.BaseOut} {
		for _, threshold := range []string{``, `,"otherAmountThreshold":null`, `,"otherAmountThreshold":""`, `,"otherAmountThreshold":"0"`} {
			_, quote := quoting(t, kind, `"inAmount":"9","outAmount":"9"`+threshold)
			_, err := quote(t.Context(), amm.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 9, Slippage: walletfi.SlippageBps(10_000)})
			require.ErrorIs(t, err, walletfi.ErrDecode, threshold)
			require.ErrorContains(t, err, "otherAmountThreshold")
		}
	}
}

// A build without anything to sign is no success.
func TestBuildSwapNeedsTransactions(t *testing.T) {
	for _, data := range []string{`[]`, `null`, `[{"transaction":""}]`, `[{"transaction":"AQID"},{}]`, `[{"transaction":null}]`, `{"transaction":"AQID"}`, `"AQID"`, `[1]`, `[{"transaction":"AQID"},{"transaction":"AQID"}]`} {
		body := `{"id":"1","success":true,"data":` + data + `}`
		c, _ := carried(t, amm.Config{Pause: new(time.Duration(0)), Options: once}, func(n int, _ sent) (int, string) {
			if n == 1 {
				return 200, wiretest.File(t, "QuoteBaseIn.json")
			}
			return 200, body
		})
		q, err := c.QuoteBaseIn(t.Context(), amm.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: maxAmount, Slippage: walletfi.SlippageBps(0)})
		require.NoError(t, err)
		_, err = c.BuildSwap(t.Context(), amm.BuildRequest{Quote: q, Owner: owner})
		require.ErrorIs(t, err, walletfi.ErrDecode, data)
		r := wiretest.As[*walletfi.ResponseError](t, err)
		require.Equal(t, body, string(r.Body))
	}
}

// changedQuoteIsRefused: a stored quote of which one part was changed.
func changedQuoteIsRefused(t *testing.T) {
	c, _ := carried(t, amm.Config{Pause: new(time.Duration(0))}, func(int, sent) (int, string) {
		return 200, wiretest.File(t, "QuoteBaseIn.json")
	})
	q, err := c.QuoteBaseIn(t.Context(), amm.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: maxAmount, Slippage: walletfi.SlippageBps(50)})
	require.NoError(t, err)
	text, err := json.Marshal(q)
	require.NoError(t, err)
	for name, row := range map[string]struct {
		path []string
		to   any
		is   error
	}{
		"another kind":           {[]string{"kind"}, "base-out", walletfi.ErrMismatch},
		"another amount asked":   {[]string{"amount"}, "5", walletfi.ErrMismatch},
		"another mint asked":     {[]string{"outputMint"}, owner, walletfi.ErrMismatch},
		"no slippage":            {[]string{"slippageBps"}, nil, walletfi.ErrInvalidRequest},
		"another output":         {[]string{"quote", "outAmount"}, "1", walletfi.ErrMismatch},
		"another threshold":      {[]string{"quote", "otherAmountThreshold"}, "1", walletfi.ErrMismatch},
		"no quote":               {[]string{"quote"}, nil, walletfi.ErrDecode},
		"bytes that say nothing": {[]string{"swapResponse"}, "[]", walletfi.ErrDecode},
	} {
		var form map[string]any
		require.NoError(t, json.Unmarshal(text, &form))
		at := form
		for _, name := range row.path[:len(row.path)-1] {
			at = at[name].(map[string]any)
		}
		require.Contains(t, at, row.path[len(row.path)-1])
		at[row.path[len(row.path)-1]] = row.to
		changed, err := json.Marshal(form)
		require.NoError(t, err)
		var read amm.Quote
		require.ErrorIs(t, json.Unmarshal(changed, &read), row.is, name)
		require.Empty(t, read.SwapResponse(), name)
	}
}
