package flows

import (
	"reflect"
	"strings"

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

// Clients are the types of the clients.
var Clients = map[sandbox.Service]reflect.Type{
	sandbox.AMM:          reflect.TypeFor[*amm.Client](),
	sandbox.BurnClose:    reflect.TypeFor[*burnclose.Client](),
	sandbox.Lending:      reflect.TypeFor[*lending.Client](),
	sandbox.Leverage:     reflect.TypeFor[*leverage.Client](),
	sandbox.OnchainData:  reflect.TypeFor[*onchaindata.Client](),
	sandbox.PredictMeta:  reflect.TypeFor[*predictmeta.Client](),
	sandbox.ProviderSwap: reflect.TypeFor[*providerswap.Client](),
	sandbox.SmartAccount: reflect.TypeFor[*smartaccount.Client](),
	sandbox.SocialSearch: reflect.TypeFor[*socialsearch.Client](),
	sandbox.Swap:         reflect.TypeFor[*swap.Client](),
	sandbox.Webhooks:     reflect.TypeFor[*webhooks.Client](),
}

// IsList reports whether a method returns records: by its name or by its result.
// Find methods search a list on this side, and return what they found.
func IsList(m reflect.Method) bool {
	if m.Type.NumOut() == 0 || strings.HasPrefix(m.Name, "Find") {
		return false
	}
	out := m.Type.Out(0)
	bare := out.Kind() == reflect.Slice && out.Elem().Kind() != reflect.Uint8
	return bare || strings.HasPrefix(m.Name, "List") || PageOf(out) != nil && !strings.HasPrefix(m.Name, "Get")
}

// PageOf returns the struct of a result that is a page, or nil.
func PageOf(out reflect.Type) reflect.Type {
	if out.Kind() == reflect.Pointer && out.Elem().Kind() == reflect.Struct &&
		strings.HasSuffix(out.Elem().Name(), "Page") {
		return out.Elem()
	}
	return nil
}

// IsIterator reports whether a method returns an iterator over records and errors.
func IsIterator(m reflect.Type) bool {
	return m.NumOut() == 1 && strings.HasPrefix(m.Out(0).String(), "iter.Seq2[")
}

// CallName is "lending GET /v1/account/{}", whatever the parameters are called.
func CallName(service, method, pattern string) string {
	segments := strings.Split(pattern, "/")
	for i, segment := range segments {
		if strings.HasPrefix(segment, "{") {
			segments[i] = "{}"
		}
	}
	return service + " " + method + " " + strings.Join(segments, "/")
}

// Must returns v, and panics if there is an error.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
