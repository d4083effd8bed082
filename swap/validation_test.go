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
	for name, row := range map[string]struct {
		change func(*swap.OrderRequest)
		want   []string
	}{
		"everything missing":   {func(r *swap.OrderRequest) { *r = swap.OrderRequest{Owner: user} }, []string{"amount", "inputMint", "outputMint"}},
		"input not base58":     {func(r *swap.OrderRequest) { r.InputMint = "0" }, []string{"inputMint"}},
		"output too short":     {func(r *swap.OrderRequest) { r.OutputMint = usdc[4:] }, []string{"outputMint"}},
		"the same mint":        {func(r *swap.OrderRequest) { r.OutputMint = sol }, []string{"outputMint"}},
		"slippage below 0":     {func(r *swap.OrderRequest) { r.Slippage = walletfi.SlippageBps(-1) }, []string{"slippageBps"}},
		"slippage above all":   {func(r *swap.OrderRequest) { r.Slippage = walletfi.SlippageBps(10_001) }, []string{"slippageBps"}},
		"market slippage":      {func(r *swap.OrderRequest) { r.PredictionMarketSlippage = walletfi.SlippageBps(10_001) }, []string{"predictionMarketSlippageBps"}},
		"platform fee":         {func(r *swap.OrderRequest) { r.PlatformFeeBps = new(-1) }, []string{"platformFeeBps"}},
		"platform fee scale":   {func(r *swap.OrderRequest) { r.PlatformFeeScale = new(-1) }, []string{"platformFeeScale"}},
		"unknown level":        {func(r *swap.OrderRequest) { r.PriorityFee = swap.PriorityAt("turbo") }, []string{"prioritizationFeeLamports.priorityLevel"}},
		"multiplier 0":         {func(r *swap.OrderRequest) { r.PriorityFee = swap.PriorityMultiplied(0, 1) }, []string{"prioritizationFeeLamports.autoMultiplier"}},
		"multiplier not known": {func(r *swap.OrderRequest) { r.PriorityFee = swap.PriorityMultiplied(math.NaN(), 1) }, []string{"prioritizationFeeLamports.autoMultiplier"}},
		"multiplier infinite":  {func(r *swap.OrderRequest) { r.PriorityFee = swap.PriorityMultiplied(math.Inf(1), 1) }, []string{"prioritizationFeeLamports.autoMultiplier"}},
		"multiplier uncapped":  {func(r *swap.OrderRequest) { r.PriorityFee = swap.PriorityMultiplied(1, 0) }, []string{"prioritizationFeeLamports.maxLamports"}},
		"tip 0":                {func(r *swap.OrderRequest) { r.PriorityFee = swap.PriorityBundleTip(0) }, []string{"prioritizationFeeLamports.bundleTipLamports"}},
	} {
		t.Run(name, func(t *testing.T) {
			req := good
			row.change(&req)
			_, err := c.QuoteOrder(t.Context(), req)
			wiretest.Refused(t, err, row.want...)
			_, err = c.BuildOrder(t.Context(), req)
			wiretest.Refused(t, err, row.want...)
		})
	}
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
	for name, row := range map[string]struct {
		change func(*swap.QuoteRequest)
		want   []string
	}{
		"everything missing": {func(r *swap.QuoteRequest) { *r = swap.QuoteRequest{} }, []string{"amount", "inputMint", "outputMint"}},
		"the same mint":      {func(r *swap.QuoteRequest) { r.InputMint = usdc }, []string{"outputMint"}},
		"slippage":           {func(r *swap.QuoteRequest) { r.Slippage = walletfi.SlippageBps(10_001) }, []string{"slippageBps"}},
		"a comma":            {func(r *swap.QuoteRequest) { r.Dexes = []string{"a", "b,c"} }, []string{"dexes[1]"}},
		"a blank venue":      {func(r *swap.QuoteRequest) { r.ExcludeDexes = []string{""} }, []string{"excludeDexes[0]"}},
		"platform fee":       {func(r *swap.QuoteRequest) { r.PlatformFeeBps = new(10_001) }, []string{"platformFeeBps"}},
		"platform fee mode":  {func(r *swap.QuoteRequest) { r.PlatformFeeMode = "both" }, []string{"platformFeeMode"}},
		"no route":           {func(r *swap.QuoteRequest) { r.MaxRouteLength = new(0) }, []string{"maxRouteLength"}},
	} {
		t.Run(name, func(t *testing.T) {
			req := good
			row.change(&req)
			_, err := c.GetQuote(t.Context(), req)
			wiretest.Refused(t, err, row.want...)
		})
	}
}

