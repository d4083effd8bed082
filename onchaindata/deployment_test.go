package onchaindata_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/onchaindata"
)

// madeUp is a deployment with words of its own. Two of them are exchanged.
var madeUp = wiretest.Words{
	Headers:  map[string]string{"x-demo-api-key": "x-acme-demo", "x-pro-api-key": "x-acme-pro", "Retry-After": "X-Acme-Wait"},
	Segments: map[string]string{"trending_pools": "hot", "ohlcv": "bars", "pools": "markets"},
	Query:    map[string]string{"include": "with", "include_gt_community_data": "with_acme_data"},
	Keys: map[string]string{
		"attributes": "props", "included": "along", "gt_score": "acme_score", "fdv_usd": "market_cap_usd", "market_cap_usd": "fdv_usd",
		"h24": "d1", "ohlcv_list": "bars", "token_prices": "quotes", "kind": "way", "errors": "faults", "title": "what",
		"status": "state", "error_code": "fault_code", "error_message": "fault_text",
	},
	Values: map[string]map[string]string{"kind": {"buy": "bid"}, "type": {"token": "coin"}, "include": {"dex": "venue"}},
}

// spoken puts a file of testdata into the words of that deployment.
func spoken(t testing.TB, file string) string {
	t.Helper()
	var pairs []string
	for neutral, live := range madeUp.Keys {
		pairs = append(pairs, `"`+neutral+`":`, `"`+live+`":`)
	}
	pairs = append(pairs, `"kind": "buy"`, `"way": "bid"`, `"type": "token"`, `"type": "coin"`)
	live := strings.NewReplacer(pairs...).Replace(wiretest.File(t, file))
	require.NotEqual(t, wiretest.File(t, file), live)
	return live
}

// serving answers everything with reply.
func serving(t testing.TB, status int, reply string) *wiretest.Server {
	return wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, reply)
	})
}

// speaker is a client of base in the words of that deployment.
func speaker(t testing.TB, base string, tier onchaindata.Tier) *onchaindata.Client {
	t.Helper()
	c, err := onchaindata.New(onchaindata.Config{
		Tier: tier, DemoBaseURL: base + prefix, ProBaseURL: base + prefix, APIKey: walletfi.NewSecret("k-123456"),
		Options: walletfi.Options{Deployment: madeUp.Of("onchaindata"), Retry: walletfi.RetryPolicy{MaxRetries: new(0)}},
	})
	require.NoError(t, err)
	return c
}

// TestDeployment holds each answer in live words, those that are read by hand
// and the others, against the same in the documentation's.
func TestDeployment(t *testing.T) {
	solana := func(path string) string { return prefix + "/networks/solana" + path }
	for file, row := range map[string]struct {
		call   func(*onchaindata.Client) (any, error)
		target string
	}{
		"ListTrendingPools.json": {func(c *onchaindata.Client) (any, error) {
			return c.ListTrendingPools(t.Context(), onchaindata.TrendingPoolsRequest{
				CommunityData: new(true), Include: []onchaindata.PoolInclude{onchaindata.IncludeBaseToken, onchaindata.IncludeDEX},
			})
		}, prefix + "/networks/hot?with=base_token%2Cvenue&with_acme_data=true"},
		"GetPool.json": {func(c *onchaindata.Client) (any, error) {
			return c.GetPool(t.Context(), "solana", "pools", onchaindata.PoolRequest{})
		}, solana("/markets/pools")}, // an address is the caller's, whatever it says
		"ListPoolCandles.json": {func(c *onchaindata.Client) (any, error) {
			return c.ListPoolCandles(t.Context(), "solana", "P1", onchaindata.CandlesRequest{Timeframe: onchaindata.TimeframeDay})
		}, solana("/markets/P1/bars/day")},
		"ListTrades.json": {func(c *onchaindata.Client) (any, error) {
			return c.ListTrades(t.Context(), "solana", "P1", onchaindata.TradesRequest{})
		}, solana("/markets/P1/trades")},
		"GetToken.json": {func(c *onchaindata.Client) (any, error) {
			return c.GetToken(t.Context(), "solana", "So1", onchaindata.TokenRequest{})
		}, solana("/tokens/So1")},
		"GetTokenPrices.json": {func(c *onchaindata.Client) (any, error) {
			return c.GetTokenPrices(t.Context(), "solana", []string{"So1", "US1"}, onchaindata.TokenPricesRequest{})
		}, prefix + "/simple/networks/solana/token_price/So1,US1"},
	} {
		t.Run(file, func(t *testing.T) {
			asked := strings.NewReplacer(`"address": "P1"`, `"address": "pools"`, `"address":"P1"`, `"address":"pools"`).Replace
			want, err := row.call(client(t, serving(t, 200, asked(wiretest.File(t, file))).URL, onchaindata.TierDemo))
			require.NoError(t, err)
			server := serving(t, 200, asked(spoken(t, file)))
			got, err := row.call(speaker(t, server.URL, onchaindata.TierDemo))
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.Equal(t, row.target, server.Requests()[0].Target)
		})
	}
}

