package transport

import (
	"io"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// flaky answers the requests whose number is in fails by hanging up after it
// read them, and all others with success. It notes where they came from.
type flaky struct {
	fails map[int]bool
	mu    sync.Mutex
	from  []string
}

func (f *flaky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.from = append(f.from, r.RemoteAddr)
	n := len(f.from)
	f.mu.Unlock()
	if f.fails[n] {
		hangUp(w, r)
		return
	}
	io.Copy(io.Discard, r.Body)
	io.WriteString(w, success)
}

// TestReusedConnectionThatDies: what net/http itself would send again, unseen
// by the limiter, is sent once.
func TestReusedConnectionThatDies(t *testing.T) {
	for effect, name := range effectNames {
		t.Run(name, func(t *testing.T) {
			service := &flaky{fails: map[int]bool{2: true}}
			url, count := server(t, service.ServeHTTP)
			limiter := &countingLimiter{}
			client := clientOf(t, nil, at(url), limiter.use)
			_, err := Do[result](t.Context(), client, callOf(Read), nil)
			require.NoError(t, err, "leaves a connection to reuse")
			_, err = Do[result](t.Context(), client, callOf(effect), []walletfi.CallOption{walletfi.WithoutRetry()})
			require.Error(t, err)
			assert.EqualValues(t, 2, count.Load(), "executed once")
			assert.Equal(t, 2, limiter.sent, "counted once")
		})
	}
}

// TestReusedConnectionThatDiesAndIsResent: our own repeat takes a slot.
func TestReusedConnectionThatDiesAndIsResent(t *testing.T) {
	service := &flaky{fails: map[int]bool{2: true, 3: true}}
	url, count := server(t, service.ServeHTTP)
	limiter := &countingLimiter{}
	client := clientOf(t, nil, at(url), limiter.use)
	for range 2 {
		_, err := Do[result](t.Context(), client, callOf(Read), nil)
		require.NoError(t, err)
	}
	assert.EqualValues(t, 4, count.Load())
	assert.Equal(t, 4, limiter.sent)
}

// TestNetHTTPReplays shows what the two tests above are about: should it fail,
// newRequest may be simpler.
func TestNetHTTPReplays(t *testing.T) {
	service := &flaky{fails: map[int]bool{2: true}}
	url, count := server(t, service.ServeHTTP)
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for range 2 {
		r, err := client.Get(url)
		require.NoError(t, err)
		io.Copy(io.Discard, r.Body)
		r.Body.Close()
	}
	assert.EqualValues(t, 3, count.Load())
}

// TestConnections: reads share a connection, a Create never takes one that the
// service may be about to close.
func TestConnections(t *testing.T) {
	service := &flaky{}
	url, _ := server(t, service.ServeHTTP)
	client := clientOf(t, nil, at(url))
	for _, effect := range []Effect{Read, Create, Relay, Create, Set, Build} {
		_, err := Do[result](t.Context(), client, callOf(effect), nil)
		require.NoError(t, err)
	}
	from := service.from
	assert.Equal(t, from[0], from[2])
	assert.Equal(t, from[0], from[4])
	assert.Equal(t, from[0], from[5])
	assert.NotEqual(t, from[0], from[1])
	assert.NotEqual(t, from[0], from[3])
	assert.NotEqual(t, from[1], from[3])
}

// TestFailuresKeepThePool: go-retryablehttp closes the idle connections of its
// client after each failed call. Those of the process are not its own.
func TestFailuresKeepThePool(t *testing.T) {
	service := &flaky{}
	url, _ := server(t, service.ServeHTTP)
	failing, _ := server(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	steady, broken := clientOf(t, nil, at(url)), clientOf(t, nil, at(failing))
	read := func(c *Client) error {
		_, err := Do[result](t.Context(), c, callOf(Read), nil)
		return err
	}
	require.NoError(t, read(steady))
	require.Error(t, read(broken))
	require.Error(t, read(clientOf(t, nil, at(failing), retries(0))))
	require.NoError(t, read(steady))
	assert.Equal(t, service.from[0], service.from[1])
}

// TestWireOfBodies: an empty body that is there for net/http alone is not on
// the wire.
func TestWireOfBodies(t *testing.T) {
	type framing struct {
		length  int64
		chunked bool
	}
	var got framing
	url, _ := server(t, func(w http.ResponseWriter, r *http.Request) {
		got = framing{r.ContentLength, len(r.TransferEncoding) > 0}
		io.WriteString(w, success)
	})
	client := clientOf(t, nil, at(url))
	for _, c := range []struct {
		method string
		body   any
		want   framing
	}{
		{http.MethodGet, nil, framing{0, false}},
		{http.MethodDelete, nil, framing{0, false}},
		{http.MethodPost, nil, framing{0, false}},
		{http.MethodPut, nil, framing{0, false}},
		{http.MethodPost, map[string]int{"a": 1}, framing{7, false}},
		{http.MethodDelete, map[string]int{"a": 1}, framing{7, false}},
	} {
		for _, effect := range []Effect{Build, Create} {
			_, err := Do[result](t.Context(), client, Call{Op: "Do", Effect: effect, Answer: Silent("a test"), Method: c.method, Path: Path("/v1"), Body: c.body}, nil)
			require.NoError(t, err)
			assert.Equal(t, c.want, got, "%s %v", c.method, c.body)
		}
	}
}
