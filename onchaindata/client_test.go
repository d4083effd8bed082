package onchaindata_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// TestTier: host and header go together, and no second key header is sent.
func TestTier(t *testing.T) {
	for _, row := range []struct {
		tier               onchaindata.Tier
		host, with, others string
	}{
		{"", "demo.test", "x-demo-api-key", "x-pro-api-key"},
		{onchaindata.TierDemo, "demo.test", "x-demo-api-key", "x-pro-api-key"},
		{onchaindata.TierPro, "pro.test", "x-pro-api-key", "x-demo-api-key"},
	} {
		c, wire := carriedClient(t, onchaindata.Config{Tier: row.tier}, answer{Status: 200, Body: `{"data":[]}`})
		require.NoError(t, wiretest.Error(c.ListNetworks(t.Context(), onchaindata.NetworksRequest{})))
		sent := wire.Seen[0]
		require.Equal(t, row.host, sent.URL.Host)
		require.Equal(t, "/api/v3/onchain/networks", sent.URL.Path)
		require.Equal(t, []string{"k-123456"}, sent.Header.Values(row.with))
		require.Empty(t, sent.Header.Values(row.others))
		keys := 0
		for name := range sent.Header {
			if strings.HasSuffix(strings.ToLower(name), "api-key") {
				keys++
			}
		}
		require.Equal(t, 1, keys)
	}
}

func TestConfigRefused(t *testing.T) {
	good := onchaindata.Config{DemoBaseURL: "https://demo.test/api/v3/onchain", APIKey: walletfi.NewSecret("k-123456")}
	wiretest.ConfigsRefused(t, onchaindata.New, good, map[string]func(*onchaindata.Config){
		"no demo URL: demoBaseURL":      func(c *onchaindata.Config) { c.DemoBaseURL = "" },
		"demo URL for pro: proBaseURL":  func(c *onchaindata.Config) { c.Tier = onchaindata.TierPro },
		"pro URL for demo: demoBaseURL": func(c *onchaindata.Config) { c.ProBaseURL, c.DemoBaseURL = c.DemoBaseURL, "" },
		"plain http: demoBaseURL":       func(c *onchaindata.Config) { c.DemoBaseURL = "http://demo.test" },
		"no key: apiKey":                func(c *onchaindata.Config) { c.APIKey = walletfi.Secret{} },
		"key with line break: apiKey":   func(c *onchaindata.Config) { c.APIKey = walletfi.NewSecret("k-1\r\nx: y") },
		"unknown tier: tier":            func(c *onchaindata.Config) { c.Tier = "enterprise" },
		"a budget of none: budgets[1].Requests": func(c *onchaindata.Config) {
			c.Budgets = []ratelimit.Budget{{Requests: 1, Per: time.Minute}, {Per: time.Minute}}
		},
		"a budget for ever: budgets[0].Per": func(c *onchaindata.Config) { c.Budgets = []ratelimit.Budget{{Requests: 1}} },
		"two words for one: deployment.services.onchaindata.keys.symbol": func(c *onchaindata.Config) {
			c.Deployment = wiretest.Words{Keys: map[string]string{"name": "x", "symbol": "x"}}.Of("onchaindata")
		},
		"two at once: apiKey, tier": func(c *onchaindata.Config) { c.APIKey, c.Tier = walletfi.Secret{}, "gold" },
	})
}

// TestBudgets: none of our own, and those that the program names are kept.
func TestBudgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		free, _ := carriedClient(t, onchaindata.Config{}, answer{Status: 200, Body: `{"data":[]}`})
		began := time.Now()
		for range 1000 {
			require.NoError(t, wiretest.Error(free.ListNetworks(t.Context(), onchaindata.NetworksRequest{})))
		}
		require.Zero(t, time.Since(began))

		budget := []ratelimit.Budget{{Requests: 2, Per: time.Minute}}
		bound, wire := carriedClient(t, onchaindata.Config{Budgets: budget}, answer{Status: 200, Body: `{"data":[]}`})
		budget[0].Requests = 100
		for range 3 {
			require.NoError(t, wiretest.Error(bound.ListNetworks(t.Context(), onchaindata.NetworksRequest{})))
		}
		require.GreaterOrEqual(t, time.Since(began), time.Minute)
		require.Len(t, wire.Seen, 3)

		shared, _ := carriedClient(t, onchaindata.Config{Options: walletfi.Options{
			MaxQueueWait: new(time.Duration(0)), Limiter: func(ratelimit.Scope) ratelimit.Limiter { return bound.Limiter(onchaindata.ClassAll) },
		}}, answer{Status: 200, Body: `{"data":[]}`})
		require.NoError(t, wiretest.Error(shared.ListNetworks(t.Context(), onchaindata.NetworksRequest{})))
		_, err := shared.ListNetworks(t.Context(), onchaindata.NetworksRequest{})
		require.ErrorIs(t, err, walletfi.ErrRateLimited)
	})
}

// TestRetries: every call reads, and is repeated.
func TestRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, wire := carriedClient(t, onchaindata.Config{},
			answer{Err: http.ErrHandlerTimeout}, answer{Status: 500}, answer{Status: 429, Header: map[string]string{"Retry-After": "7"}}, answer{Status: 200, Body: `{"data":[]}`})
		began := time.Now()
		require.NoError(t, wiretest.Error(c.ListTrades(t.Context(), "solana", "P1", onchaindata.TradesRequest{})))
		require.Len(t, wire.Seen, 4)
		require.GreaterOrEqual(t, time.Since(began), 7*time.Second)
	})
}
