package providerswap_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/providerswap"
)

// v1Transaction has the shape of an unsigned transaction of format v1.
func v1Transaction() string {
	b := make([]byte, 1+3+4+32+2+32+64)
	b[0], b[1] = 0x81, 1
	return base64.StdEncoding.EncodeToString(b)
}

// v0Transaction has the shape of an unsigned transaction of format v0.
func v0Transaction() string {
	b := make([]byte, 1+64, 200)
	b[0] = 1
	b = append(b, 0x80, 1, 0, 0, 1)
	return base64.StdEncoding.EncodeToString(append(b, make([]byte, 32+32+1+1)...))
}

func build(t *testing.T, body string) (*providerswap.TransactionV1, error) {
	t.Helper()
	c, _ := carried(t, once, always(200, body))
	return c.BuildSwapV1(t.Context(), providerswap.BuildV1Request{QuoteV1Request: quoteV1(), Owner: owner, MinReceive: 1})
}

func TestSwapAnswers(t *testing.T) {
	tx := string(transaction(0))
	for name, row := range map[string]struct{ body, want string }{
		"raw text":              {tx, tx},
		"raw text with a break": {" \r\n" + tx + "\n", tx},
		"raw, v0":               {v0Transaction(), v0Transaction()},
		"raw, v1":               {v1Transaction(), v1Transaction()},
		"a JSON string":         {`"` + tx + `"`, tx},
		"a JSON string escaped": {`"` + strings.ReplaceAll(tx, "/", `\/`) + `"`, tx},
		"an object":             {`{"transaction":"` + tx + `"}`, tx},
		"an object of any name": {`{"x":1,"y":{"z":["no",{"w":"` + tx + `"}]},"error":null,"success":true}`, tx},
		"a list of one":         {`["` + tx + `"]`, tx},
		"the same twice":        {`{"txn":"` + tx + `","transaction":"` + tx + `"}`, tx},
		"beside other texts":    {`{"blockhash":"` + mintA + `","provider":"alpha","txn":"` + tx + `"}`, tx},
	} {
		t.Run(name, func(t *testing.T) {
			built, err := build(t, row.body)
			require.NoError(t, err)
			require.Equal(t, walletfi.Base64Transaction(row.want), built.Transaction)
		})
	}
}

func TestSwapAnswersThatAreNone(t *testing.T) {
	tx := string(transaction(0))
	for name, body := range map[string]string{
		"nothing":              ``,
		"white space":          " \n",
		"null":                 `null`,
		"a number":             `123456789012`,
		"a word":               `fail`,
		"a sentence":           `No route found`,
		"a page":               `<!doctype html><p>` + tx,
		"an empty string":      `""`,
		"a string":             `"ok"`,
		"an object":            `{"message":"ok"}`,
		"an empty list":        `[]`,
		"two that differ":      `["` + tx + `","` + v0Transaction() + `"]`,
		"base64 of other":      base64.StdEncoding.EncodeToString(make([]byte, 300)),
		"cut off":              tx[:len(tx)-8],
		"cut off in an object": `{"txn":"` + tx + `"`,
		"unpadded":             strings.TrimRight(tx, "="),
		"url alphabet":         strings.NewReplacer("+", "-", "/", "_").Replace(tx),
		"too long":             strings.Repeat("A", 5468),
		"a base58 one":         must(transaction(0).Base58()),
		"a signature too few":  base64.StdEncoding.EncodeToString(append([]byte{2}, make([]byte, 200)...)),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := build(t, body)
			require.ErrorIs(t, err, walletfi.ErrDecode)
			r := wiretest.As[*walletfi.ResponseError](t, err)
			require.Equal(t, 200, r.StatusCode)
			require.Equal(t, body[:min(len(body), 4096)], string(r.Body), "the body is kept")
		})
	}
}

func must(tx walletfi.Base58Transaction, err error) string {
	if err != nil {
		panic(err)
	}
	return string(tx)
}

