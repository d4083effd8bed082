package hollow

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/swap"
)

const somewhere = "https://service.example"

var (
	hollowOwner = wiretest.Address(3)
	mintIn      = wiretest.Address(5)
	mintOut     = wiretest.Address(6)
)

// hollowTransaction has the structure of a transaction. With filler 0 its one
// signature is missing.
func hollowTransaction(filler byte) walletfi.Base64Transaction {
	return walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(wiretest.Transaction(filler, make([]byte, 32+32+1)...)))
}

func hollowBase58(t *testing.T) walletfi.Base58Transaction {
	short, err := hollowTransaction(7).Base58()
	require.NoError(t, err)
	return short
}

func init() {
	hollows[sandbox.Swap] = hollowSwap
	hollows[sandbox.AMM] = hollowAMM
	hollows[sandbox.ProviderSwap] = hollowProviderSwap
	hollows[sandbox.BurnClose] = hollowBurnClose
}

func hollowSwap(t *testing.T) []hollow {
	r := rowsOf[swap.Client]{service: sandbox.Swap, client: func(o walletfi.Options) (*swap.Client, error) {
		return swap.New(swap.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: o})
	}}
	type c = swap.Client
	var quote swap.Quote
	const quoted = `{"inputMint":"$IN","outputMint":"$OUT","inAmount":"1000","outAmount":"2000","minOutAmount":"1990","otherAmountThreshold":"1990"}`
	require.NoError(t, json.Unmarshal([]byte(mints(quoted)), &quote))
	build := swap.BuildRequest{Owner: hollowOwner, Quote: &quote}
	var intent swap.BuiltIntent
	intended := mints(`{"inputMint":"$IN","outputMint":"$OUT","inAmount":"1000","guaranteedOutAmount":"1990","estimatedOutAmount":"2000","transaction":"` + string(hollowTransaction(0)) + `","lastValidBlockHeight":9}`)
	require.NoError(t, json.Unmarshal([]byte(intended), &intent))
	order := swap.OrderRequest{Owner: hollowOwner, InputMint: mintIn, OutputMint: mintOut, Amount: 1000}

	r.add("GET /order", `{"outAmount":"2000","minOutAmount":"1990","priceImpactPct":"0.1","executionMode":"sync","transaction":"AQID","routePlan":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, quoteErr := c.QuoteOrder(ctx, order, o...)
		_, err := c.BuildOrder(ctx, order, o...)
		return both(quoteErr, err)
	}).more = 1
	r.add("GET /order-status", `{"status":"open","inAmount":"1","outAmount":"2","fills":[],"reverts":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetOrderStatus(ctx, swap.OrderStatusRequest{Signature: wiretest.Signature(7)}, o...)
		return err
	})
	r.add("GET /quote", mints(quoted), func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetQuote(ctx, swap.QuoteRequest{InputMint: mintIn, OutputMint: mintOut, Amount: 1000}, o...)
		return err
	})
	r.add("POST /swap", `{"swapTransaction":"AQID","lastValidBlockHeight":9}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildSwap(ctx, build, o...)
		return err
	})
	r.add("POST /swap-instructions", `{"instructions":[{"programId":"P","accounts":[],"data":"AQID"}],"addressLookupTableAddresses":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildSwapInstructions(ctx, build, o...)
		return err
	})
	r.add("GET /intent", intended, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildIntent(ctx, swap.IntentRequest{InputMint: mintIn, OutputMint: mintOut, Amount: 1000, Owner: hollowOwner}, o...)
		return err
	})
	r.add("POST /submit-intent", `{"orderId":"o-1","status":"submitted","openSignature":"`+wiretest.Signature(7)+`","estimatedFillTime":3}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.SubmitIntent(ctx, swap.SubmitIntentRequest{Transaction: hollowTransaction(7), Intent: &intent}, o...)
		return err
	}).more = 1 // order-status, which says nothing either
	r.add("GET /tokens", `{"tokens":["M1"]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListTokens(ctx, o...)
		return err
	})
	r.add("GET /tokens-with-decimals", `{"tokens":[{"mint":"M1","decimals":6}]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListTokensWithDecimals(ctx, o...)
		return err
	})
	r.add("GET /venues", `{"venues":[{"name":"A","id":"a","enabled":true}]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListVenues(ctx, o...)
		return err
	})
	r.add("GET /prediction-market-init", mints(`{"transaction":"AQID","marketInfo":{"mint":"$IN"}}`), func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildPredictionMarketInit(ctx, swap.PredictionMarketInitRequest{MarketMint: mintIn, Owner: hollowOwner}, o...)
		return err
	})
	return r.rows
}

