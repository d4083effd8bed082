package hollow

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/swap"
)

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

const swapQuoted = `{"inputMint":"$IN","outputMint":"$OUT","inAmount":"1000","outAmount":"2000","minOutAmount":"1990","otherAmountThreshold":"1990",
	"priceImpactPct":"0.1","slippageBps":0,"contextSlot":9,"forBundle":false,"platformFee":{"amount":0,"feeBps":0}}`

func hollowQuote() *swap.Quote {
	var quote swap.Quote
	if err := json.Unmarshal([]byte(mints(swapQuoted)), &quote); err != nil {
		panic(err)
	}
	return &quote
}

func hollowSwap(t *testing.T) []hollow {
	r := rows{service: sandbox.Swap}
	type c = swap.Client
	build := swap.BuildRequest{Owner: hollowOwner, Quote: hollowQuote()}
	var intent swap.BuiltIntent
	intended := mints(`{"inputMint":"$IN","outputMint":"$OUT","inAmount":"1000","slippageBps":0,"guaranteedOutAmount":"1990","estimatedOutAmount":"2000","transaction":"` + string(hollowTransaction(0)) + `","lastValidBlockHeight":9}`)
	require.NoError(t, json.Unmarshal([]byte(intended), &intent))
	order := swap.OrderRequest{Owner: hollowOwner, InputMint: mintIn, OutputMint: mintOut, Amount: 1000}

	r.add("GET /order", `{"outAmount":"2000","minOutAmount":"1990","priceImpactPct":"0.1","executionMode":"sync","transaction":"AQID","routePlan":[],
		"computeUnitLimit":7,"lastValidBlockHeight":9,"prioritizationFeeLamports":0}`,
		(*c).QuoteOrder, order).also((*c).BuildOrder, order).more = 1
	r.add("GET /order-status", `{"status":"open","inAmount":"1","outAmount":"2","fills":[],"reverts":[]}`,
		(*c).GetOrderStatus, swap.OrderStatusRequest{Signature: wiretest.Signature(7)})
	r.add("GET /quote", mints(swapQuoted),
		(*c).GetQuote, swap.QuoteRequest{InputMint: mintIn, OutputMint: mintOut, Amount: 1000})
	r.add("POST /swap", `{"swapTransaction":"AQID","computeUnitLimit":7,"lastValidBlockHeight":9,"prioritizationFeeLamports":0}`, (*c).BuildSwap, build)
	r.add("POST /swap-instructions", mints(`{"instructions":[{"programId":"$IN","accounts":[],"data":"AQID"}],"addressLookupTableAddresses":[],"computeUnitLimit":7}`),
		(*c).BuildSwapInstructions, build)
	r.add("GET /intent", intended,
		(*c).BuildIntent, swap.IntentRequest{InputMint: mintIn, OutputMint: mintOut, Amount: 1000, Owner: hollowOwner})
	r.add("POST /submit-intent", `{"orderId":"o-1","status":"submitted","openSignature":"`+wiretest.Signature(7)+`","estimatedFillTime":3}`,
		(*c).SubmitIntent, swap.SubmitIntentRequest{Transaction: hollowTransaction(7), Intent: &intent}).more = 1 // order-status, which says nothing either
	r.add("GET /tokens", mints(`{"tokens":["$IN"]}`), (*c).ListTokens)
	r.add("GET /tokens-with-decimals", mints(`{"tokens":[{"mint":"$IN","decimals":6}]}`), (*c).ListTokensWithDecimals)
	r.add("GET /venues", `{"venues":[{"name":"A","id":"a","enabled":true}]}`, (*c).ListVenues)
	r.add("GET /prediction-market-init", mints(`{"transaction":"AQID","marketInfo":{"mint":"$IN"}}`),
		(*c).BuildPredictionMarketInit, swap.PredictionMarketInitRequest{MarketMint: mintIn, Owner: hollowOwner})
	return r.rows
}

