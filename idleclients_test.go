package walletfi_test

import (
	"reflect"
	"runtime"
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
	"github.com/walletfi/walletfi-go/smartaccount"
	"github.com/walletfi/walletfi-go/socialsearch"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/webhooks"
)

// TestIdleClientsAreSmall: a client that waits takes at most 2 KB and no goroutine, so
// that a backend can have one for each of its users.
func TestIdleClientsAreSmall(t *testing.T) {
	key := walletfi.NewSecret("k-1234567890abcdef")
	made := map[string]func() (any, error){
		"lending": func() (any, error) {
			return lending.New(lending.Config{BaseURL: "https://a.test/v1", APIKey: key, Options: walletfi.Options{OwnRoutes: true}})
		},
		"smartaccount": func() (any, error) {
			return smartaccount.New(smartaccount.Config{BaseURL: "https://a.test/api/v1", Token: walletfi.Token{Access: key, Refresh: key}})
		},
		"leverage": func() (any, error) { return leverage.New(leverage.Config{BaseURL: "https://a.test", APIKey: key}) },
		"predictmeta": func() (any, error) {
			return predictmeta.New(predictmeta.Config{BaseURL: "https://a.test", APIKey: key, Options: walletfi.Options{OwnRoutes: true}})
		},
		"swap": func() (any, error) {
			return swap.New(swap.Config{BaseURL: "https://a.test", APIKey: key, Options: walletfi.Options{OwnRoutes: true}})
		},
		"amm": func() (any, error) {
			return amm.New(amm.Config{TradeURL: "https://a.test", DataURL: "https://b.test", Options: walletfi.Options{OwnRoutes: true}})
		},
		"providerswap": func() (any, error) {
			return providerswap.New(providerswap.Config{BaseURL: "https://a.test", APIKey: key, Options: walletfi.Options{OwnRoutes: true}})
		},
		"burnclose": func() (any, error) {
			return burnclose.New(burnclose.Config{BaseURL: "https://a.test", APIKey: key, Options: walletfi.Options{OwnRoutes: true}})
		},
		"onchaindata": func() (any, error) {
			return onchaindata.New(onchaindata.Config{DemoBaseURL: "https://a.test/api/v3/onchain", APIKey: key})
		},
		"socialsearch": func() (any, error) {
			return socialsearch.New(socialsearch.Config{BaseURL: "https://a.test", BearerToken: key, Options: walletfi.Options{OwnRoutes: true}})
		},
		"webhooks": func() (any, error) {
			return webhooks.New(webhooks.Config{BaseURL: "https://a.test", APIKey: key, Options: walletfi.Options{OwnRoutes: true}})
		},
	}
	require.Len(t, made, 11)
	const clients = 2000
	for name, make := range made {
		kept := [clients]any{}
		var err error
		kept[0], err = make()
		require.NoError(t, err, name)
		require.False(t, reflect.ValueOf(kept[0]).IsNil())
		goroutines, before := runtime.NumGoroutine(), heapInUse()
		for i := range kept {
			kept[i], _ = make()
		}
		each := (heapInUse() - before) / clients
		t.Logf("%s: %d B a client", name, each)
		require.LessOrEqual(t, each, 2048, name)
		require.LessOrEqual(t, runtime.NumGoroutine(), goroutines, name)
		runtime.KeepAlive(&kept)
	}
}

func heapInUse() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