func hollowAMM(t *testing.T) []hollow {
	r := rowsOf[amm.Client]{service: sandbox.AMM, client: func(o walletfi.Options) (*amm.Client, error) {
		return amm.New(amm.Config{TradeURL: somewhere, DataURL: somewhere, Pause: new(time.Duration), Options: o})
	}}
	type c = amm.Client
	quoted := mints(`{"id":"1","success":true,"data":{"inputMint":"$IN","outputMint":"$OUT","inAmount":"1000","outAmount":"2000","otherAmountThreshold":"1990","priceImpactPct":"0","routePlan":[]}}`)
	req := amm.QuoteRequest{InputMint: mintIn, OutputMint: mintOut, Amount: 1000, Slippage: walletfi.SlippageBps(50)}
	backwards := req
	backwards.Amount = 2000
	quote := func(get func(*c) (*amm.Quote, error)) *amm.Quote {
		carrier := &wiretest.Carrier{Answers: []wiretest.Answer{{Status: 200, Body: quoted}}}
		client, err := r.client(walletfi.Options{HTTPClient: carrier.Client()})
		require.NoError(t, err)
		q, err := get(client)
		require.NoError(t, err)
		return q
	}
	in := quote(func(c *c) (*amm.Quote, error) { return c.QuoteBaseIn(t.Context(), req) })
	out := quote(func(c *c) (*amm.Quote, error) { return c.QuoteBaseOut(t.Context(), backwards) })

	r.add("GET /compute/swap-base-in", quoted, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.QuoteBaseIn(ctx, req, o...)
		return err
	}).payload = "data"
	r.add("GET /compute/swap-base-out", quoted, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.QuoteBaseOut(ctx, backwards, o...)
		return err
	}).payload = "data"
	for route, q := range map[string]*amm.Quote{"POST /transaction/swap-base-in": in, "POST /transaction/swap-base-out": out} {
		r.add(route, `{"id":"1","success":true,"data":[{"transaction":"AQID"}]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
			_, err := c.BuildSwap(ctx, amm.SwapRequest{Quote: q, Owner: hollowOwner}, o...)
			return err
		}).payload = "data"
	}
	r.add("GET /main/auto-fee", `{"id":"1","success":true,"data":{"default":{"vh":3,"h":2,"m":1}}}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetAutoFee(ctx, o...)
		return err
	}).payload = "data"
	const shape = `{"id":"1","success":true,"data":{"a":1}}`
	r.add("GET /mint/list", shape, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListMints(ctx, o...)
		return err
	}).payload = "data"
	r.add("GET /mint/price", shape, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetMintPrices(ctx, []string{mintIn}, o...)
		return err
	}).payload = "data"
	r.add("GET /pools/info/ids", shape, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetPools(ctx, []string{"P1"}, o...)
		return err
	}).payload = "data"
	r.add("GET /pools/info/mint", shape, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListPoolsByMints(ctx, amm.PoolsByMintsRequest{Mint1: mintIn}, o...)
		return err
	}).payload = "data"
	r.add("GET /pools/info/list", shape, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListPools(ctx, amm.PoolsRequest{}, o...)
		return err
	}).payload = "data"
	return r.rows
}

func hollowProviderSwap(*testing.T) []hollow {
	r := rowsOf[providerswap.Client]{service: sandbox.ProviderSwap, client: func(o walletfi.Options) (*providerswap.Client, error) {
		return providerswap.New(providerswap.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: o})
	}}
	type c = providerswap.Client
	quote := providerswap.QuoteRequest{SrcMint: mintIn, DstMint: mintOut, AmountIn: 1000, Slippage: walletfi.SlippageBps(0)}
	all := providerswap.QuotesV1Request{FromMint: mintIn, ToMint: mintOut, Amount: 1000, Slippage: walletfi.SlippageBps(0)}
	one := providerswap.QuoteV1Request{QuotesV1Request: all, Provider: "alpha"}
	built := `{"transaction":"` + string(hollowTransaction(0)) + `"}`

	r.add("GET /api/v2/quote", `{"srcAmountIn":"1000","destAmountOut":"2000","destAmountOutMin":"1990","routePlan":[],"txn":"AQID"}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, quoteErr := c.GetQuote(ctx, quote, o...)
		_, err := c.BuildSwap(ctx, providerswap.BuildRequest{QuoteRequest: quote, Owner: hollowOwner}, o...)
		return both(quoteErr, err)
	}).more = 1
	r.add("GET /api/v1/quote", `{"outAmount":"2000"}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetQuoteV1(ctx, one, o...)
		return err
	})
	r.add("GET /api/v1/quote/all", `{"quotes":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListQuotesV1(ctx, all, o...)
		return err
	})
	r.add("GET /api/v1/swap", built, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildSwapV1(ctx, providerswap.BuildV1Request{QuoteV1Request: one, Owner: hollowOwner}, o...)
		return err
	}).found = "transaction"
	r.add("GET /api/v1/swap/bundle", `{"bundleId":"b-1"}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.SendBundle(ctx, hollowTransaction(7), o...)
		return err
	})
	r.add("GET /api/v1/fee/custom", built, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildFeeTransfer(ctx, providerswap.FeeTransferRequest{Owner: hollowOwner, Receiver: mintIn, Lamports: 5}, o...)
		return err
	}).found = "transaction"
	return r.rows
}