// TestDeploymentIsRead: the comparison above would hold between two zero values.
func TestDeploymentIsRead(t *testing.T) {
	c := speaker(t, serving(t, 200, spoken(t, "GetPool.json")).URL, onchaindata.TierDemo)
	var came walletfi.RawResponse
	pool, err := c.GetPool(t.Context(), "solana", "P1", onchaindata.PoolRequest{}, walletfi.WithRawResponse(&came))
	require.NoError(t, err)
	require.Equal(t, wiretest.Decimal(t, "7.0000000000000000001"), pool.FDVUSD, "not the market cap, whose word it has")
	require.True(t, pool.MarketCapUSD.IsZero())
	require.Equal(t, wiretest.Decimal(t, "12"), pool.PriceChange.H24)
	require.Equal(t, "SOL", pool.BaseToken.Symbol)
	require.Contains(t, pool.Raw.String(), `"attributes": {`, "in the words that Decode is used with")
	require.Equal(t, spoken(t, "GetPool.json"), string(came.Body), "as it came")

	c = speaker(t, serving(t, 200, spoken(t, "ListTrades.json")).URL, onchaindata.TierDemo)
	trades, err := c.ListTrades(t.Context(), "solana", "P1", onchaindata.TradesRequest{})
	require.NoError(t, err)
	require.Equal(t, []onchaindata.TradeKind{onchaindata.TradeBuy, "swap"}, []onchaindata.TradeKind{trades.Items[0].Kind, trades.Items[1].Kind})
}

// TestDeploymentOfKeys: one header, under the live name of the tier.
func TestDeploymentOfKeys(t *testing.T) {
	for tier, name := range map[onchaindata.Tier]string{onchaindata.TierDemo: "X-Acme-Demo", onchaindata.TierPro: "X-Acme-Pro"} {
		server := serving(t, 200, `{"data":[]}`)
		_, err := speaker(t, server.URL, tier).ListNetworks(t.Context(), onchaindata.NetworksRequest{})
		require.NoError(t, err)
		keys := http.Header{}
		for header, values := range server.Requests()[0].Header {
			if strings.HasPrefix(header, "X-") {
				keys[header] = values
			}
		}
		require.Equal(t, http.Header{name: {"k-123456"}}, keys)
	}
}

// TestDeploymentOfRefusals: both shapes, under 200 and with a status.
func TestDeploymentOfRefusals(t *testing.T) {
	for reply, row := range map[string]struct {
		status  int
		kind    error
		message string
	}{
		`{"faults":[{"state":"404","what":"gone"}]}`:                         {200, walletfi.ErrNotFound, "gone"},
		`{"state":{"fault_code":10005,"fault_text":"not on this plan"}}`:     {200, walletfi.ErrRejected, "10005: not on this plan"},
		`{"faults":[{"state":"401","what":"no key"}], "props": {"x": null}}`: {401, walletfi.ErrUnauthorized, "no key"},
	} {
		c := speaker(t, serving(t, row.status, reply).URL, onchaindata.TierDemo)
		_, err := c.GetPool(t.Context(), "solana", "P1", onchaindata.PoolRequest{})
		require.ErrorIs(t, err, row.kind, reply)
		e := wiretest.As[*onchaindata.Error](t, err)
		require.Equal(t, row.message, e.Response.Message)
		require.Equal(t, reply, string(e.Response.Body), "as it came")
	}
}

// TestDeploymentOfWaits: the service says how long under its own header's name.
func TestDeploymentOfWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, wire := carriedClient(t, onchaindata.Config{Options: walletfi.Options{Deployment: madeUp.Of("onchaindata")}},
			answer{Status: 429, Header: map[string]string{"X-Acme-Wait": "9"}}, answer{Status: 200, Body: `{"data":[]}`})
		began := time.Now()
		require.NoError(t, wiretest.Error(c.ListNetworks(t.Context(), onchaindata.NetworksRequest{})))
		require.Len(t, wire.Seen, 2)
		require.Equal(t, 9*time.Second, time.Since(began))
	})
}
