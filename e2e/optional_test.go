package e2e

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/smartaccount"
	"github.com/walletfi/walletfi-go/swap"
)

// TestOptionalNumbersArePointers: in every request of every client method, a
// number or boolean that need not be sent is a pointer, so that 0 and false can
// be said.
func TestOptionalNumbersArePointers(t *testing.T) {
	requests := requestTypes(t)
	require.Greater(t, len(requests), 50)
	fields := 0
	for _, request := range requests {
		eachField(request, func(f reflect.StructField) {
			fields++
			name := request.String() + "." + f.Name
			if because, ok := plainNumbers[name]; ok {
				require.NotEmpty(t, because)
				return
			}
			require.False(t, isNumber(f.Type) && mayBeLeftOut(f), "%s is optional and no pointer", name)
		})
	}
	require.Greater(t, fields, 200)
}

// plainNumbers are fields without a tag that are no optional parameter.
var plainNumbers = map[string]string{
	"burnclose.SendRequest.ConfirmationTimeout":      "the service takes 1,000 ms or more, never 0",
	"burnclose.SendRequest.PollInterval":             "the service takes 100 ms or more, never 0",
	"burnclose.SendBatchRequest.ConfirmationTimeout": "the service takes 1,000 ms or more, never 0",
	"burnclose.SendBatchRequest.PollInterval":        "the service takes 100 ms or more, never 0",
	"burnclose.WaitRequest.MinWait":                  "it is not sent",
	"burnclose.WaitRequest.MaxWait":                  "it is not sent",
	"swap.WaitOrderRequest.LastValidBlockHeight":     "it is a result of BuildOrder, where 0 means unknown",
	"swap.WaitOrderRequest.NotFoundFor":              "it is not sent",
	"swap.WaitOrderRequest.MinWait":                  "it is not sent",
	"swap.WaitOrderRequest.MaxWait":                  "it is not sent",
	"providerswap.BuildV1Request.MaxTipLamports":     "it is not sent",
	"providerswap.BuildV1Request.MinReceive":         "it is not sent",
	"amm.BuildRequest.MaxSpend":                      "it is not sent",
}

// requestTypes are the requests of all methods of all clients.
func requestTypes(t *testing.T) []reflect.Type {
	t.Helper()
	seen := map[reflect.Type]bool{}
	var found []reflect.Type
	for _, service := range sandbox.Services() {
		client := flows.Clients[service]
		require.NotNil(t, client, "clients has no %s", service)
		for i := range client.NumMethod() {
			method := client.Method(i).Type
			for j := range method.NumIn() {
				in := method.In(j)
				ours := strings.HasPrefix(in.PkgPath(), "github.com/walletfi/walletfi-go/")
				if ours && in.Kind() == reflect.Struct && in != reflect.TypeFor[predictmeta.StreamRequest]() && !seen[in] {
					seen[in] = true
					found = append(found, in)
				}
			}
		}
	}
	return found
}

// eachField walks the exported fields of a struct and of those embedded in it.
func eachField(t reflect.Type, visit func(reflect.StructField)) {
	for _, f := range reflect.VisibleFields(t) {
		if f.IsExported() && !f.Anonymous {
			visit(f)
		}
	}
}

func isNumber(t reflect.Type) bool {
	return t.Kind() == reflect.Bool || t.Kind() >= reflect.Int && t.Kind() <= reflect.Float64
}

// mayBeLeftOut reports whether a field's zero value is not sent, or might not be.
func mayBeLeftOut(f reflect.StructField) bool {
	tag := f.Tag.Get("url") + f.Tag.Get("json")
	return tag == "" || tag == "-" || strings.Contains(tag, "omit")
}

// mute answers everything with 500, and keeps what it was sent.
type mute struct {
	base     string
	requests int
	sent     map[string]any // query and body
	text     string         // the body
}