func hollowAMM(t *testing.T) []hollow {
	r := rows{service: sandbox.AMM}
	type c = amm.Client
	quoted := mints(`{"id":"1","success":true,"data":{"inputMint":"$IN","outputMint":"$OUT","inAmount":"1000","outAmount":"2000","otherAmountThreshold":"1990","priceImpactPct":"0","routePlan":[{"poolId":"P","feeAmount":"1","inputMint":"$IN","outputMint":"$OUT"}]}}`)
	req := amm.QuoteRequest{InputMint: mintIn, OutputMint: mintOut, Amount: 1000, Slippage: walletfi.SlippageBps(50)}
	backwards, dear := req, strings.Replace(quoted, "1990", "1005", 1)
	backwards.Amount = 2000
	quote := func(answer string, get func(*c) (*amm.Quote, error)) *amm.Quote {
		carrier := &wiretest.Carrier{Answers: []wiretest.Answer{{Status: 200, Body: answer}}}
		client, err := clients[sandbox.AMM](walletfi.Options{HTTPClient: carrier.Client()})
		require.NoError(t, err)
		q, err := get(client.(*c))
		require.NoError(t, err)
		return q
	}
	in := quote(quoted, func(c *c) (*amm.Quote, error) { return c.QuoteBaseIn(t.Context(), req) })
	out := quote(dear, func(c *c) (*amm.Quote, error) { return c.QuoteBaseOut(t.Context(), backwards) })

	r.add("GET /compute/swap-base-in", quoted, (*c).QuoteBaseIn, req).payload = "data"
	r.add("GET /compute/swap-base-out", dear, (*c).QuoteBaseOut, backwards).payload = "data"
	for route, q := range map[string]*amm.Quote{"POST /transaction/swap-base-in": in, "POST /transaction/swap-base-out": out} {
		r.add(route, `{"id":"1","success":true,"data":[{"transaction":"AQID"}]}`,
			(*c).BuildSwap, amm.BuildRequest{Quote: q, Owner: hollowOwner}).payload = "data"
	}
	r.add("GET /main/auto-fee", `{"id":"1","success":true,"data":{"default":{"vh":3,"h":2,"m":1}}}`, (*c).GetAutoFee).payload = "data"
	const shape = `{"id":"1","success":true,"data":{"a":1,"b":2}}`
	r.add("GET /mint/list", shape, (*c).ListMints).payload = "data"
	r.add("GET /mint/price", shape, (*c).GetMintPrices, []string{mintIn}).payload = "data"
	r.add("GET /pools/info/ids", shape, (*c).ListPoolsByIDs, amm.PoolsByIDsRequest{IDs: []string{"P1"}}).payload = "data"
	r.add("GET /pools/info/mint", shape, (*c).ListPoolsByMints, amm.PoolsByMintsRequest{Mint1: mintIn}).payload = "data"
	r.add("GET /pools/info/list", shape, (*c).ListPools, amm.PoolsRequest{}).payload = "data"
	return r.rows
}

func hollowProviderSwap(*testing.T) []hollow {
	r := rows{service: sandbox.ProviderSwap}
	type c = providerswap.Client
	quote := providerswap.QuoteRequest{InputMint: mintIn, OutputMint: mintOut, Amount: 1000, Slippage: walletfi.SlippageBps(50)}
	all := providerswap.QuotesV1Request{InputMint: mintIn, OutputMint: mintOut, Amount: 1000, Slippage: walletfi.SlippageBps(0)}
	one := providerswap.QuoteV1Request{QuotesV1Request: all, Provider: "alpha"}
	built := `{"transaction":"` + string(hollowTransaction(0)) + `"}`

	r.add("GET /api/v2/quote", `{"srcAmountIn":"1000","destAmountOut":"2000","destAmountOutMin":"1990","priceImpactPct":"0.1","routePlan":[],"txn":"AQID"}`,
		(*c).GetQuote, quote).also((*c).BuildSwap, providerswap.BuildRequest{QuoteRequest: quote, Owner: hollowOwner}).more = 1
	r.add("GET /api/v1/quote", `{"a":1,"outAmount":"2000"}`, (*c).GetQuoteV1, one).named = true
	r.add("GET /api/v1/quote/all", `{"a":1,"quotes":[]}`, (*c).ListQuotesV1, all).listed = true
	r.add("GET /api/v1/swap", built,
		(*c).BuildSwapV1, providerswap.BuildV1Request{QuoteV1Request: one, Owner: hollowOwner, MinReceive: 1}).found = "transaction"
	r.add("GET /api/v1/swap/bundle", `{"bundleId":"b-1"}`, (*c).SendBundle, hollowTransaction(7))
	r.add("GET /api/v1/fee/custom", built,
		(*c).BuildFeeTransfer, providerswap.FeeTransferRequest{Owner: hollowOwner, Receiver: mintIn, Lamports: 5}).found = "transaction"
	return r.rows
}

