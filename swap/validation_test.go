package swap_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/swap"
)

func TestOrderRefused(t *testing.T) {
	c := unreachable(t)
	good := swap.OrderRequest{Owner: user, InputMint: sol, OutputMint: usdc, Amount: 1}
	wiretest.ChangesRefused(t, func() swap.OrderRequest { return good }, map[string]func(*swap.OrderRequest){
		"everything missing: amount, inputMint, outputMint": func(r *swap.OrderRequest) {
			*r = swap.OrderRequest{Owner: user}
		},
		"input not base58: inputMint":     func(r *swap.OrderRequest) { r.InputMint = "0" },
		"output too short: outputMint":    func(r *swap.OrderRequest) { r.OutputMint = usdc[4:] },
		"the same mint: outputMint":       func(r *swap.OrderRequest) { r.OutputMint = sol },
		"slippage below 0: slippageBps":   func(r *swap.OrderRequest) { r.Slippage = walletfi.SlippageBps(-1) },
		"slippage above all: slippageBps": func(r *swap.OrderRequest) { r.Slippage = walletfi.SlippageBps(10_001) },
		"market slippage: predictionMarketSlippageBps": func(r *swap.OrderRequest) {
			r.PredictionMarketSlippage = walletfi.SlippageBps(10_001)
		},
		"platform fee: platformFeeBps":         func(r *swap.OrderRequest) { r.PlatformFeeBps = new(-1) },
		"platform fee scale: platformFeeScale": func(r *swap.OrderRequest) { r.PlatformFeeScale = new(-1) },
		"unknown level: prioritizationFeeLamports.priorityLevel": func(r *swap.OrderRequest) {
			r.PrioritizationFee = swap.PriorityAt("turbo")
		},
		"multiplier 0: prioritizationFeeLamports.autoMultiplier": func(r *swap.OrderRequest) {
			r.PrioritizationFee = swap.PriorityMultiplied(0, 1)
		},
		"multiplier not known: prioritizationFeeLamports.autoMultiplier": func(r *swap.OrderRequest) {
			r.PrioritizationFee = swap.PriorityMultiplied(math.NaN(), 1)
		},
		"multiplier infinite: prioritizationFeeLamports.autoMultiplier": func(r *swap.OrderRequest) {
			r.PrioritizationFee = swap.PriorityMultiplied(math.Inf(1), 1)
		},
		"multiplier uncapped: prioritizationFeeLamports.maxLamports": func(r *swap.OrderRequest) {
			r.PrioritizationFee = swap.PriorityMultiplied(1, 0)
		},
		"tip 0: prioritizationFeeLamports.bundleTipLamports": func(r *swap.OrderRequest) {
			r.PrioritizationFee = swap.PriorityBundleTip(0)
		},
	},
		func(req swap.OrderRequest) error { return wiretest.Error(c.QuoteOrder(t.Context(), req)) },
		func(req swap.OrderRequest) error { return wiretest.Error(c.BuildOrder(t.Context(), req)) })
	for _, user := range []string{"", "W1"} {
		req := good
		req.Owner = user
		_, err := c.BuildOrder(t.Context(), req)
		wiretest.Refused(t, err, "userPublicKey")
	}
}

func TestQuoteRefused(t *testing.T) {
	c := unreachable(t)
	good := swap.QuoteRequest{InputMint: sol, OutputMint: usdc, Amount: 1}
	wiretest.ChangesRefused(t, func() swap.QuoteRequest { return good }, map[string]func(*swap.QuoteRequest){
		"everything missing: amount, inputMint, outputMint": func(r *swap.QuoteRequest) { *r = swap.QuoteRequest{} },
		"the same mint: outputMint":                         func(r *swap.QuoteRequest) { r.InputMint = usdc },
		"slippage: slippageBps":                             func(r *swap.QuoteRequest) { r.Slippage = walletfi.SlippageBps(10_001) },
		"a comma: dexes[1]":                                 func(r *swap.QuoteRequest) { r.DEXes = []string{"a", "b,c"} },
		"a blank venue: excludeDexes[0]":                    func(r *swap.QuoteRequest) { r.ExcludeDEXes = []string{""} },
		"platform fee: platformFeeBps":                      func(r *swap.QuoteRequest) { r.PlatformFeeBps = new(10_001) },
		"platform fee mode: platformFeeMode":                func(r *swap.QuoteRequest) { r.PlatformFeeMode = "both" },
		"no route: maxRouteLength":                          func(r *swap.QuoteRequest) { r.MaxRouteLength = new(0) },
	}, func(req swap.QuoteRequest) error { return wiretest.Error(c.GetQuote(t.Context(), req)) })
}