func muted(t *testing.T) *mute {
	m := &mute{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.requests++
		m.sent = map[string]any{}
		b, _ := io.ReadAll(r.Body)
		if m.text = string(b); len(b) > 0 {
			if err := json.Unmarshal(b, &m.sent); err != nil {
				t.Error(err)
			}
		}
		for name, values := range r.URL.Query() {
			m.sent[name] = values[0]
		}
		w.WriteHeader(http.StatusInternalServerError)
	}))
	t.Cleanup(server.Close)
	m.base = server.URL
	return m
}

// TestZeroAndFalseAreSent: each optional number and boolean that the services
// document reaches them as 0 or false, and is absent if the field is nil.
func TestZeroAndFalseAreSent(t *testing.T) {
	m := muted(t)
	key, once := walletfi.NewSecret("k"), walletfi.Options{Retry: walletfi.RetryPolicy{MaxRetries: new(0)}}
	a, mintA, mintB := wiretest.Address(1), wiretest.Address(2), wiretest.Address(3)
	ctx, z, no := t.Context(), new(0), new(false)

	lend := flows.Must(lending.New(lending.Config{BaseURL: m.base, APIKey: key, Options: once}))
	account := flows.Must(smartaccount.New(smartaccount.Config{BaseURL: m.base + "/api/v1", Token: walletfi.Token{Access: key}, Options: once}))
	lever := flows.Must(leverage.New(leverage.Config{BaseURL: m.base, APIKey: key, Options: once}))
	meta := flows.Must(predictmeta.New(predictmeta.Config{BaseURL: m.base, APIKey: key, Options: once}))
	swaps := flows.Must(swap.New(swap.Config{BaseURL: m.base, APIKey: key, Options: once}))
	pools := flows.Must(amm.New(amm.Config{TradeURL: m.base, DataURL: m.base, Options: once, Pause: new(time.Duration)}))
	provider := flows.Must(providerswap.New(providerswap.Config{BaseURL: m.base, APIKey: key, Options: once}))
	burn := flows.Must(burnclose.New(burnclose.Config{BaseURL: m.base, APIKey: key, Options: once}))
	chain := flows.Must(onchaindata.New(onchaindata.Config{DemoBaseURL: m.base + "/api/v3/onchain", APIKey: key, Options: once}))

	pair := providerswap.QuotesV1Request{InputMint: mintA, OutputMint: mintB, Amount: 1, Slippage: walletfi.SlippageBps(0)}
	terms := burnclose.Terms{AsLegacyTransaction: no, ComputeUnitPriceMicroLamports: new(uint64(0))}
	relay := burnclose.RelayOptions{SkipPreflight: no, MaxRetries: z, MinContextSlot: new(uint64(0)), WaitForConfirmation: no}
	signed := walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(wiretest.Transaction(7)))
	for name, row := range map[string]struct {
		params string // the optional numbers and booleans
		zero   func() error
	}{
		"lending.BuildDeposit": {"priorityFee protectedAmount regularAmount", func() error {
			return second(lend.BuildDeposit(ctx, lending.DepositRequest{Owner: a, Mint: mintA, DepositType: lending.DepositRegular, Amount: 1,
				ComputeUnitPriceMicroLamports: new(uint64(0)), ProtectedAmount: new(walletfi.Amount(0)), RegularAmount: new(walletfi.Amount(0))}))
		}},
		"lending.BuildWithdraw": {"priorityFee", func() error {
			return second(lend.BuildWithdraw(ctx, lending.WithdrawRequest{Owner: a, Mint: mintA, WithdrawType: lending.DepositRegular, Amount: 1, ComputeUnitPriceMicroLamports: new(uint64(0))}))
		}},
		"lending.ListHistory": {"limit offset", func() error {
			return second(lend.ListHistory(ctx, a, lending.HistoryRequest{Limit: z, Offset: z}))
		}},
		"smartaccount.ListTransactions": {"limit offset", func() error {
			return second(account.ListTransactions(ctx, "acc_1", smartaccount.TransactionsRequest{Limit: z, Offset: z}))
		}},
		"leverage.ListOffers": {"includeTokens limit offset", func() error {
			return second(lever.ListOffers(ctx, leverage.OffersRequest{IncludeTokens: no, Limit: z, Offset: z}))
		}},
		"leverage.ListPositions": {"limit offset", func() error {
			return second(lever.ListPositions(ctx, leverage.PositionsRequest{Owner: a, Limit: z, Offset: z}))
		}},
		"leverage.ListTradeHistory": {"limit offset", func() error {
			return second(lever.ListTradeHistory(ctx, leverage.TradeHistoryRequest{Owner: a, Limit: z, Offset: z}))
		}},
		"leverage.SendTransaction": {"mevProtect", func() error {
			return second(lever.SendTransaction(ctx, leverage.SendRequest{Transaction: flows.Must(signed.Base58()), MEVProtect: no}))
		}},
		"predictmeta.GetEvent": {"include_markets", func() error {
			return second(meta.GetEvent(ctx, "T", predictmeta.EventRequest{IncludeMarkets: no}))
		}},
		"predictmeta.ListEvents": {"limit offset", func() error {
			return second(meta.ListEvents(ctx, predictmeta.EventsRequest{Limit: z, Offset: z}))
		}},
		"predictmeta.ListMarkets": {"limit offset", func() error {
			return second(meta.ListMarkets(ctx, predictmeta.MarketsRequest{Limit: z, Offset: z}))
		}},
		"predictmeta.ListOutcomeMints": {"min_close_timestamp", func() error {
			return second(meta.ListOutcomeMints(ctx, predictmeta.OutcomeMintsRequest{MinClose: time.Unix(0, 0)}))
		}},
		"predictmeta.GetOrderBook": {"depth", func() error {
			return second(meta.GetOrderBook(ctx, "T", predictmeta.OrderBookRequest{Depth: z}))
		}},
		"predictmeta.ListTrades": {"limit offset", func() error {
			return second(meta.ListTrades(ctx, predictmeta.TradesRequest{Limit: z, Offset: z}))
		}},
		"predictmeta.ListTradesByMint": {"limit offset", func() error {
			return second(meta.ListTradesByMint(ctx, mintA, predictmeta.TradesRequest{Limit: z, Offset: z}))
		}},
		"predictmeta.Search": {"limit", func() error {
			return second(meta.Search(ctx, predictmeta.SearchRequest{Query: "q", Limit: z}))
		}},
		"swap.BuildOrder": {"slippageBps predictionMarketSlippageBps platformFeeBps platformFeeScale prioritizationFeeLamports", func() error {
			return second(swaps.QuoteOrder(ctx, swap.OrderRequest{InputMint: mintA, OutputMint: mintB, Amount: 1, Slippage: walletfi.SlippageBps(0),
				PredictionMarketSlippage: walletfi.SlippageBps(0), PlatformFeeBps: z, PlatformFeeScale: z, PrioritizationFee: swap.PriorityLamports(0)}))
		}},
		"swap.GetOrderStatus": {"lastValidBlockHeight", func() error {
			return second(swaps.GetOrderStatus(ctx, swap.OrderStatusRequest{Signature: wiretest.Signature(7), LastValidBlockHeight: new(uint64(0))}))
		}},
		"swap.GetQuote": {"slippageBps platformFeeBps sponsoredSwap destinationSwap onlyDirectRoutes onlyJitRoutes forBundle", func() error {
			return second(swaps.GetQuote(ctx, swap.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 1, Slippage: walletfi.SlippageBps(0),
				PlatformFeeBps: z, SponsoredSwap: no, DestinationSwap: no, OnlyDirectRoutes: no, OnlyJITRoutes: no, ForBundle: no}))
		}},
		"amm.ListPools": {"pageSize page", func() error {
			return second(pools.ListPools(ctx, amm.PoolsRequest{Limit: z, Page: z}))
		}},
		"providerswap.BuildSwapV1": {"feeLamports priorityMicroLamports mevSafe gasless", func() error {
			return second(provider.BuildSwapV1(ctx, providerswap.BuildV1Request{
				QuoteV1Request: providerswap.QuoteV1Request{QuotesV1Request: pair, Provider: "p"}, Owner: a, FeeReceiver: a, MinReceive: 1,
				FeeLamports: new(walletfi.Amount(0)), ComputeUnitPriceMicroLamports: new(uint64(0)), MEVSafe: no, Gasless: no}))
		}},
		"burnclose.BuildBurn": {"asLegacyTransaction priorityFeeMicroLamports partnerFeeBps autoCloseTokenAccounts", func() error {
			return second(burn.BuildBurn(ctx, burnclose.BurnRequest{Owner: a, AssetID: mintA, AutoCloseTokenAccounts: no,
				Terms: burnclose.Terms{AsLegacyTransaction: no, ComputeUnitPriceMicroLamports: new(uint64(0)), PartnerFeeAccount: a, PartnerFeeBps: z}}))
		}},
		"burnclose.BuildClose": {"asLegacyTransaction priorityFeeMicroLamports", func() error {
			return second(burn.BuildClose(ctx, burnclose.CloseRequest{Owner: a, AssetID: mintA, Terms: terms}))
		}},
		"burnclose.BuildCloseAll": {"offset limit asLegacyTransaction priorityFeeMicroLamports", func() error {
			return second(burn.BuildCloseAll(ctx, burnclose.CloseAllRequest{Owner: a, Offset: z, Limit: z, Terms: terms}))
		}},
		"burnclose.SendTransaction": {"skipPreflight maxRetries minContextSlot waitForConfirmation", func() error {
			return second(burn.SendTransaction(ctx, burnclose.SendRequest{Transaction: signed, RelayOptions: relay}))
		}},
		"burnclose.SendBatch": {"skipPreflight maxRetries minContextSlot waitForConfirmation", func() error {
			return second(burn.SendBatch(ctx, burnclose.SendBatchRequest{Transactions: []walletfi.EncodedTransaction{signed}, RelayOptions: relay}))
		}},
		"burnclose.GetTransactionStatus": {"searchTransactionHistory", func() error {
			return second(burn.GetTransactionStatus(ctx, burnclose.StatusRequest{Signature: wiretest.Signature(7), SearchTransactionHistory: no}))
		}},
		"onchaindata.GetTokenPrices": {"include_market_cap mcap_fdv_fallback include_24hr_vol include_24hr_price_change include_total_reserve_in_usd", func() error {
			return second(chain.GetTokenPrices(ctx, "n", []string{"a"}, onchaindata.TokenPricesRequest{MarketCap: no, FDVForCap: no, Volume24h: no, PriceChange24h: no, TotalReserve: no}))
		}},
		"onchaindata.GetToken": {"include_composition include_inactive_source", func() error {
			return second(chain.GetToken(ctx, "n", "a", onchaindata.TokenRequest{Composition: no, InactiveSource: no}))
		}},
		"onchaindata.GetPool": {"include_volume_breakdown include_composition", func() error {
			return second(chain.GetPool(ctx, "n", "a", onchaindata.PoolRequest{VolumeBreakdown: no, Composition: no}))
		}},
		"onchaindata.ListTopPools": {"page", func() error {
			return second(chain.ListTopPools(ctx, "n", onchaindata.TopPoolsRequest{Page: z}))
		}},
		"onchaindata.ListTrendingPools": {"page include_gt_community_data", func() error {
			return second(chain.ListTrendingPools(ctx, onchaindata.TrendingPoolsRequest{Page: z, CommunityData: no}))
		}},
		"onchaindata.ListNetworkTrendingPools": {"page include_gt_community_data", func() error {
			return second(chain.ListNetworkTrendingPools(ctx, "n", onchaindata.TrendingPoolsRequest{Page: z, CommunityData: no}))
		}},
		"onchaindata.SearchPools": {"page", func() error {
			return second(chain.SearchPools(ctx, onchaindata.SearchPoolsRequest{Page: z}))
		}},
		"onchaindata.FilterPools": {"min_reserve_in_usd max_reserve_in_usd min_h24_volume_usd max_h24_volume_usd min_h24_tx_count page", func() error {
			zero := flows.Must(walletfi.NewDecimal("0"))
			return second(chain.FilterPools(ctx, onchaindata.FilterPoolsRequest{Page: z, MinReserveUSD: zero, MaxReserveUSD: zero, MinVolumeUSD24h: zero, MaxVolumeUSD24h: zero, MinTransactions24h: z}))
		}},
		"onchaindata.ListPoolCandles": {"before_timestamp", func() error {
			return second(chain.ListPoolCandles(ctx, "n", "a", onchaindata.CandlesRequest{Timeframe: onchaindata.TimeframeDay, Before: time.Unix(0, 0)}))
		}},
		"onchaindata.ListDEXes": {"page", func() error {
			return second(chain.ListDEXes(ctx, "n", onchaindata.DEXesRequest{Page: z}))
		}},
		"onchaindata.ListTrades": {"trade_volume_in_usd_greater_than", func() error {
			return second(chain.ListTrades(ctx, "n", "a", onchaindata.TradesRequest{MinVolumeUSD: flows.Must(walletfi.NewDecimal("0"))}))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			m.requests = 0
			require.ErrorIs(t, row.zero(), errServer)
			require.Equal(t, 1, m.requests)
			for param := range strings.FieldsSeq(row.params) {
				require.Contains(t, m.sent, param)
				require.Contains(t, []any{"0", "false", float64(0), false}, m.sent[param], param)
			}
		})
	}
}

