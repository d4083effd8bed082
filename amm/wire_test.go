package amm_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// noCredential: the service asks for none.
var noCredential = map[string]string{"x-api-key": "", "Authorization": "", "Accept": "application/json"}

func TestWireQuotes(t *testing.T) {
	const pair = "inputMint=4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi&outputMint=8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR"
	wiretest.Run(t, []wiretest.Case{{
		Call: wiretest.By(client, (*amm.Client).QuoteBaseIn, amm.QuoteRequest{
			InputMint: mintA, OutputMint: mintB, Amount: maxAmount, Slippage: walletfi.SlippageBps(50), TxVersion: amm.TxVersionLegacy,
		}),
		Method: "GET", Target: "/compute/swap-base-in?amount=18446744073709551615&" + pair + "&slippageBps=50&txVersion=LEGACY",
		Header: noCredential, File: "QuoteBaseIn.json",
		Then: func(t *testing.T, result any) {
			q := result.(*amm.Quote)
			require.Equal(t, amm.BaseIn, q.Kind())
			require.Equal(t, amm.TxVersionLegacy, q.TxVersion())
			require.Equal(t, maxAmount, q.Request().Amount)
			require.Equal(t, []string{mintA, mintB}, []string{q.InputMint, q.OutputMint})
			require.Equal(t, []walletfi.Amount{maxAmount, 1_000_000, 1_000_000}, []walletfi.Amount{q.InAmount, q.OutAmount, q.OtherAmountThreshold})
			require.Equal(t, wiretest.Decimal(t, "0.10"), q.PriceImpactPct)
			require.Equal(t, []amm.RouteStep{
				{PoolID: "P1", InputMint: mintA, OutputMint: mintB, FeeMint: mintA, FeeRate: wiretest.Decimal(t, "25")},
				{PoolID: "P2", FeeRate: wiretest.Decimal(t, "0.0025"), FeeAmount: maxAmount},
			}, q.RoutePlan)
		},
	}, {
		Name: "QuoteBaseOut, the version left out, no slippage",
		Call: wiretest.By(client, (*amm.Client).QuoteBaseOut,
			amm.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 700, Slippage: walletfi.SlippageBps(0)}),
		Method: "GET", Target: "/compute/swap-base-out?amount=700&" + pair + "&slippageBps=0&txVersion=V0",
		Header: noCredential, File: "QuoteBaseOut.json",
		Then: func(t *testing.T, result any) {
			q := result.(*amm.Quote)
			require.Equal(t, amm.BaseOut, q.Kind())
			require.Equal(t, amm.TxVersionV0, q.TxVersion())
			require.Equal(t, []walletfi.Amount{2000, 700, 2000}, []walletfi.Amount{q.InAmount, q.OutAmount, q.OtherAmountThreshold})
			require.Equal(t, wiretest.Decimal(t, "0.25"), q.PriceImpactPct)
			require.Empty(t, q.RoutePlan)
		},
	}, {
		Name: "QuoteBaseIn, nulls",
		Call: wiretest.By(client, (*amm.Client).QuoteBaseIn,
			amm.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 1, Slippage: walletfi.SlippageBps(10_000)}),
		Method: "GET", Target: "/compute/swap-base-in?amount=1&" + pair + "&slippageBps=10000&txVersion=V0",
		Reply: `{"success":true,"data":{"inputMint":"` + mintA + `","outputMint":"` + mintB + `","inAmount":"1","outAmount":1,"otherAmountThreshold":1,"priceImpactPct":0,"routePlan":null}}`,
		Then: func(t *testing.T, result any) {
			q := result.(*amm.Quote)
			require.Equal(t, walletfi.Amount(1), q.OutAmount)
			require.Empty(t, q.RoutePlan)
		},
	}, {
		Name: "QuoteBaseIn, an answer without its data",
		Call: wiretest.By(client, (*amm.Client).QuoteBaseIn,
			amm.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 1, Slippage: walletfi.SlippageBps(0)}),
		Method: "GET", Target: "/compute/swap-base-in?amount=1&" + pair + "&slippageBps=0&txVersion=V0",
		Reply: `{"id":"1","success":true,"data":null}`,
		Err: func(t *testing.T, err error) {
			require.ErrorIs(t, err, walletfi.ErrDecode)
			r := wiretest.As[*walletfi.ResponseError](t, err)
			require.Equal(t, `{"id":"1","success":true,"data":null}`, string(r.Body))
		},
	}})
}