func TestSwapRefused(t *testing.T) {
	c := unreachable(t)
	given := func() swap.BuildRequest { return swap.BuildRequest{Owner: user, Quote: plainQuote(t)} }
	wiretest.ChangesRefused(t, given, map[string]func(*swap.BuildRequest){
		"everything missing: quoteResponse, userPublicKey": func(r *swap.BuildRequest) { *r = swap.BuildRequest{} },
		"a quote of one's own: quoteResponse":              func(r *swap.BuildRequest) { r.Quote = &swap.Quote{InAmount: 1} },
		"an empty quote: quoteResponse":                    func(r *swap.BuildRequest) { r.Quote = &swap.Quote{Raw: walletfi.Document(`{}`)} },
		"a null for a quote: quoteResponse": func(r *swap.BuildRequest) {
			r.Quote = &swap.Quote{Raw: walletfi.Document(`null`)}
		},
		"a quote that is none: quoteResponse": func(r *swap.BuildRequest) {
			r.Quote = &swap.Quote{Raw: walletfi.Document(`{"a":`)}
		},
		"user not base58: userPublicKey": func(r *swap.BuildRequest) { r.Owner = "W1" },
		"two priority fees: computeUnitPriceMicroLamports": func(r *swap.BuildRequest) {
			r.ComputeUnitPriceMicroLamports = new(uint64(0))
			r.PrioritizationFee = swap.PriorityDisabled()
		},
		"priority fee: prioritizationFeeLamports.bundleTipLamports": func(r *swap.BuildRequest) {
			r.PrioritizationFee = swap.PriorityBundleTip(0)
		},
		"fee account: feeAccount": func(r *swap.BuildRequest) { r.FeeAccount = "x" },
		"destination missing: destinationTokenAccount.address": func(r *swap.BuildRequest) {
			r.DestinationTokenAccount = &swap.DestinationTokenAccount{CreateIfNeeded: true}
		},
		"sponsor: sponsor": func(r *swap.BuildRequest) { r.Sponsor = "x" },
		"surplus without mode: positiveSlippage.mode": func(r *swap.BuildRequest) {
			r.PositiveSlippage = &swap.PositiveSlippage{Bps: 1}
		},
		"surplus above all: positiveSlippage.bps": func(r *swap.BuildRequest) {
			r.PositiveSlippage = &swap.PositiveSlippage{Mode: "split", Bps: 10_001}
		},
		"freshness below 0: freshness.maxAge, quoteResponse": func(r *swap.BuildRequest) {
			r.Freshness = &swap.Freshness{MaxAge: -1}
		},
		"freshness below none: freshness.maxPriceImpactPct, priceImpactPct": func(r *swap.BuildRequest) {
			r.Freshness = &swap.Freshness{MaxPriceImpactPct: wiretest.Decimal(t, "-1")}
		},
		"a price impact to far: priceImpactPct": func(r *swap.BuildRequest) {
			r.Freshness = &swap.Freshness{MaxPriceImpactPct: wiretest.Decimal(t, "0.0999")}
		},
	},
		func(req swap.BuildRequest) error { return wiretest.Error(c.BuildSwap(t.Context(), req)) },
		func(req swap.BuildRequest) error { return wiretest.Error(c.BuildSwapInstructions(t.Context(), req)) })
}

func TestIntentRefused(t *testing.T) {
	c := unreachable(t)
	_, err := c.BuildIntent(t.Context(), swap.IntentRequest{})
	wiretest.Refused(t, err, "amount", "inputMint", "outputMint", "userPublicKey")
	for _, bps := range []int{-1, 10_001} {
		_, err = c.BuildIntent(t.Context(), swap.IntentRequest{InputMint: sol, OutputMint: usdc, Amount: 1, Owner: user, Slippage: walletfi.SlippageBps(bps)})
		wiretest.Refused(t, err, "slippageBps")
	}
	_, err = c.SubmitIntent(t.Context(), swap.SubmitIntentRequest{Transaction: signedTransaction()})
	wiretest.Refused(t, err, "intentResponse")
	_, err = c.SubmitIntent(t.Context(), swap.SubmitIntentRequest{Transaction: signedTransaction(), Intent: &swap.BuiltIntent{}})
	wiretest.Refused(t, err, "intentResponse")
	_, err = c.SubmitIntent(t.Context(), swap.SubmitIntentRequest{Intent: builtIntent(t)})
	wiretest.Refused(t, err, "signedTransaction")
	_, err = c.SubmitIntent(t.Context(), swap.SubmitIntentRequest{Transaction: builtIntent(t).Transaction, Intent: builtIntent(t)})
	wiretest.Refused(t, err, "signedTransaction")
	require.ErrorContains(t, err, "without another signature")
}

func TestOthersRefused(t *testing.T) {
	c := unreachable(t)
	for _, bad := range []string{"", "x", strings.Repeat("1", 63), strings.Repeat("z", 1<<20)} {
		_, err := c.GetOrderStatus(t.Context(), swap.OrderStatusRequest{Signature: bad})
		wiretest.Refused(t, err, "signature")
		_, err = c.WaitOrder(t.Context(), swap.WaitOrderRequest{Signature: bad})
		wiretest.Refused(t, err, "signature")
	}
	_, err := c.WaitOrder(t.Context(), swap.WaitOrderRequest{Signature: signature, NotFoundFor: -1, MinWait: -1, MaxWait: -1})
	wiretest.Refused(t, err, "maxWait", "minWait", "notFoundFor")
	_, err = c.BuildPredictionMarketInit(t.Context(), swap.PredictionMarketInitRequest{})
	wiretest.Refused(t, err, "marketMint", "userPublicKey")
}

func TestConfigRefused(t *testing.T) {
	good := swap.Config{BaseURL: "https://swap.test"}
	wiretest.ConfigsRefused(t, swap.New, good, map[string]func(*swap.Config){
		"no base URL: baseURL":             func(c *swap.Config) { c.BaseURL = "" },
		"plain HTTP: baseURL":              func(c *swap.Config) { c.BaseURL = "http://swap.test" },
		"a broken key: apiKey":             func(c *swap.Config) { c.APIKey = walletfi.NewSecret("a\nb") },
		"an empty budget: budgets[0].Per":  func(c *swap.Config) { c.Budgets = []ratelimit.Budget{{Requests: 1}} },
		"a negative age: freshness.maxAge": func(c *swap.Config) { c.Freshness.MaxAge = -time.Second },
		"a negative limit: freshness.maxPriceImpactPct": func(c *swap.Config) {
			c.Freshness.MaxPriceImpactPct = wiretest.Decimal(t, "-0.1")
		},
	})
}