// TestDecimalsArePlain: no request has a number with an exponent.
func TestDecimalsArePlain(t *testing.T) {
	m := muted(t)
	key, once := walletfi.NewSecret("k"), walletfi.Options{Retry: walletfi.RetryPolicy{MaxRetries: new(0)}}
	a, b, small := wiretest.Address(1), wiretest.Address(2), walletfi.MustDecimal("25e-8")
	lever := flows.Must(leverage.New(leverage.Config{BaseURL: m.base, APIKey: key, Options: once}))
	swaps := flows.Must(swap.New(swap.Config{BaseURL: m.base, APIKey: key, Options: once}))
	chain := flows.Must(onchaindata.New(onchaindata.Config{DemoBaseURL: m.base + "/api/v3/onchain", APIKey: key, Options: once}))

	require.ErrorIs(t, second(lever.QuoteOpen(t.Context(), leverage.QuoteRequest{Offer: a, Owner: b, CollateralAmount: 1, Leverage: small, Slippage: walletfi.SlippageBps(0)})), errServer)
	require.Contains(t, m.text, `"leverage":0.00000025`)
	require.ErrorIs(t, second(swaps.QuoteOrder(t.Context(), swap.OrderRequest{InputMint: a, OutputMint: b, Amount: 1, PrioritizationFee: swap.PriorityMultiplied(2.5e-7, 1)})), errServer)
	require.Equal(t, `{"autoMultiplier":0.00000025,"maxLamports":1}`, m.sent["prioritizationFeeLamports"])
	require.ErrorIs(t, second(chain.FilterPools(t.Context(), onchaindata.FilterPoolsRequest{MinReserveUSD: small, MaxReserveUSD: walletfi.MustDecimal("1E3")})), errServer)
	require.Equal(t, map[string]any{"min_reserve_in_usd": "0.00000025", "max_reserve_in_usd": "1000"}, m.sent)
	require.ErrorIs(t, second(chain.ListTrades(t.Context(), "n", "a", onchaindata.TradesRequest{MinVolumeUSD: small})), errServer)
	require.Equal(t, map[string]any{"trade_volume_in_usd_greater_than": "0.00000025"}, m.sent)
	require.ErrorIs(t, second(chain.FilterPools(t.Context(), onchaindata.FilterPoolsRequest{MinReserveUSD: walletfi.MustDecimal("1e2000")})), walletfi.ErrInvalidRequest)
}

func second[T any](_ T, err error) error {
	var answer *walletfi.ResponseError
	if errors.As(err, &answer) {
		return errServer
	}
	return err
}

// errServer is the error of a call that reached the server.
var errServer = errors.New("the server's answer")
