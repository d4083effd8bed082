package providerswap_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/providerswap"
)

var key = map[string]string{"X-API-KEY": "k-123456", "Authorization": ""}

func quotesV1() providerswap.QuotesV1Request {
	return providerswap.QuotesV1Request{InputMint: mintA, OutputMint: mintB, Amount: 5, Slippage: walletfi.SlippageBps(50)}
}

func quoteV1() providerswap.QuoteV1Request {
	return providerswap.QuoteV1Request{QuotesV1Request: quotesV1(), Provider: "alpha-amm"}
}

func TestWireV2(t *testing.T) {
	wiretest.Run(t, []wiretest.Case{{
		Call: wiretest.By(client, (*providerswap.Client).GetQuote, providerswap.QuoteRequest{
			InputMint: mintA, OutputMint: mintB, Amount: maxAmount, Slippage: walletfi.SlippageBps(providerswap.MajorSlippageMax),
		}),
		Method: "GET", Target: "/api/v2/quote?amount_in=18446744073709551615&dst_mint=" + mintB + "&slippage_bps=50&src_mint=" + mintA,
		Header: key, File: "GetQuote.json",
		Want: &providerswap.Quote{
			InAmount: maxAmount, OutAmount: 1_000_000, MinOutAmount: 995_000, PriceImpactPct: wiretest.Decimal(t, "0.10"),
			RoutePlan: []providerswap.RouteStep{
				{Provider: "alpha-amm", Percent: wiretest.Decimal(t, "60"), Raw: walletfi.Document(`{"swapProvider": "alpha-amm", "percent": 60}`)},
				{Provider: "betaclmm", Percent: wiretest.Decimal(t, "40.0"), Raw: walletfi.Document(`{"provider": "betaclmm", "percent": "40.0", "extra": {"name": "x"}}`)},
				{Provider: "gamma", Raw: walletfi.Document(`{"swap": {"swap_provider": "gamma"}, "Percent": null}`)},
			},
		},
	}, {
		Name: "GetQuote, the same mint, no slippage, the least answer",
		Call: wiretest.By(client, (*providerswap.Client).GetQuote,
			providerswap.QuoteRequest{InputMint: mintA, OutputMint: mintA, Amount: 1, Slippage: walletfi.SlippageBps(0)}),
		Method: "GET", Target: "/api/v2/quote?amount_in=1&dst_mint=" + mintA + "&slippage_bps=0&src_mint=" + mintA,
		Header: key, Reply: `{"srcAmountIn":1,"destAmountOut":"1","destAmountOutMin":1,"routePlan":null,"priceImpactPct":"0"}`,
		Want: &providerswap.Quote{InAmount: 1, OutAmount: 1, MinOutAmount: 1, PriceImpactPct: wiretest.Decimal(t, "0")},
	}, {
		Call: wiretest.By(client, (*providerswap.Client).BuildSwap, providerswap.BuildRequest{
			QuoteRequest: providerswap.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 5, Slippage: walletfi.SlippageBps(10_000)}, Owner: owner,
		}),
		Method: "GET", Target: "/api/v2/quote?amount_in=5&dst_mint=" + mintB + "&slippage_bps=10000&src_mint=" + mintA + "&user_account=" + owner,
		Header: key, File: "BuildSwap.json",
		Then: func(t *testing.T, result any) {
			swap := result.(*providerswap.Transaction)
			require.Equal(t, providerswap.Quote{
				InAmount: 5, OutAmount: 1000, MinOutAmount: 995, PriceImpactPct: wiretest.Decimal(t, "-0"), RoutePlan: []providerswap.RouteStep{},
			}, swap.Quote)
			wiretest.Built(t, walletfi.Unsigned{
				Transactions: []walletfi.EncodedTransaction{walletfi.Base64Transaction("AQID")},
				Intent: walletfi.Intent{
					Service: "providerswap", Owner: owner,
					Spend:   []walletfi.Asset{{Mint: mintA, Amount: 5}},
					Receive: []walletfi.Asset{{Mint: mintB, Amount: 995}},
				},
			}, swap.Unsigned())
		},
	}, {
		Name: "BuildSwap, without a transaction",
		Call: wiretest.By(client, (*providerswap.Client).BuildSwap, providerswap.BuildRequest{
			QuoteRequest: providerswap.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 5, Slippage: walletfi.SlippageBps(0)}, Owner: owner,
		}),
		Method: "GET", Target: "/api/v2/quote?amount_in=5&dst_mint=" + mintB + "&slippage_bps=0&src_mint=" + mintA + "&user_account=" + owner,
		Header: key, File: "GetQuote.json",
		Err: func(t *testing.T, err error) {
			require.ErrorIs(t, err, walletfi.ErrDecode)
			require.ErrorContains(t, err, "txn")
		},
	}})
}