func hollowBurnClose(t *testing.T) []hollow {
	r := rows{service: sandbox.BurnClose}
	type c = burnclose.Client
	burn := burnclose.BurnRequest{Owner: hollowOwner, AssetID: mintIn}
	closing := burnclose.CloseRequest{Owner: hollowOwner, AssetID: mintIn}
	all := burnclose.CloseAllRequest{Owner: hollowOwner}
	const (
		built        = `{"serializedTransaction":"Ldp","reclaimedLamports":5}`
		instructions = `{"instructions":[{"programId":"11111111111111111111111111111111","accounts":[],"data":""}]}`
		preview      = `{"fees":{"service":0},"reclaimedLamports":0}`
	)
	sent := `{"signature":"` + wiretest.Signature(7) + `","sent":true}`

	r.add("POST /burn", built, (*c).BuildBurn, burn)
	r.add("POST /burn/preview", preview, (*c).PreviewBurn, burn)
	r.add("POST /burn-instructions", instructions, (*c).BuildBurnInstructions, burn)
	r.add("POST /close", built, (*c).BuildClose, closing)
	r.add("POST /close/preview", preview, (*c).PreviewClose, closing)
	r.add("POST /close-instructions", instructions, (*c).BuildCloseInstructions, closing)
	r.add("POST /batch/close-all", `{"transactions":[],"accountsClosed":0}`, (*c).BuildCloseAll, all)
	r.add("POST /batch/close-all/preview", preview, (*c).PreviewCloseAll, all)
	r.add("POST /batch/close-all/summary", preview, (*c).SummarizeCloseAll, all)
	r.add("POST /batch/close-all-instructions", `{"instructions":[]}`, (*c).BuildCloseAllInstructions, all).found = "instructions:list"
	r.add("POST /transactions/send", sent, (*c).SendTransaction, burnclose.SendRequest{Transaction: hollowTransaction(7)})
	r.add("POST /transactions/send-batch", `{"results":[`+sent+`]}`,
		(*c).SendBatch, burnclose.SendBatchRequest{Transactions: []walletfi.EncodedTransaction{hollowTransaction(7)}}).found = "results:list"
	r.add("POST /transactions/status", `{"signature":"`+wiretest.Signature(7)+`","found":false,"status":null}`,
		(*c).GetTransactionStatus, burnclose.StatusRequest{Signature: wiretest.Signature(7)})
	r.add("POST /api-keys/generate", `{"apiKey":"k-1"}`, (*c).GenerateAPIKey, nil).found = "apiKey"
	for route, get := range map[string]func(*c, context.Context, ...walletfi.CallOption) ([]byte, error){
		"GET /": (*c).GetHealth, "GET /openapi.json": (*c).GetOpenAPI, "GET /.well-known/api-catalog": (*c).GetAPICatalog,
		"GET /llms.txt": (*c).GetLLMsText, "GET /llms.md": (*c).GetLLMsMarkdown, "GET /llms-full.txt": (*c).GetLLMsFull, "GET /DOCS.md": (*c).GetDocs,
	} {
		r.add(route, `{"status":"ok"}`, get)
	}
	return r.rows
}