func TestQuotesV1Shapes(t *testing.T) {
	type found map[providerswap.Provider]walletfi.Amount
	for text, want := range map[string]found{
		`[{"provider":"a","outAmount":1},{"provider":"b","outAmount":"2"}]`:                       {"a": 1, "b": 2},
		`{"a":{"outAmount":1},"b":{"out_amount":"2"},"at":1700000000}`:                            {"a": 1, "b": 2},
		`{"quotes":{"a":{"amountOut":1},"b":null}}`:                                               {"a": 1},
		`{"data":{"quotes":[{"dex":"a","quote":{"destAmountOut":1}}]}}`:                           {"a": 1},
		`{"results":[{"swapProvider":"a","estimatedAmountOut":1},{"provider":"b","error":"no"}]}`: {"a": 1, "b": 0},
		`{"a":{"outAmount":"1.5"}}`:                                                               {"a": 0},
		`{"a":{"outAmount":null}}`:                                                                {"a": 0},
		`[]`:                                                                                      {}, `{}`: {}, `null`: {}, `7`: {}, `"no"`: {},
		`{"data":{"data":{"data":{"data":[{"outAmount":1}]}}}}`: {},
	} {
		var all providerswap.QuoteV1Page
		require.NoError(t, json.Unmarshal([]byte(text), &all))
		got, best := found{}, walletfi.Amount(0)
		for _, q := range all.Items {
			got[q.Provider] = 0
			if q.OutAmount != nil {
				got[q.Provider] = *q.OutAmount
				best = max(best, *q.OutAmount)
			}
		}
		require.Equal(t, want, got, text)
		top, ok := all.Best()
		require.Equal(t, best > 0, ok, text)
		if ok {
			require.Equal(t, best, *top.OutAmount, text)
		}
		again, err := json.Marshal(all)
		require.NoError(t, err)
		require.Equal(t, text, string(again))
	}
}

// Of equal quotes the first is the best, and 0 is a quote.
func TestBestQuote(t *testing.T) {
	var all providerswap.QuoteV1Page
	require.NoError(t, json.Unmarshal([]byte(`[{"provider":"x"},{"provider":"a","outAmount":0},{"provider":"b","outAmount":0}]`), &all))
	best, ok := all.Best()
	require.True(t, ok)
	require.Equal(t, providerswap.Provider("a"), best.Provider)
}

// TestQuoteAgainstItself: an estimate below its own floor, or a floor below what the slippage
// allows, is the record's problem, and never the best; of one quote it is the error.
func TestQuoteAgainstItself(t *testing.T) {
	const honest = `{"provider":"a","outAmount":"1000","minOutAmount":"995"}`
	for amounts, problem := range map[string]string{
		`"outAmount":"2000","minOutAmount":"2001"`: `minOutAmount: asked for "at most outAmount 2000", answered "2001"`,
		`"outAmount":"1","minOutAmount":"995"`:     `minOutAmount: asked for "at most outAmount 1", answered "995"`,
		`"outAmount":"1000000","minOutAmount":"1"`: `minOutAmount: asked for "at least 995000", answered "1"`,
	} {
		lie := `{"provider":"alpha-amm",` + amounts + `}`
		c, _ := carried(t, once, always(200, `[`+honest+`,`+lie+`]`))
		page, err := c.ListQuotesV1(t.Context(), quotesV1())
		require.NoError(t, err)
		require.Len(t, page.Items, 2)
		require.Empty(t, page.Items[0].Problem)
		require.Equal(t, problem, page.Items[1].Problem)
		best, ok := page.Best()
		require.True(t, ok)
		require.Equal(t, providerswap.Provider("a"), best.Provider)

		c, _ = carried(t, once, always(200, lie))
		_, err = c.GetQuoteV1(t.Context(), quoteV1())
		require.ErrorIs(t, err, walletfi.ErrMismatch)
		require.ErrorContains(t, err, problem)
	}
	var page providerswap.QuoteV1Page
	require.NoError(t, json.Unmarshal([]byte(`[{"outAmount":"9","minOutAmount":"10"}]`), &page))
	_, ok := page.Best()
	require.False(t, ok, "none is left")
	require.NotEmpty(t, page.Items[0].Problem)
}