func TestWireV1(t *testing.T) {
	pair := "fromMint=" + mintA
	full := quoteV1()
	full.Pool = other
	unsigned := transaction(0)
	gasless := providerswap.BuildV1Request{
		QuoteV1Request: quoteV1(), Owner: owner, MinReceive: 1, Gasless: new(true), MEVSafe: new(false), ComputeUnitPriceMicroLamports: new(uint64(0)),
	}
	gasless.OutputMint = walletfi.NativeMint
	wiretest.Run(t, []wiretest.Case{{
		Call:   wiretest.By(client, (*providerswap.Client).GetQuoteV1, full),
		Method: "GET", Target: "/api/v1/quote?amount=5&" + pair + "&pool=" + other + "&provider=alpha-amm&slippage=50&toMint=" + mintB,
		Header: key, Reply: `{"data":{"amountIn":"5","amount_out":"18446744073709551615","priceImpactPct":"0.1"},"id":1}`,
		Want: &providerswap.QuoteV1{
			Provider: "alpha-amm", InAmount: new(walletfi.Amount(5)), OutAmount: new(maxAmount), PriceImpactPct: wiretest.Decimal(t, "0.1"),
			Raw: walletfi.Document(`{"data":{"amountIn":"5","amount_out":"18446744073709551615","priceImpactPct":"0.1"},"id":1}`),
		},
	}, {
		Call:   wiretest.By(client, (*providerswap.Client).ListQuotesV1, quotesV1()),
		Method: "GET", Target: "/api/v1/quote/all?amount=5&" + pair + "&slippage=50&toMint=" + mintB, Header: key, File: "ListQuotesV1.json",
		Then: func(t *testing.T, result any) {
			all := result.(*providerswap.QuoteV1Page)
			require.JSONEq(t, wiretest.File(t, "ListQuotesV1.json"), all.Raw.String())
			require.Len(t, all.Items, 3)
			require.Equal(t, providerswap.Provider("beta"), all.Items[1].Provider)
			require.Equal(t, "no pool", all.Items[1].Problem)
			require.Equal(t, new(walletfi.Amount(7)), all.Items[2].OutAmount)
			best, ok := all.Best()
			require.True(t, ok)
			require.Equal(t, providerswap.QuoteV1{
				Provider: "alpha-amm", InAmount: new(walletfi.Amount(5)), OutAmount: new(maxAmount), MinOutAmount: new(walletfi.Amount(0)),
				PriceImpactPct: wiretest.Decimal(t, "0.5"), Problem: "destamountoutmin is 0",
				Raw: walletfi.Document(`{"provider": "alpha-amm", "inAmount": "5", "outAmount": "18446744073709551615", "minOutAmount": 0, "priceImpact": "0.5"}`),
			}, best)
		},
	}, {
		Name: "BuildSwapV1, all of it",
		Call: wiretest.By(client, (*providerswap.Client).BuildSwapV1, providerswap.BuildV1Request{
			QuoteV1Request: full, Owner: owner, FeeLamports: new(walletfi.Amount(9)), FeeReceiver: other, ComputeUnitPriceMicroLamports: new(uint64(7)),
			MEVSafe: new(true), Gasless: new(false), MaxTipLamports: 11, Sponsor: mintB, MinReceive: 9,
		}),
		Method: "GET", Target: "/api/v1/swap?amount=5&feeLamports=9&feeReceiver=" + other + "&" + pair +
			"&gasless=false&mevSafe=true&owner=" + owner + "&pool=" + other + "&priorityMicroLamports=7&provider=alpha-amm&slippage=50&toMint=" + mintB,
		Header: key, Reply: string(unsigned),
		Then: func(t *testing.T, result any) {
			wiretest.Built(t, walletfi.Unsigned{
				Transactions: []walletfi.EncodedTransaction{unsigned},
				Intent: walletfi.Intent{
					Service: "providerswap", Owner: owner,
					Spend:                 []walletfi.Asset{{Mint: mintA, Amount: 5}},
					Receive:               []walletfi.Asset{{Mint: mintB, Amount: 9}},
					TipLamports:           11,
					ServiceFee:            []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: 9}},
					FeeTo:                 []string{other},
					Sponsor:               mintB,
					MaxNetworkFeeLamports: new(walletfi.Amount(20_010)),
				},
			}, result.(*providerswap.TransactionV1).Unsigned())
		},
	}, {
		Name: "BuildSwapV1, least",
		Call: wiretest.By(client, (*providerswap.Client).BuildSwapV1,
			providerswap.BuildV1Request{QuoteV1Request: quoteV1(), Owner: owner, MinReceive: 7}),
		Method: "GET", Target: "/api/v1/swap?amount=5&" + pair + "&owner=" + owner + "&provider=alpha-amm&slippage=50&toMint=" + mintB,
		Header: key, Reply: `{"txn":"` + string(unsigned) + `"}`,
		Then: func(t *testing.T, result any) {
			wiretest.Intent(t, walletfi.Intent{
				Service: "providerswap", Owner: owner, Spend: []walletfi.Asset{{Mint: mintA, Amount: 5}},
				Receive: []walletfi.Asset{{Mint: mintB, Amount: 7}},
			}, result.(*providerswap.TransactionV1).Unsigned().Intent)
		},
	}, {
		Name:   "BuildSwapV1, gasless, no priority",
		Call:   wiretest.By(client, (*providerswap.Client).BuildSwapV1, gasless),
		Method: "GET", Target: "/api/v1/swap?amount=5&" + pair + "&gasless=true&mevSafe=false&owner=" + owner +
			"&priorityMicroLamports=0&provider=alpha-amm&slippage=50&toMint=" + walletfi.NativeMint,
		Header: key, Reply: `"` + string(unsigned) + `"`,
		Then: func(t *testing.T, result any) {
			require.Equal(t, new(walletfi.Amount(20_000)), result.(*providerswap.TransactionV1).Unsigned().Intent.MaxNetworkFeeLamports)
		},
	}, {
		Call: wiretest.By(client, (*providerswap.Client).BuildFeeTransfer,
			providerswap.FeeTransferRequest{Owner: owner, Receiver: other, Lamports: maxAmount}),
		Method: "GET", Target: "/api/v1/fee/custom?lamports=18446744073709551615&payer=" + owner + "&receiver=" + other,
		Header: key, Reply: `{"result":{"serialized":"` + string(unsigned) + `","ok":true}}`,
		Then: func(t *testing.T, result any) {
			built := result.(*providerswap.TransactionV1)
			require.Equal(t, `{"result":{"serialized":"`+string(unsigned)+`","ok":true}}`, built.Raw.String())
			wiretest.Built(t, walletfi.Unsigned{
				Transactions: []walletfi.EncodedTransaction{unsigned},
				Intent: walletfi.Intent{
					Service: "providerswap", Owner: owner,
					Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: maxAmount}},
					PayTo: []string{other},
				},
			}, built.Unsigned())
		},
	}, {
		Call:   wiretest.By(client, (*providerswap.Client).SendBundle, transaction(0xfe)),
		Method: "GET", Target: "/api/v1/swap/bundle?signedTransaction=" + escaped(transaction(0xfe)),
		Header: key, Reply: `{"bundleId":"b-1","txHash":"` + wiretest.Signature(0xfe) + `"}`,
		Want: &providerswap.Sent{
			BundleID: "b-1", Signature: wiretest.Signature(0xfe), Raw: walletfi.Document(`{"bundleId":"b-1","txHash":"` + wiretest.Signature(0xfe) + `"}`),
		},
	}})
}

