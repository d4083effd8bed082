package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
)

// recording is record's proxy before a service of a base path.
func recording(t *testing.T, base string, service http.HandlerFunc) (at string, keeper *recorder) {
	t.Helper()
	real := httptest.NewServer(service)
	t.Cleanup(real.Close)
	to, err := url.Parse(real.URL + base)
	require.NoError(t, err)
	keeper = &recorder{service: sandbox.Lending, base: to.Path}
	proxy := httptest.NewServer(keeper.proxy(to))
	t.Cleanup(proxy.Close)
	return proxy.URL, keeper
}

// answerOf asks, with headers by name and value, and returns the answer's body.
func answerOf(t *testing.T, method, url, body string, headers ...string) string {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	require.NoError(t, err)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, answer.StatusCode)
	return string(raw)
}

// TestRecordPassesLongBodies: what is too long for a fixture passes whole, and the fixture says what it lacks.
func TestRecordPassesLongBodies(t *testing.T) {
	const size = 3 << 20
	got := make(chan int, 2)
	at, keeper := recording(t, "", func(w http.ResponseWriter, r *http.Request) {
		sent, _ := io.ReadAll(r.Body)
		got <- len(sent)
		io.WriteString(w, strings.Repeat("y", size))
	})
	assert.Len(t, answerOf(t, "POST", at+"/v1/x", strings.Repeat("x", size)), size)
	assert.Equal(t, size, <-got)
	assert.Len(t, answerOf(t, "POST", at+"/v1/x", "{}"), size)
	assert.Equal(t, 2, <-got)
	all := keeper.fixtures()
	require.Len(t, all, 2)
	assert.Equal(t, []string{"request", "answer"}, all[0].Omitted)
	assert.Equal(t, []string{"answer"}, all[1].Omitted)
	assert.Equal(t, "{}", all[1].Request)
	assert.Empty(t, all[0].Request+all[0].Answer+all[1].Answer)
}

// TestRecordOmitsWhatCannotBeMasked: a compressed body, or one of parts, is not written.
func TestRecordOmitsWhatCannotBeMasked(t *testing.T) {
	var packed bytes.Buffer
	to := gzip.NewWriter(&packed)
	_, _ = to.Write([]byte("{}"))
	require.NoError(t, to.Close())
	at, keeper := recording(t, "", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(packed.Bytes())
	})
	assert.Equal(t, "{}", answerOf(t, "POST", at+"/v1/x", "x", "Content-Type", "multipart/form-data; boundary=b"))
	answerOf(t, "POST", at+"/v1/x", "x", "Content-Encoding", "zstd")
	for _, f := range keeper.fixtures() {
		assert.Equal(t, []string{"request"}, f.Omitted, "the answer is unpacked on the way")
		assert.Equal(t, "{}", f.Answer)
	}
	require.Len(t, keeper.fixtures(), 2)
}

func TestRecordKeepsTheLengthOfHead(t *testing.T) {
	at, _ := recording(t, "", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "77") })
	answer, err := http.Head(at + "/v1/x")
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	assert.EqualValues(t, 77, answer.ContentLength)
}

// TestRecordRedirects: a redirect within the service stays with the recorder, absolute or not.
func TestRecordRedirects(t *testing.T) {
	var own string
	at, keeper := recording(t, "/base", func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/base/v1/old":
			http.Redirect(w, r, own+"/base/v1/new?a=b", http.StatusTemporaryRedirect)
		case "/base/v1/here":
			http.Redirect(w, r, "/base/v1/new", http.StatusTemporaryRedirect)
		default:
			io.WriteString(w, r.Host)
		}
	})
	own = "http://" + answerOf(t, "GET", at+"/v1/new", "")
	answerOf(t, "GET", at+"/v1/old", "")
	answerOf(t, "GET", at+"/v1/here", "")
	var paths []string
	for _, f := range keeper.fixtures() {
		paths = append(paths, f.Path)
	}
	assert.Equal(t, []string{"/v1/new", "/v1/old", "/v1/new?a=b", "/v1/here", "/v1/new"}, paths)
}

func TestThrough(t *testing.T) {
	for at, want := range map[string]string{
		"https://API.example.com:443/base/x%2Fy?a=b#c": "/x%2Fy?a=b#c",
		"https://api.example.com/base":                 "/",
		"https://api.example.com/base//evil.com/x":     "/evil.com/x",
		"https://api.example.com/basement":             "https://api.example.com/basement",
		"https://other.example.com/base/x":             "https://other.example.com/base/x",
		"http://api.example.com/base/x":                "http://api.example.com/base/x",
	} {
		to, location := &url.URL{Scheme: "https", Host: "api.example.com", Path: "/base/"}, must(t, at)
		assert.Equal(t, want, through(to, location), at)
	}
}

func must(t *testing.T, at string) *url.URL {
	t.Helper()
	u, err := url.Parse(at)
	require.NoError(t, err)
	return u
}

// TestRecordPassesUpgrades: a WebSocket passes, and is no fixture.
func TestRecordPassesUpgrades(t *testing.T) {
	at, keeper := recording(t, "", func(w http.ResponseWriter, _ *http.Request) {
		conn, both, err := http.NewResponseController(w).Hijack()
		if !assert.NoError(t, err) {
			return
		}
		defer conn.Close()
		_, _ = both.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nhello")
		_ = both.Flush()
	})
	r, err := http.NewRequest("GET", at+"/ws", nil)
	require.NoError(t, err)
	r.Header.Set("Connection", "Upgrade")
	r.Header.Set("Upgrade", "x")
	answer, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	defer answer.Body.Close()
	require.Equal(t, http.StatusSwitchingProtocols, answer.StatusCode)
	said, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	assert.Equal(t, "hello", string(said))
	assert.Empty(t, keeper.fixtures())
}

// TestRecordClosesAnOpenFile: others, who could read FILE before, cannot read what is recorded.
func TestRecordClosesAnOpenFile(t *testing.T) {
	open := filepath.Join(t.TempDir(), "open.json")
	require.NoError(t, os.WriteFile(open, []byte(strings.Repeat("x", 1000)), 0o644))
	url, key := realService(t, func(_, body string) string { return body })
	out, status := recorded(t, url, open, func(at string) {
		info, err := os.Stat(open)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
		get(t, at+"/v1/pools/stats", key)
	})
	assert.Equal(t, "1 answers recorded, the sandbox differs in 0\n", out)
	assert.Zero(t, status)
}

// TestRecordTellsWhatIsNotCompared: a fixture without a body says nothing about the sandbox.
func TestRecordTellsWhatIsNotCompared(t *testing.T) {
	text := `[{"service":"lending","method":"GET","path":"/v1/x","status":200,"answer":"","omitted":["answer"]}]`
	got := command(t, "sandbox", "record", "--check", file(t, text))
	assert.Equal(t, "lending GET /v1/x: not compared, without its answer\n"+
		"1 answers recorded, the sandbox differs in 0\n", got.out)
	assert.Zero(t, got.status)
	asJSON := command(t, "sandbox", "record", "--check", "--json", file(t, text))
	assert.JSONEq(t, `{"recorded":1,"differ":0,"said":[{"service":"lending","method":"GET","path":"/v1/x",
		"lines":["not compared, without its answer"]}]}`, asJSON.out)
}