func TestSwapRefused(t *testing.T) {
	c := unreachable(t)
	for name, row := range map[string]struct {
		change func(*swap.BuildRequest)
		want   []string
	}{
		"everything missing":   {func(r *swap.BuildRequest) { *r = swap.BuildRequest{} }, []string{"quoteResponse", "userPublicKey"}},
		"a quote of one's own": {func(r *swap.BuildRequest) { r.Quote = &swap.Quote{InAmount: 1} }, []string{"quoteResponse"}},
		"an empty quote":       {func(r *swap.BuildRequest) { r.Quote = &swap.Quote{Raw: walletfi.Document(`{}`)} }, []string{"quoteResponse"}},
		"a null for a quote":   {func(r *swap.BuildRequest) { r.Quote = &swap.Quote{Raw: walletfi.Document(`null`)} }, []string{"quoteResponse"}},
		"a quote that is none": {func(r *swap.BuildRequest) { r.Quote = &swap.Quote{Raw: walletfi.Document(`{"a":`)} }, []string{"quoteResponse"}},
		"user not base58":      {func(r *swap.BuildRequest) { r.Owner = "W1" }, []string{"userPublicKey"}},
		"two priority fees": {func(r *swap.BuildRequest) {
			r.ComputeUnitPriceMicroLamports = new(uint64(0))
			r.PriorityFee = swap.PriorityDisabled()
		}, []string{"computeUnitPriceMicroLamports"}},
		"priority fee": {func(r *swap.BuildRequest) { r.PriorityFee = swap.PriorityBundleTip(0) }, []string{"prioritizationFeeLamports.bundleTipLamports"}},
		"fee account":  {func(r *swap.BuildRequest) { r.FeeAccount = "x" }, []string{"feeAccount"}},
		"destination missing": {func(r *swap.BuildRequest) {
			r.DestinationTokenAccount = &swap.DestinationTokenAccount{CreateIfNeeded: true}
		}, []string{"destinationTokenAccount.address"}},
		"sponsor":              {func(r *swap.BuildRequest) { r.Sponsor = "x" }, []string{"sponsor"}},
		"surplus without mode": {func(r *swap.BuildRequest) { r.PositiveSlippage = &swap.PositiveSlippage{Bps: 1} }, []string{"positiveSlippage.mode"}},
		"surplus above all":    {func(r *swap.BuildRequest) { r.PositiveSlippage = &swap.PositiveSlippage{Mode: "split", Bps: 10_001} }, []string{"positiveSlippage.bps"}},
		"freshness below 0":    {func(r *swap.BuildRequest) { r.Freshness = &swap.Freshness{MaxAge: -1} }, []string{"freshness.maxAge", "quoteResponse"}},
		"freshness below none": {func(r *swap.BuildRequest) {
			r.Freshness = &swap.Freshness{MaxPriceImpactPct: wiretest.Decimal(t, "-1")}
		}, []string{"freshness.maxPriceImpactPct", "priceImpactPct"}},
		"a price impact to far": {func(r *swap.BuildRequest) {
			r.Freshness = &swap.Freshness{MaxPriceImpactPct: wiretest.Decimal(t, "0.0999")}
		}, []string{"priceImpactPct"}},
	} {
		t.Run(name, func(t *testing.T) {
			req := swap.BuildRequest{Owner: user, Quote: plainQuote(t)}
			row.change(&req)
			_, err := c.BuildSwap(t.Context(), req)
			wiretest.Refused(t, err, row.want...)
			_, err = c.BuildSwapInstructions(t.Context(), req)
			wiretest.Refused(t, err, row.want...)
		})
	}
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
	for name, row := range map[string]struct {
		change func(*swap.Config)
		want   []string
	}{
		"no base URL":      {func(c *swap.Config) { c.BaseURL = "" }, []string{"baseURL"}},
		"plain HTTP":       {func(c *swap.Config) { c.BaseURL = "http://swap.test" }, []string{"baseURL"}},
		"a broken key":     {func(c *swap.Config) { c.APIKey = walletfi.NewSecret("a\nb") }, []string{"apiKey"}},
		"an empty budget":  {func(c *swap.Config) { c.Budgets = []ratelimit.Budget{{Requests: 1}} }, []string{"Budget.Per"}},
		"a negative age":   {func(c *swap.Config) { c.Freshness.MaxAge = -time.Second }, []string{"freshness.maxAge"}},
		"a negative limit": {func(c *swap.Config) { c.Freshness.MaxPriceImpactPct = wiretest.Decimal(t, "-0.1") }, []string{"freshness.maxPriceImpactPct"}},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := good
			row.change(&cfg)
			c, err := swap.New(cfg)
			require.Nil(t, c)
			wiretest.Refused(t, err, row.want...)
		})
	}
	_, err := swap.New(good)
	require.NoError(t, err, "a key is optional")
}