// The base address may come with a version's path or without.
func TestBaseURL(t *testing.T) {
	for _, path := range []string{"", "/", "/api/v1", "/api/v2", "/api/v2/", "/api/v10"} {
		server := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"srcAmountIn":"1","destAmountOut":"1","destAmountOutMin":"1","priceImpactPct":"0"}`)
		})
		c := client(t, server.URL+path)
		_, err := c.GetQuote(t.Context(), providerswap.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 1, Slippage: walletfi.SlippageBps(0)})
		require.NoError(t, err)
		require.ErrorIs(t, wiretest.Error(c.ListQuotesV1(t.Context(), quotesV1())), walletfi.ErrDecode)
		require.Equal(t, "/api/v2/quote?amount_in=1&dst_mint="+mintB+"&slippage_bps=0&src_mint="+mintA, server.Requests()[0].Target, path)
		require.Equal(t, "/api/v1/quote/all?amount=5&fromMint="+mintA+"&slippage=50&toMint="+mintB, server.Requests()[1].Target, path)
	}
	server := wiretest.Serve(t, nil)
	_, err := client(t, server.URL+"/gateway/api/v1").ListQuotesV1(t.Context(), quotesV1())
	require.ErrorIs(t, err, walletfi.ErrDecode)
	require.Contains(t, server.Requests()[0].Target, "/gateway/api/v1/quote/all?", "a prefix stays")
}
