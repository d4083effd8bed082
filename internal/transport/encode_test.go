package transport

import (
	"io"
	"net/http"
	"net/url"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/callopt"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// sentBy returns the one request that a call makes.
func sentBy(t *testing.T, call Call, change ...func(*Config)) request {
	t.Helper()
	service := serve(reply(200, success))
	require.NoError(t, wiretest.Error(Do[result](t.Context(), clientOf(t, service, change...), call, nil)))
	return service.requests()[0]
}

func renamed(cfg *Config) {
	deployed(deployment.Service{
		Segments: map[string]string{"thing": "ding"},
		Words: deployment.Words{
			Query:  map[string]string{"kind": "type"},
			Keys:   map[string]string{"quoteResponse": "quote", "name": "label"},
			Values: map[string]map[string]string{"kind": {"boosted": "turbo"}},
		},
	})(cfg)
}

func TestQuery(t *testing.T) {
	type filter struct {
		Kind  string   `url:"kind,omitempty"`
		Limit *int     `url:"limit,omitempty"`
		Mints []string `url:"mints,omitempty,comma"`
		Fee   uint64   `url:"priorityFee"`
	}
	for name, c := range map[string]struct {
		query any
		want  string
		live  string
	}{
		"none":         {nil, "/base/v1/thing", "/base/v1/ding"},
		"zeros":        {filter{}, "/base/v1/thing?priorityFee=0", "/base/v1/ding?priorityFee=0"},
		"all":          {filter{"boosted", new(0), []string{"a", "b"}, 1 << 63}, "/base/v1/thing?kind=boosted&limit=0&mints=a%2Cb&priorityFee=9223372036854775808", "/base/v1/ding?limit=0&mints=a%2Cb&priorityFee=9223372036854775808&type=turbo"},
		"values":       {url.Values{"kind": {"boosted", "a&b=c"}}, "/base/v1/thing?kind=boosted&kind=a%26b%3Dc", "/base/v1/ding?type=turbo&type=a%26b%3Dc"},
		"empty values": {url.Values{}, "/base/v1/thing", "/base/v1/ding"},
	} {
		t.Run(name, func(t *testing.T) {
			call := callOf(Read)
			call.Query = c.query
			assert.Equal(t, c.want, sentBy(t, call).target)
			assert.Equal(t, c.live, sentBy(t, call, renamed).target)
		})
	}
	call := callOf(Read)
	call.Query = 7
	assert.ErrorContains(t, run(t, serve(reply(200, success)), call), "query of test.Do")
}

func FuzzQuery(f *testing.F) {
	for _, text := range []string{"", "a", "a&b=c", "%zz", "#?", "\r\n", "é", "\xff", "a,b", "boosted"} {
		f.Add(text, text)
	}
	client, err := New(Config{Service: "test", BaseURL: testBase})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, one, two string) {
		call := &Call{Effect: Read, Answer: Silent("a test"), Path: Path("/v1"), Query: struct {
			One  string   `url:"one"`
			List []string `url:"list"`
		}{one, []string{two, one}}}
		e, err := encodeWith(client, call, &callopt.Settings{})
		require.NoError(t, err)
		got, err := url.ParseQuery(e.url.RawQuery)
		require.NoError(t, err)
		want := url.Values{"one": {one}, "list": {two, one}}
		assert.Equal(t, want, got)
		parsed, err := url.ParseRequestURI(e.url.RequestURI())
		require.NoError(t, err)
		assert.Equal(t, "/base/v1", parsed.Path)
	})
}

func TestBody(t *testing.T) {
	type body struct {
		Name   string          `json:"name"`
		Amount walletfi.Amount `json:"amount,string"`
	}
	call := callOf(Build)
	call.Body = body{`<&> "é"`, 1<<64 - 1}
	assert.Equal(t, `{"name":"<&> \"é\"","amount":"18446744073709551615"}`, sentBy(t, call).body, "nothing is escaped for HTML")
	assert.Equal(t, `{"label":"<&> \"é\"","amount":"18446744073709551615"}`, sentBy(t, call, renamed).body)
	assert.Equal(t, []string{"application/json"}, sentBy(t, call).header["Content-Type"])
	assert.NotContains(t, sentBy(t, callOf(Read)).header, "Content-Type")

	call.Body = 7
	assert.Equal(t, "7", sentBy(t, call).body, "one byte is a body")
	assert.Equal(t, []string{"application/json"}, sentBy(t, call).header["Content-Type"])

	call.Body = map[string]any{"f": func() {}}
	assert.ErrorContains(t, run(t, serve(reply(200, success)), call), "body of test.Do")
	call.Body = map[string]any{"key": walletfi.NewSecret("s3cr3t-text")}
	err := run(t, serve(reply(200, success)), call)
	require.Error(t, err, "a Secret is not sent as its mask")
	assert.NotContains(t, err.Error(), "s3cr3t")
}