func TestQuoteV1Names(t *testing.T) {
	for text, want := range map[string]providerswap.QuoteV1{
		`{"src_amount_in":1,"dest-amount-out":4,"DestAmountOutMin":3,"price_impact":"0.5"}`: {
			InAmount: new(walletfi.Amount(1)), OutAmount: new(walletfi.Amount(4)), MinOutAmount: new(walletfi.Amount(3)), PriceImpactPct: wiretest.Decimal(t, "0.5"),
		},
		`{"provider":"a","result":{"inputAmount":"1","outputAmount":"4","otherAmountThreshold":"3"}}`: {
			Provider: "a", InAmount: new(walletfi.Amount(1)), OutAmount: new(walletfi.Amount(4)), MinOutAmount: new(walletfi.Amount(3)),
		},
		`{"outAmount":2,"platformFee":{"amount":9,"outAmount":8},"message":"ok"}`: {OutAmount: new(walletfi.Amount(2))},
		`{"error":{"message":"none"}}`:                                            {Problem: "none"},
		`{"out_amount":"-1","outAmount":1.5}`:                                     {Problem: "outamount is not what it should be"},
		`{"outAmount":2,"minOutAmount":5,"minOutAmount":6}`:                       {OutAmount: new(walletfi.Amount(2)), Problem: "field minOutAmount: comes twice"},
		`{"outAmount":2,"priceImpactPct":"50%"}`:                                  {OutAmount: new(walletfi.Amount(2)), Problem: "priceimpactpct is not what it should be"},
		`{"outAmount":0}`:                                                         {OutAmount: new(walletfi.Amount(0)), Problem: "destamountout is 0"},
		`[]`:                                                                      {},
	} {
		var got providerswap.QuoteV1
		require.NoError(t, json.Unmarshal([]byte(text), &got))
		fields := func(q providerswap.QuoteV1) []any {
			return []any{q.Provider, q.InAmount, q.OutAmount, q.MinOutAmount, q.PriceImpactPct, q.Problem}
		}
		require.Equal(t, fields(want), fields(got))
		require.Equal(t, text, got.Raw.String())
	}
}

// TestUnfitQuoteV1: a quote of which a member cannot be what it is called is a problem, and never the
// best; alone, or without an output, it is an error.
func TestUnfitQuoteV1(t *testing.T) {
	for members, problem := range map[string]string{
		`"outAmount":9000,"priceImpactPct":"NaN"`:                "priceimpactpct is not what it should be",
		`"outAmount":9000,"priceImpactPct":"50%"`:                "priceimpactpct is not what it should be",
		`"outAmount":9000,"priceImpactPct":-1`:                   "priceimpactpct is not what it should be",
		`"outAmount":9000,"priceImpactPct":100.1`:                "priceimpactpct is not what it should be",
		`"outAmount":9000,"priceImpactPct":1e400`:                "priceimpactpct is not what it should be",
		`"outAmount":9000,"priceImpactPct":1e-500`:               "priceimpactpct is not what it should be",
		`"outAmount":9000,"minOutAmount":"six"`:                  "minoutamount is not what it should be",
		`"outAmount":9000,"priceImpactPct":1,"priceImpactPct":2`: "field priceImpactPct: comes twice",
	} {
		lie := `{"provider":"alpha-amm",` + members + `}`
		c, _ := carried(t, once, always(200, `[{"provider":"a","outAmount":"1000"},`+lie+`]`))
		page, err := c.ListQuotesV1(t.Context(), quotesV1())
		require.NoError(t, err)
		require.Equal(t, problem, page.Items[1].Problem, members)
		best, ok := page.Best()
		require.True(t, ok)
		require.Equal(t, providerswap.Provider("a"), best.Provider, members)

		c, _ = carried(t, once, always(200, lie))
		require.ErrorIs(t, wiretest.Error(c.GetQuoteV1(t.Context(), quoteV1())), walletfi.ErrDecode, members)
	}
	for _, body := range []string{`{}`, `[]`, `null`, `"x"`, `{"data":null}`, `{"success":true}`, `{"message":"no pool"}`} {
		c, _ := carried(t, once, always(200, body))
		require.ErrorIs(t, wiretest.Error(c.GetQuoteV1(t.Context(), quoteV1())), walletfi.ErrDecode, body)
		c, _ = carried(t, once, always(200, body))
		_, err := c.ListQuotesV1(t.Context(), quotesV1())
		require.Equal(t, body != `[]`, errors.Is(err, walletfi.ErrDecode), body)
	}
	for _, body := range []string{`{"quotes":[]}`, `{"data":{}}`} {
		c, _ := carried(t, once, always(200, body))
		page, err := c.ListQuotesV1(t.Context(), quotesV1())
		require.NoError(t, err, body)
		require.Empty(t, page.Items)
	}
}