func hollowBurnClose(t *testing.T) []hollow {
	r := rowsOf[burnclose.Client]{service: sandbox.BurnClose, client: func(o walletfi.Options) (*burnclose.Client, error) {
		return burnclose.New(burnclose.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: o})
	}}
	type c = burnclose.Client
	burn := burnclose.BurnRequest{Owner: hollowOwner, AssetID: mintIn}
	closing := burnclose.CloseRequest{Owner: hollowOwner, AssetID: mintIn}
	all := burnclose.CloseAllRequest{Owner: hollowOwner}
	const (
		built        = `{"serializedTransaction":"Ldp","reclaimedLamports":5}`
		instructions = `{"instructions":[{"programId":"P","accounts":[],"data":""}]}`
		preview      = `{"fees":{"service":0}}`
	)
	sent := `{"signature":"` + wiretest.Signature(7) + `","sent":true}`

	r.add("POST /burn", built, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildBurn(ctx, burn, o...)
		return err
	})
	r.add("POST /burn/preview", preview, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.PreviewBurn(ctx, burn, o...)
		return err
	})
	r.add("POST /burn-instructions", instructions, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildBurnInstructions(ctx, burn, o...)
		return err
	})
	r.add("POST /close", built, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildClose(ctx, closing, o...)
		return err
	})
	r.add("POST /close/preview", preview, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.PreviewClose(ctx, closing, o...)
		return err
	})
	r.add("POST /close-instructions", instructions, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildCloseInstructions(ctx, closing, o...)
		return err
	})
	r.add("POST /batch/close-all", `{"transactions":[],"accountsClosed":0}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildCloseAll(ctx, all, o...)
		return err
	})
	r.add("POST /batch/close-all/preview", preview, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.PreviewCloseAll(ctx, all, o...)
		return err
	})
	r.add("POST /batch/close-all/summary", `{"count":0}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.SummarizeCloseAll(ctx, all, o...)
		return err
	})
	r.add("POST /batch/close-all-instructions", `{"instructions":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BuildCloseAllInstructions(ctx, all, o...)
		return err
	}).found = "instructions:list"
	r.add("POST /transactions/send", sent, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.SendTransaction(ctx, burnclose.SendRequest{Transaction: hollowTransaction(7)}, o...)
		return err
	})
	r.add("POST /transactions/send-batch", `{"results":[`+sent+`]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.SendBatch(ctx, burnclose.SendBatchRequest{Transactions: []walletfi.EncodedTransaction{hollowTransaction(7)}}, o...)
		return err
	}).found = "results:list"
	r.add("POST /transactions/status", `{"signature":"`+wiretest.Signature(7)+`","found":false,"status":null}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetTransactionStatus(ctx, burnclose.StatusRequest{Signature: wiretest.Signature(7)}, o...)
		return err
	})
	r.add("POST /api-keys/generate", `{"apiKey":"k-1"}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GenerateAPIKey(ctx, nil, o...)
		return err
	}).found = "apiKey"
	for route, get := range map[string]func(*c, context.Context, ...walletfi.CallOption) ([]byte, error){
		"GET /": (*c).GetHealth, "GET /openapi.json": (*c).GetOpenAPI, "GET /.well-known/api-catalog": (*c).GetAPICatalog,
		"GET /llms.txt": (*c).GetLLMsText, "GET /llms.md": (*c).GetLLMsMarkdown, "GET /llms-full.txt": (*c).GetLLMsFull, "GET /DOCS.md": (*c).GetDocs,
	} {
		r.add(route, `{"status":"ok"}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
			_, err := get(c, ctx, o...)
			return err
		})
	}
	return r.rows
}
