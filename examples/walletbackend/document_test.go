package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
)

// document holds all that a test says and hears at the API against the served
// openapi.json.
type document struct {
	t      *testing.T
	router routers.Router
	base   string // URL
	next   http.RoundTripper

	mu       sync.Mutex
	answered map[string]map[int]int // by operation and status
}

// newDocument reads the document that a server serves.
func newDocument(t *testing.T, url string) *document {
	t.Helper()
	response, err := http.Get(url + "/openapi.json")
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	read, err := openapi3.NewLoader().LoadFromData(text)
	require.NoError(t, err)
	read.Servers = openapi3.Servers{{URL: url}}
	require.NoError(t, read.Validate(t.Context()))
	router, err := legacy.NewRouter(read)
	require.NoError(t, err)
	return &document{t: t, router: router, base: url, next: http.DefaultTransport, answered: map[string]map[int]int{}}
}

// RoundTrip sends a request. A request that the document does not allow must be
// refused, and every answer must be one that it allows.
func (d *document) RoundTrip(r *http.Request) (*http.Response, error) {
	if !strings.HasPrefix(r.URL.Path, "/api/") {
		return d.next.RoundTrip(r)
	}
	route, parameters, err := d.router.FindRoute(r)
	if err != nil {
		d.t.Errorf("%s %s is not in the document: %v", r.Method, r.URL.Path, err)
		return d.next.RoundTrip(r)
	}
	var body []byte
	if r.Body != nil {
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	input := &openapi3filter.RequestValidationInput{
		Request: r.Clone(r.Context()), PathParams: parameters, Route: route,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true},
	}
	input.Request.Body = io.NopCloser(bytes.NewReader(body))
	invalid := openapi3filter.ValidateRequest(r.Context(), input)
	response, err := d.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	name := r.Method + " " + route.Path
	d.count(name, response.StatusCode)
	if invalid != nil && response.StatusCode < 400 {
		d.t.Errorf("%s is answered with %d, and the document does not allow the request: %v", name, response.StatusCode, invalid)
	}
	if response.Header.Get("Content-Type") == "text/event-stream" {
		return response, nil
	}
	text, err := io.ReadAll(response.Body)
	response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(text))
	if err != nil {
		return response, err
	}
	if err := openapi3filter.ValidateResponse(r.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: response.StatusCode, Header: response.Header,
		Body: io.NopCloser(bytes.NewReader(text)), Options: input.Options,
	}); err != nil {
		d.t.Errorf("the answer of %s is not that of the document: %v", name, err)
	}
	return response, nil
}

func (d *document) count(name string, status int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.answered[name] == nil {
		d.answered[name] = map[int]int{}
	}
	d.answered[name][status]++
}

// TestEveryRouteKeepsToTheDocument calls each operation of openapi.json, with success
// and without. TestOpenAPI has the document and the table of routes name the same.
func TestEveryRouteKeepsToTheDocument(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	alice := r.signIn(t, "alice")
	require.Equal(t, http.StatusBadRequest, alice.call(t, "POST", "/api/login", nil, nil))
	p := alice.prepare(t, r.swapOf("25"))
	require.Equal(t, http.StatusBadRequest, alice.call(t, "POST", "/api/payments", map[string]string{"kind": "gift"}, nil))
	require.Equal(t, http.StatusBadRequest, alice.call(t, "POST", "/api/payments", map[string]string{"kind": "swap", "unknown": "1"}, nil))
	alice.approve(t, p)
	require.Len(t, alice.await(t, p.ID, "confirmed").Changes, 2, "SOL and USDC")
	require.Equal(t, http.StatusConflict, alice.call(t, "POST", "/api/payments/"+alice.prepare(t, r.swapOf("25")).ID+"/approval", map[string]string{"digest": "x"}, nil))
	require.Equal(t, http.StatusNotFound, alice.call(t, "GET", "/api/payments/none", nil, nil))
	usdc := r.box.Mint("USDC")
	require.Eventually(t, func() bool {
		var answer struct{ Events []struct{ ID string } }
		alice.call(t, "GET", "/api/webhooks", nil, &answer)
		return len(answer.Events) > 0
	}, waitMost, waitEvery)
	deposit := alice.prepare(t, map[string]string{"kind": "deposit", "mint": usdc, "amount": "100", "depositType": "protected"})
	alice.approve(t, deposit)
	alice.await(t, deposit.ID, "confirmed")
	for _, path := range []string{
		"/api/portfolio", "/api/tokens", "/api/payments", "/api/markets", "/api/prices/" + usdc + "/posts", "/api/prices/" + r.box.Mint("SOL") + "/candles",
		"/api/quotes?mint=" + usdc + "&to=" + r.box.Mint("SOL") + "&amount=25",
	} {
		require.Equal(t, http.StatusOK, alice.call(t, "GET", path, nil, nil), path)
	}
	for _, path := range []string{"/api/quotes?mint=" + usdc + "&to=" + usdc + "&amount=0", "/api/prices/none/posts", "/api/prices/none/candles"} {
		require.GreaterOrEqual(t, alice.call(t, "GET", path, nil, nil), 400, path)
	}
	alice.streams(t)
	require.Equal(t, http.StatusOK, alice.call(t, "POST", "/api/logout", nil, nil))
	for _, path := range []string{"/api/portfolio", "/api/tokens", "/api/payments", "/api/markets", "/api/webhooks", "/api/events"} {
		require.Equal(t, http.StatusUnauthorized, alice.call(t, "GET", path, nil, nil), path)
	}
	require.Equal(t, http.StatusUnauthorized, alice.call(t, "POST", "/api/logout", nil, nil))

	operations := 0
	for path, item := range r.document.paths(t) {
		for method := range item.Operations() {
			operations++
			good, bad := 0, 0
			for status, n := range r.document.answered[method+" "+path] {
				if status < 400 {
					good += n
				} else {
					bad += n
				}
			}
			require.Positive(t, good, "%s %s was never answered with success", method, path)
			require.Positive(t, bad, "%s %s was never refused", method, path)
		}
	}
	require.Greater(t, operations, 12)
}

// paths are those of the document that the server serves.
func (d *document) paths(t *testing.T) map[string]*openapi3.PathItem {
	t.Helper()
	route, _, err := d.router.FindRoute(httptest.NewRequest("GET", d.base+"/api/tokens", nil))
	require.NoError(t, err)
	return route.Spec.Paths.Map()
}