// TestRouteOfNothing: a route that is no list, or has a step that says nothing, is no quote.
func TestRouteOfNothing(t *testing.T) {
	const quote = `{"srcAmountIn":"5","destAmountOut":"9","destAmountOutMin":"9","priceImpactPct":%s,"routePlan":%s}`
	for body, ok := range map[string]bool{
		fmt.Sprintf(quote, `0.1`, `[]`): true, fmt.Sprintf(quote, `"0"`, `null`): true, fmt.Sprintf(quote, `100`, `[{"dex":"a","pct":100}]`): true,
		fmt.Sprintf(quote, `0.1`, `{}`): false, fmt.Sprintf(quote, `0.1`, `"x"`): false, fmt.Sprintf(quote, `0.1`, `5`): false,
		fmt.Sprintf(quote, `0.1`, `[null]`): false, fmt.Sprintf(quote, `0.1`, `["x"]`): false, fmt.Sprintf(quote, `0.1`, `[{}]`): false,
		fmt.Sprintf(quote, `0.1`, `[],"routePlan":[]`): false,
		fmt.Sprintf(quote, `"NaN"`, `[]`):              false, fmt.Sprintf(quote, `"50%"`, `[]`): false, fmt.Sprintf(quote, `-1`, `[]`): false,
		fmt.Sprintf(quote, `101`, `[]`): false, fmt.Sprintf(quote, `1e400`, `[]`): false, fmt.Sprintf(quote, `1e-500`, `[]`): false,
		fmt.Sprintf(quote, `null`, `[]`): false, fmt.Sprintf(quote, `""`, `[]`): false,
	} {
		c, _ := carried(t, once, always(200, body))
		_, err := c.GetQuote(t.Context(), providerswap.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 5, Slippage: walletfi.SlippageBps(0)})
		require.Equal(t, ok, err == nil, "%s: %v", body, err)
		require.Equal(t, !ok, errors.Is(err, walletfi.ErrDecode), body)
	}
}

func TestBundleNames(t *testing.T) {
	sig := wiretest.Signature(9)
	for text, want := range map[string]providerswap.Sent{
		`{"bundle_id":"b","transaction_hash":"` + sig + `"}`:                   {BundleID: "b", Signature: sig},
		`{"data":{"bundleId":"b","signature":"` + sig + `"},"id":"request-1"}`: {BundleID: "b", Signature: sig},
		`{"id":"b","tx":{"hash":"` + sig + `"}}`:                               {BundleID: "b", Signature: sig},
		`{"bundleId":"b","transaction":"AQID","hash":"0xabc"}`:                 {BundleID: "b"},
		`{"result":"b"}`: {},
		`"b"`:            {BundleID: "b"},
		`null`:           {},
		`[]`:             {},
	} {
		var got providerswap.Sent
		require.NoError(t, json.Unmarshal([]byte(text), &got))
		if text != "null" {
			want.Raw = walletfi.Document(text)
		} else {
			want.Raw = got.Raw
		}
		require.Equal(t, want, got, text)
		again, err := json.Marshal(got)
		require.NoError(t, err)
		require.Equal(t, text, string(again))
	}
}
