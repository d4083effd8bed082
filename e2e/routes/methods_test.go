package routes

import (
	"context"
	"net/http"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/sandbox"
)

// noRequest are methods that take a context and send no HTTP request.
var noRequest = map[string]string{
	"predictmeta.Stream":    "opens a WebSocket; see TestStream",
	"predictmeta.Books":     "opens a WebSocket; see TestBooksOfTheSandbox",
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
	client := flows.Clients[service]
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
