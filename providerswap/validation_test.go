package providerswap_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// unreachable is a client whose server fails the test when it is asked.
func unreachable(t *testing.T) *providerswap.Client {
	t.Helper()
	server := wiretest.Unasked(t)
	return client(t, server.URL)
}

func TestV2RequestsRefused(t *testing.T) {
	c := unreachable(t)
	good := providerswap.QuoteRequest{SrcMint: mintA, DstMint: mintB, AmountIn: 1, Slippage: walletfi.SlippageBps(0)}
	for name, row := range map[string]struct {
		change func(*providerswap.QuoteRequest)
		want   []string
	}{
		"nothing":           {func(r *providerswap.QuoteRequest) { *r = providerswap.QuoteRequest{} }, []string{"amount_in", "dst_mint", "slippage_bps", "src_mint"}},
		"no addresses":      {func(r *providerswap.QuoteRequest) { r.SrcMint, r.DstMint = "SOL", "0" }, []string{"dst_mint", "src_mint"}},
		"negative slippage": {func(r *providerswap.QuoteRequest) { r.Slippage = walletfi.SlippageBps(-1) }, []string{"slippage_bps"}},
		"more than all":     {func(r *providerswap.QuoteRequest) { r.Slippage = walletfi.SlippageBps(10_001) }, []string{"slippage_bps"}},
	} {
		t.Run(name, func(t *testing.T) {
			req := good
			row.change(&req)
			_, err := c.GetQuote(t.Context(), req)
			wiretest.Refused(t, err, row.want...)
			_, err = c.BuildSwap(t.Context(), providerswap.BuildRequest{QuoteRequest: req, Owner: owner})
			wiretest.Refused(t, err, row.want...)
		})
	}
	_, err := c.BuildSwap(t.Context(), providerswap.BuildRequest{QuoteRequest: good})
	wiretest.Refused(t, err, "user_account")
}

func TestV1RequestsRefused(t *testing.T) {
	c := unreachable(t)
	for name, row := range map[string]struct {
		change func(*providerswap.BuildV1Request)
		want   []string
	}{
		"nothing":                {func(r *providerswap.BuildV1Request) { *r = providerswap.BuildV1Request{} }, []string{"amount", "fromMint", "owner", "provider", "slippage", "toMint"}},
		"slippage":               {func(r *providerswap.BuildV1Request) { r.Slippage = walletfi.SlippageBps(10_001) }, []string{"slippage"}},
		"a provider's name":      {func(r *providerswap.BuildV1Request) { r.Provider = "Alpha" }, []string{"provider"}},
		"a provider with blanks": {func(r *providerswap.BuildV1Request) { r.Provider = "alpha amm" }, []string{"provider"}},
		"a pool's name":          {func(r *providerswap.BuildV1Request) { r.Pool = "SOL/USDC" }, []string{"pool"}},
		"a fee without payee":    {func(r *providerswap.BuildV1Request) { r.FeeLamports = new(walletfi.Amount(1)) }, []string{"feeReceiver"}},
		"a payee without a fee":  {func(r *providerswap.BuildV1Request) { r.FeeReceiver = other }, []string{"feeLamports"}},
		"a fee for no address":   {func(r *providerswap.BuildV1Request) { r.FeeLamports, r.FeeReceiver = new(walletfi.Amount(1)), "me" }, []string{"feeReceiver"}},
		"gasless into a token":   {func(r *providerswap.BuildV1Request) { r.Gasless = new(true) }, []string{"gasless"}},
		"no sponsor's address":   {func(r *providerswap.BuildV1Request) { r.Sponsor = "x" }, []string{"sponsor"}},
	} {
		t.Run(name, func(t *testing.T) {
			req := providerswap.BuildV1Request{QuoteV1Request: quoteV1(), Owner: owner}
			row.change(&req)
			_, err := c.BuildSwapV1(t.Context(), req)
			wiretest.Refused(t, err, row.want...)
		})
	}
	_, err := c.GetQuoteV1(t.Context(), providerswap.QuoteV1Request{QuotesV1Request: quotesV1()})
	wiretest.Refused(t, err, "provider")
	_, err = c.ListQuotesV1(t.Context(), providerswap.QuotesV1Request{FromMint: mintA, ToMint: mintA, Slippage: walletfi.SlippageBps(0)})
	wiretest.Refused(t, err, "amount")
	_, err = c.BuildFeeTransfer(t.Context(), providerswap.FeeTransferRequest{})
	wiretest.Refused(t, err, "lamports", "payer", "receiver")
}

func TestBundleRefused(t *testing.T) {
	c := unreachable(t)
	for _, tx := range []walletfi.Base64Transaction{"", "AQID", "not base64", walletfi.Base64Transaction(mintA), walletfi.Base64Transaction(strings.Repeat("A", 1000))} {
		_, err := c.SendBundle(t.Context(), tx)
		wiretest.Refused(t, err, "signedTransaction")
		_, err = c.Submit(t.Context(), walletfi.Signed{Transaction: tx})
		wiretest.Refused(t, err, "signedTransaction")
	}
}

func TestConfig(t *testing.T) {
	for name, row := range map[string]struct {
		cfg  providerswap.Config
		want string
	}{
		"no key":         {providerswap.Config{BaseURL: "https://swap.test"}, "apiKey"},
		"a broken key":   {providerswap.Config{BaseURL: "https://swap.test", APIKey: walletfi.NewSecret("a\nb")}, "apiKey"},
		"no address":     {providerswap.Config{APIKey: walletfi.NewSecret("k-123456")}, "baseURL"},
		"plain http":     {providerswap.Config{BaseURL: "http://swap.test/api/v2", APIKey: walletfi.NewSecret("k-123456")}, "baseURL"},
		"with a query":   {providerswap.Config{BaseURL: "https://swap.test/api/v2?x=1", APIKey: walletfi.NewSecret("k-123456")}, "baseURL"},
		"a path, no URL": {providerswap.Config{BaseURL: "/api/v2", APIKey: walletfi.NewSecret("k-123456")}, "baseURL"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := providerswap.New(row.cfg)
			wiretest.Refused(t, err, row.want)
		})
	}
}

// Another client with the same key can share the limiter.
func TestLimiterIsShared(t *testing.T) {
	first, _ := carried(t, once, always(200, `{}`))
	second, _ := carried(t, walletfi.Options{Limiter: func(ratelimit.Scope) ratelimit.Limiter { return first.Limiter() }}, always(200, `{}`))
	require.Same(t, first.Limiter(), second.Limiter())
}

// The recommendations, as they are documented.
func TestRecommendedSlippage(t *testing.T) {
	require.Equal(t, []int{5, 10}, []int{providerswap.StableSlippageMin, providerswap.StableSlippageMax})
	require.Equal(t, []int{10, 50}, []int{providerswap.MajorSlippageMin, providerswap.MajorSlippageMax})
	require.Equal(t, []int{50, 100}, []int{providerswap.VolatileSlippageMin, providerswap.VolatileSlippageMax})
	require.Equal(t, 10, providerswap.ArbitrageSlippageBps)
}
