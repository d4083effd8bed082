package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/smartaccount"
	"github.com/walletfi/walletfi-go/socialsearch"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/webhooks"
)

// TestBaseURLs: each service takes its documented address, and refuses one whose
// prefix is missing or doubled with the right one in the error.
func TestBaseURLs(t *testing.T) {
	const host = "https://service.example.com"
	key := walletfi.NewSecret("k-123456")
	rows := map[string]struct {
		open  func(base string) error
		right string
		wrong []string
	}{
		"lending": {func(b string) error { return second(lending.New(lending.Config{BaseURL: b, APIKey: key})) }, "", []string{"/v1"}},
		"smartaccount": {func(b string) error { return second(smartaccount.New(smartaccount.Config{BaseURL: b})) },
			"/api/v1", []string{"", "/api", "/api/v1/api/v1"}},
		"leverage":    {func(b string) error { return second(leverage.New(leverage.Config{BaseURL: b})) }, "", []string{"/api/v1"}},
		"predictmeta": {func(b string) error { return second(predictmeta.New(predictmeta.Config{BaseURL: b})) }, "", []string{"/api/v1"}},
		"swap":        {func(b string) error { return second(swap.New(swap.Config{BaseURL: b})) }, "", nil},
		"amm":         {func(b string) error { return second(amm.New(amm.Config{TradeURL: b, DataURL: b})) }, "", nil},
		"providerswap": {func(b string) error {
			return second(providerswap.New(providerswap.Config{BaseURL: b, APIKey: key}))
		}, "/api/v2", []string{"/api/v2/api/v2", "/api/v1/api/v2/"}},
		"burnclose": {func(b string) error { return second(burnclose.New(burnclose.Config{BaseURL: b})) }, "", nil},
		"onchaindata": {func(b string) error {
			return second(onchaindata.New(onchaindata.Config{DemoBaseURL: b, APIKey: key}))
		}, "/api/v3/onchain", []string{"", "/api/v3/onchain/api/v3/onchain"}},
		"socialsearch": {func(b string) error {
			return second(socialsearch.New(socialsearch.Config{BaseURL: b, BearerToken: key}))
		}, "", []string{"/2"}},
		"webhooks": {func(b string) error { return second(webhooks.New(webhooks.Config{BaseURL: b, APIKey: key})) },
			"", []string{"/webhooks/rest/v1"}},
	}
	for _, service := range sandbox.Services() {
		require.Contains(t, rows, string(service), "no row")
	}
	require.Len(t, rows, len(sandbox.Services()))
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, row.open(host+row.right))
			require.NoError(t, row.open(host+"/gateway"+row.right+"/"))
			for _, path := range row.wrong {
				err := row.open(host + path)
				require.ErrorIs(t, err, walletfi.ErrInvalidRequest, path)
				if path != "/api" {
					require.ErrorContains(t, err, "must be "+host+row.right+";")
				}
			}
		})
	}
}