func TestWireData(t *testing.T) {
	pools := []walletfi.Document{
		walletfi.Document(`{"id": "P1", "price": 12345678901234567890}`), walletfi.Document(`{"id": "P2"}`),
	}
	listed := func(t *testing.T, result any) {
		require.Equal(t, pools, result.(*amm.PoolPage).Items)
		require.Contains(t, result.(*amm.PoolPage).Raw.String(), `"hasNextPage": false`)
	}
	wiretest.Run(t, []wiretest.Case{{
		Call:   wiretest.By(client, (*amm.Client).GetAutoFee),
		Method: "GET", Target: "/main/auto-fee", Header: noCredential, File: "GetAutoFee.json",
		Want: &amm.AutoFee{
			Default: amm.FeeLevels{VeryHigh: 1<<64 - 1, High: 250_000},
			Raw:     walletfi.Document(`{"default": {"vh": 18446744073709551615, "h": "250000", "m": 0}, "surge": [1]}`),
		},
	}, {
		Call:   wiretest.By(client, (*amm.Client).ListPoolsByIDs, amm.PoolsByIDsRequest{IDs: []string{"P1", "P2", "P 3+"}}),
		Method: "GET", Target: "/pools/info/ids?ids=P1%2CP2%2CP+3%2B", Header: noCredential, File: "ListPools.json", Then: listed,
	}, {
		Call:   wiretest.By(client, (*amm.Client).ListPoolsByMints, amm.PoolsByMintsRequest{Mint1: mintA, Mint2: mintB}),
		Method: "GET", Target: "/pools/info/mint?mint1=" + mintA + "&mint2=" + mintB, Header: noCredential, File: "ListPools.json", Then: listed,
	}, {
		Name:   "ListPoolsByMints, one mint",
		Call:   wiretest.By(client, (*amm.Client).ListPoolsByMints, amm.PoolsByMintsRequest{Mint1: mintA}),
		Method: "GET", Target: "/pools/info/mint?mint1=" + mintA, File: "ListPools.json", Then: listed,
	}, {
		Call:   wiretest.By(client, (*amm.Client).ListPools, amm.PoolsRequest{Limit: new(2), Page: new(3)}),
		Method: "GET", Target: "/pools/info/list?page=3&pageSize=2", Header: noCredential, File: "ListPools.json", Then: listed,
	}, {
		Name:   "ListPools, as the service likes, no list in it",
		Call:   wiretest.By(client, (*amm.Client).ListPools, amm.PoolsRequest{}),
		Method: "GET", Target: "/pools/info/list", Reply: `{"success":true,"data":{"a":1}}`,
		Want: &amm.PoolPage{Raw: walletfi.Document(`{"a":1}`)},
	}, {
		Call:   wiretest.By(client, (*amm.Client).ListMints),
		Method: "GET", Target: "/mint/list", Header: noCredential,
		Reply: `{"id":"1","success":true,"data":{"mintList":[ 12345678901234567890 ]}}`,
		Want: &amm.MintPage{
			Items: []walletfi.Document{walletfi.Document("12345678901234567890")},
			Raw:   walletfi.Document(`{"mintList":[ 12345678901234567890 ]}`),
		},
	}, {
		Name:   "ListMints, empty",
		Call:   wiretest.By(client, (*amm.Client).ListMints),
		Method: "GET", Target: "/mint/list", Reply: `{"id":"1","success":true}`,
		Err: func(t *testing.T, err error) { require.ErrorIs(t, err, walletfi.ErrDecode) },
	}, {
		Name:   "ListMints, null",
		Call:   wiretest.By(client, (*amm.Client).ListMints),
		Method: "GET", Target: "/mint/list", Reply: `{"id":"1","success":true,"data":null}`,
		Want: &amm.MintPage{Raw: walletfi.Document("null")},
	}, {
		Name:   "ListMints, without an envelope",
		Call:   wiretest.By(client, (*amm.Client).ListMints),
		Method: "GET", Target: "/mint/list", Reply: `["M1"]`,
		Want: &amm.MintPage{Items: []walletfi.Document{walletfi.Document(`"M1"`)}, Raw: walletfi.Document(`["M1"]`)},
	}, {
		Name:   "ListMints, an object without an envelope",
		Call:   wiretest.By(client, (*amm.Client).ListMints),
		Method: "GET", Target: "/mint/list", Reply: `{"M1":{"decimals":6}}`,
		Want: &amm.MintPage{Raw: walletfi.Document(`{"M1":{"decimals":6}}`)},
	}, {
		Call:   wiretest.By(client, (*amm.Client).GetMintPrices, []string{mintA, mintB}),
		Method: "GET", Target: "/mint/price?mints=" + mintA + "%2C" + mintB, Header: noCredential,
		Reply: `{"id":"1","success":true,"data":{"M1":"1.50","M2":null,"M3":2e-9,"M4":true}}`,
		Want: &amm.MintPrices{
			Prices: map[string]walletfi.Decimal{"M1": wiretest.Decimal(t, "1.50"), "M2": {}, "M3": wiretest.Decimal(t, "2e-9")},
			Raw:    walletfi.Document(`{"M1":"1.50","M2":null,"M3":2e-9,"M4":true}`),
		},
	}})
}

