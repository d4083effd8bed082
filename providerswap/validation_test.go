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
	good := providerswap.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 1, Slippage: walletfi.SlippageBps(0)}
	given := func() providerswap.QuoteRequest { return good }
	wiretest.ChangesRefused(t, given, map[string]func(*providerswap.QuoteRequest){
		"nothing: amount_in, dst_mint, slippage_bps, src_mint": func(r *providerswap.QuoteRequest) {
			*r = providerswap.QuoteRequest{}
		},
		"no addresses: dst_mint, src_mint": func(r *providerswap.QuoteRequest) { r.InputMint, r.OutputMint = "SOL", "0" },
		"negative slippage: slippage_bps":  func(r *providerswap.QuoteRequest) { r.Slippage = walletfi.SlippageBps(-1) },
		"more than all: slippage_bps":      func(r *providerswap.QuoteRequest) { r.Slippage = walletfi.SlippageBps(10_001) },
	},
		func(req providerswap.QuoteRequest) error { return wiretest.Error(c.GetQuote(t.Context(), req)) },
		func(req providerswap.QuoteRequest) error {
			return wiretest.Error(c.BuildSwap(t.Context(), providerswap.BuildRequest{QuoteRequest: req, Owner: owner}))
		})
	_, err := c.BuildSwap(t.Context(), providerswap.BuildRequest{QuoteRequest: good})
	wiretest.Refused(t, err, "user_account")
}

func TestV1RequestsRefused(t *testing.T) {
	c := unreachable(t)
	given := func() providerswap.BuildV1Request {
		return providerswap.BuildV1Request{QuoteV1Request: quoteV1(), Owner: owner, MinReceive: 1}
	}
	wiretest.ChangesRefused(t, given, map[string]func(*providerswap.BuildV1Request){
		"no floor: minReceive": func(r *providerswap.BuildV1Request) { r.MinReceive = 0 },
		"nothing: amount, fromMint, minReceive, owner, provider, slippage, toMint": func(r *providerswap.BuildV1Request) {
			*r = providerswap.BuildV1Request{}
		},
		"slippage: slippage":                 func(r *providerswap.BuildV1Request) { r.Slippage = walletfi.SlippageBps(10_001) },
		"a provider's name: provider":        func(r *providerswap.BuildV1Request) { r.Provider = "Alpha" },
		"a provider with blanks: provider":   func(r *providerswap.BuildV1Request) { r.Provider = "alpha amm" },
		"a pool's name: pool":                func(r *providerswap.BuildV1Request) { r.Pool = "SOL/USDC" },
		"a fee without payee: feeReceiver":   func(r *providerswap.BuildV1Request) { r.FeeLamports = new(walletfi.Amount(1)) },
		"a payee without a fee: feeLamports": func(r *providerswap.BuildV1Request) { r.FeeReceiver = other },
		"a fee for no address: feeReceiver": func(r *providerswap.BuildV1Request) {
			r.FeeLamports, r.FeeReceiver = new(walletfi.Amount(1)), "me"
		},
		"gasless into a token: gasless": func(r *providerswap.BuildV1Request) { r.Gasless = new(true) },
		"no sponsor's address: sponsor": func(r *providerswap.BuildV1Request) { r.Sponsor = "x" },
	},
		func(req providerswap.BuildV1Request) error { return wiretest.Error(c.BuildSwapV1(t.Context(), req)) })
	_, err := c.GetQuoteV1(t.Context(), providerswap.QuoteV1Request{QuotesV1Request: quotesV1()})
	wiretest.Refused(t, err, "provider")
	_, err = c.ListQuotesV1(t.Context(), providerswap.QuotesV1Request{InputMint: mintA, OutputMint: mintA, Slippage: walletfi.SlippageBps(0)})
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
	second, _ := carried(t, walletfi.Options{Limiter: func(ratelimit.Scope) ratelimit.Limiter { return first.Limiter(providerswap.ClassAll) }}, always(200, `{}`))
	require.Same(t, first.Limiter(providerswap.ClassAll), second.Limiter(providerswap.ClassAll))
}

// The recommendations, as they are documented.
func TestRecommendedSlippage(t *testing.T) {
	require.Equal(t, []int{5, 10}, []int{providerswap.StableSlippageMin, providerswap.StableSlippageMax})
	require.Equal(t, []int{10, 50}, []int{providerswap.MajorSlippageMin, providerswap.MajorSlippageMax})
	require.Equal(t, []int{50, 100}, []int{providerswap.VolatileSlippageMin, providerswap.VolatileSlippageMax})
	require.Equal(t, 10, providerswap.ArbitrageSlippageBps)
}