// TestSpliced: what a service wants back goes back byte for byte, in the words
// in which it came.
func TestSpliced(t *testing.T) {
	echoed := `{ "name" : 1.50, "n":1e2,"s":"\u003c<" ,"kind":"boosted"}`
	call := callOf(Build)
	for name, c := range map[string]struct {
		rest       any
		want, live string
	}{
		"beside others": {map[string]string{"name": "n"}, `{"name":"n","quoteResponse":` + echoed + `}`, `{"label":"n","quote":` + echoed + `}`},
		"alone":         {struct{}{}, `{"quoteResponse":` + echoed + `}`, `{"quote":` + echoed + `}`},
	} {
		t.Run(name, func(t *testing.T) {
			call.Body = Spliced{Rest: c.rest, Key: "quoteResponse", Raw: []byte(echoed)}
			assert.Equal(t, c.want, sentBy(t, call).body)
			assert.Equal(t, c.live, sentBy(t, call, renamed).body)
		})
	}
	for _, raw := range []string{"", "{", "{}{}", "<html>"} {
		call.Body = Spliced{Rest: struct{}{}, Key: "quoteResponse", Raw: []byte(raw)}
		err := run(t, serve(reply(200, success)), call)
		wiretest.Refused(t, err, "quoteResponse")
	}
	call.Body = Spliced{Rest: []int{1}, Key: "quoteResponse", Raw: []byte("{}")}
	assert.ErrorContains(t, run(t, serve(reply(200, success)), call), "nothing to put quoteResponse into")
}

// TestInvalidRequests: nothing of them is sent.
func TestInvalidRequests(t *testing.T) {
	problem := &walletfi.ValidationError{Field: "amount", Problem: "must be more than 0"}
	service := serve(reply(200, success))
	call := callOf(Create)
	call.Invalid = problem
	assert.Same(t, problem, run(t, service, call))
	call = callOf(Read)
	call.Path = Path("/v1/{wallet}", "..")
	assert.ErrorIs(t, run(t, service, call), walletfi.ErrInvalidRequest)
	call.Path, call.Invalid = Path("/v1"), problem
	assert.ErrorIs(t, run(t, service, call), walletfi.ErrInvalidRequest)
	assert.Empty(t, service.requests())
}

// TestConcurrentCalls shares one client among many callers.
func TestConcurrentCalls(t *testing.T) {
	url, count := server(t, (&flaky{}).ServeHTTP)
	client := clientOf(t, nil, at(url))
	var all sync.WaitGroup
	for effect := range effectNames {
		for range 20 {
			all.Go(func() {
				got, err := Do[result](t.Context(), client, callOf(effect), nil)
				if assert.NoError(t, err) {
					assert.Equal(t, "x1", got.ID)
				}
			})
		}
	}
	all.Wait()
	assert.EqualValues(t, 100, count.Load())
}

// TestRequestsOfNetHTTP: what a round tripper gets, and what net/http may send anew
// by itself: a body, but that of a GET.
func TestRequestsOfNetHTTP(t *testing.T) {
	for method, again := range map[string]bool{http.MethodGet: false, http.MethodPost: true, http.MethodDelete: true} {
		for _, body := range []any{nil, 7, map[string]string{"name": "value"}} {
			seen := 0
			client := clientOf(t, tripper(func(r *http.Request) (*http.Response, error) {
				seen++
				require.Equal(t, "HTTP/1.1", r.Proto)
				require.True(t, r.ProtoAtLeast(1, 1))
				require.False(t, r.ProtoAtLeast(1, 2))
				require.Equal(t, "service.example", r.Host)
				sent, err := io.ReadAll(r.Body)
				require.NoError(t, err)
				require.EqualValues(t, len(sent), r.ContentLength)
				require.Equal(t, body != nil, len(sent) > 0)
				require.Equal(t, again && body != nil, r.GetBody != nil)
				if r.GetBody != nil {
					copied, err := r.GetBody()
					require.NoError(t, err)
					second, err := io.ReadAll(copied)
					require.NoError(t, err)
					require.Equal(t, sent, second)
				}
				require.Equal(t, method == http.MethodGet || body != nil, r.Body != http.NoBody, "net/http replays a GET of http.NoBody")
				return reply(200, success)(r)
			}))
			call := callOf(Read)
			call.Method, call.Body = method, body
			require.NoError(t, wiretest.Error(Do[result](t.Context(), client, call, nil)))
			require.Equal(t, 1, seen)
		}
	}
}