func TestMintPricesShapes(t *testing.T) {
	want := map[string]walletfi.Decimal{"M1": wiretest.Decimal(t, "1.5"), "M2": wiretest.Decimal(t, "2")}
	for name, text := range map[string]string{
		"by mint":         `{"M1":1.5,"M2":"2"}`,
		"objects by mint": `{"M1":{"price":"1.5"},"M2":{"value":2},"M3":{}}`,
		"wrapped":         `{"prices":{"M1":1.5,"M2":2}}`,
		"a list":          `[{"mint":"M1","price":1.5},{"address":"M2","price":"2"},{"price":3},{"mint":"M4"}]`,
		"a wrapped list":  `{"data":[{"id":"M1","price":1.5},{"mint":"M2","price":2}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			var p amm.MintPrices
			require.NoError(t, json.Unmarshal([]byte(text), &p))
			require.Equal(t, want, p.Prices)
			require.Equal(t, text, p.Raw.String())
		})
	}
	for _, text := range []string{`null`, `[]`, `{"data":{"data":{"data":{"M1":1}}}}`} {
		var p amm.MintPrices
		require.NoError(t, json.Unmarshal([]byte(text), &p))
		require.Empty(t, p.Prices, text)
	}
	for _, text := range []string{
		`{"data":{"M1":{"price":1,"price":2}}}`, `[{"mint":"M1","price":1},{"id":"M1","price":2}]`,
	} {
		var p amm.MintPrices
		require.NoError(t, json.Unmarshal([]byte(text), &p))
		require.Empty(t, p.Prices, text)
		require.Equal(t, text, p.Raw.String())
	}
}

// TestNoMintPrices: what is found of a mint and is no price is not left out unsaid.
func TestNoMintPrices(t *testing.T) {
	for _, text := range []string{
		`"text"`, `7`, `{"data":7}`, `{"data":"x"}`, `{"M1":1,"M1":2}`, `{"M1":1,"\u004d1":1}`, `{"prices":{},"prices":{"M1":1}}`,
		`{"@":-1}`, `{"@":"-0.5"}`, `{"@":"NaN"}`, `{"@":"50%"}`, `{"@":true}`, `{"@":[7]}`, `{"@":{"x":1}}`, `{"@":1e999}`,
		`{"@":{"price":1,"price":2}}`, `[{"mint":"@","price":-1}]`,
	} {
		var p amm.MintPrices
		require.Error(t, json.Unmarshal([]byte(strings.ReplaceAll(text, "@", mintA)), &p), text)
	}
}

func TestPoolListShapes(t *testing.T) {
	two := []walletfi.Document{walletfi.Document(`1`), walletfi.Document(`{"a":2}`)}
	for text, want := range map[string][]walletfi.Document{
		`[1,{"a":2}]`:                      two,
		`{"data":[1,{"a":2}]}`:             two,
		`{"data":{"pools":[1,{"a":2}]}}`:   two,
		`{"found":[1,{"a":2}],"n":2}`:      two,
		`{"items":[1,{"a":2}],"other":[]}`: two,
		`{"data":[]}`:                      {},
		`{"data":[],"list":[1,{"a":2}]}`:   two,
		`{"data":[],"pools":[]}`:           {},
		`{"these":[1],"those":[2]}`:        nil,
		`{"P1":{"a":2}}`:                   nil,
		`null`:                             nil,
		`{"data":{"data":{"data":[1]}}}`:   nil,
	} {
		var l amm.PoolPage
		require.NoError(t, json.Unmarshal([]byte(text), &l))
		require.Equal(t, want, l.Items, text)
	}
}

func TestConfig(t *testing.T) {
	const url = "https://amm.test"
	for name, row := range map[string]struct {
		cfg    amm.Config
		fields []string
	}{
		"no hosts":       {amm.Config{}, []string{"dataURL", "tradeURL"}},
		"no data host":   {amm.Config{TradeURL: url}, []string{"dataURL"}},
		"plain http":     {amm.Config{TradeURL: "http://amm.test", DataURL: url}, []string{"tradeURL"}},
		"negative pause": {amm.Config{TradeURL: url, DataURL: url, Pause: new(-time.Second)}, []string{"pause"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := amm.New(row.cfg)
			requireRefused(t, err, row.fields...)
		})
	}
}
