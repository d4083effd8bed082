package e2e

import (
	"context"
	"net/http"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

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

var clients = map[sandbox.Service]reflect.Type{
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

// noRequest are methods that take a context and send no HTTP request.
var noRequest = map[string]string{
	"predictmeta.Stream":    "opens a WebSocket; see TestStream",
	"smartaccount.SetToken": "stores a token",
	"smartaccount.Token":    "returns a token that is still valid",
}

// callers is a transport that notes which methods of which clients led to a
// request.
type callers struct {
	next http.RoundTripper

	mu   sync.Mutex
	seen map[string]bool // such as "ListPools"
}

// watchCallers replaces the transport of all clients that have none of their
// own, until the test ends.
func watchCallers(t *testing.T) *callers {
	t.Helper()
	c := &callers{next: http.DefaultTransport, seen: map[string]bool{}}
	http.DefaultTransport = c
	t.Cleanup(func() { http.DefaultTransport = c.next })
	return c
}

// RoundTrip looks for methods of clients among the callers.
func (c *callers) RoundTrip(r *http.Request) (*http.Response, error) {
	pcs := make([]uintptr, 100)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	c.mu.Lock()
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		// A method that is inlined has its closures named as the caller's.
		if _, method, ok := strings.Cut(frame.Function, ".(*Client)."); ok {
			method, _, _ = strings.Cut(method, ".")
			method = strings.TrimSuffix(method, "-fm") // a method value's
			c.seen[method] = true
		}
	}
	c.mu.Unlock()
	return c.next.RoundTrip(r)
}

// requireAll fails for each exported method of a service's client that takes a
// context and led to no request.
func (c *callers) requireAll(t *testing.T, service sandbox.Service) {
	t.Helper()
	client := clients[service]
	require.NotNil(t, client, service)
	checked := 0
	for i := range client.NumMethod() {
		m := client.Method(i)
		name := string(service) + "." + m.Name
		if m.Type.NumIn() < 2 || m.Type.In(1) != reflect.TypeFor[context.Context]() {
			continue
		}
		checked++
		if !c.seen[m.Name] && noRequest[name] == "" {
			t.Errorf("no test here calls %s", name)
		}
		if c.seen[m.Name] && noRequest[name] != "" {
			t.Errorf("%s sends a request after all", name)
		}
	}
	require.NotZero(t, checked)
}
