package signer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// bodies are the types of what each POST takes.
var bodies = map[string]reflect.Type{
	protocol.PathSign: reflect.TypeFor[protocol.Request](), protocol.PathJudge: reflect.TypeFor[protocol.Request](),
	protocol.PathOwners: reflect.TypeFor[protocol.NewOwner](), protocol.PathGrants: reflect.TypeFor[protocol.NewGrant](),
	protocol.PathFreeze: reflect.TypeFor[protocol.Switch](), protocol.PathThaw: reflect.TypeFor[protocol.Switch](),
	protocol.PathVerdict: reflect.TypeFor[protocol.Verdict](),
}

// everything is a signer that this process's user may ask for all that there is, by its handler.
func everything(t testing.TB) (*rig, func(method, path string, body []byte) *httptest.ResponseRecorder) {
	text := strings.Replace(approvedText(), `owners = ["bot"]`, "owners = [\"bot\"]\ntemplates = [\"user\"]", 1)
	policy, err := signer.ParsePolicy([]byte(text + templateText))
	require.NoError(t, err)
	r := newRig(t, 1, func(cfg *signer.Config) { cfg.Policy, cfg.Seed = policy, signingtest.Key("seed") })
	admin, trader := connected(t, "uid 0"), connected(t, "uid 1000")
	handler := r.Handler()
	return r, func(method, path string, body []byte) *httptest.ResponseRecorder {
		conn := admin
		if method == http.MethodPost && clientsAlone[path] {
			conn = trader
		}
		request := httptest.NewRequestWithContext(signer.From(context.Background(), conn), method, path, bytes.NewReader(body))
		request.Header.Set(protocol.Header, protocol.Version)
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		return answer
	}
}

// connected is a connection that a signer holds with somebody.
func connected(t testing.TB, who string) net.Conn {
	inner, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	require.NoError(t, err)
	dialed, err := net.Dial("unix", inner.Addr().String())
	require.NoError(t, err)
	conn, err := signer.Counted(inner, who).Accept()
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, dialed.Close())
		require.NoError(t, conn.Close())
		require.NoError(t, inner.Close())
	})
	return conn
}

// clientsAlone are the paths whose POST is for clients.
var clientsAlone = map[string]bool{
	protocol.PathSign: true, protocol.PathJudge: true, protocol.PathOwners: true, protocol.PathGrants: true,
}

// FuzzRequest gives every route a body. None panics, what is no whole request is refused in words, and a
// member that the protocol does not have is never passed over.
func FuzzRequest(f *testing.F) {
	r, ask := everything(f)
	routes := r.Routes()
	q := r.pay(payee, 1)
	request, err := json.Marshal(protocol.Request(q))
	require.NoError(f, err)
	grant, err := json.Marshal(protocol.NewGrant{Request: protocol.Request(q), Reason: "rent"})
	require.NoError(f, err)
	for i := range routes {
		for _, body := range []string{
			"", "{", "null", "[]", "0", "{}", `{"x":1}`, string(request), string(grant),
			strings.Replace(string(request), `"owner"`, `"Owner"`, 1), strings.Replace(string(request), `"first"`, `"first":0,"first"`, 1),
			`{"template":"user","name":"a"}`, `{"mode":"exit","reason":"why"}`, `{"id":"00","signature":"x"}`,
		} {
			f.Add(byte(i), []byte(body))
		}
	}
	f.Fuzz(func(t *testing.T, route byte, body []byte) {
		method, path, _ := strings.Cut(routes[int(route)%len(routes)], " ")
		answer := ask(method, path, body)
		if answer.Code != http.StatusOK {
			require.Equal(t, 4, answer.Code/100, "%s", answer.Body)
			var refusal protocol.Refusal
			require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &refusal), "%s", answer.Body)
			require.NotEmpty(t, refusal.Code)
			require.NotEmpty(t, refusal.Text)
			require.True(t, utf8.ValidString(refusal.Text))
		}
		if of, takes := bodies[path]; takes && method == http.MethodPost {
			read := json.NewDecoder(bytes.NewReader(body))
			read.DisallowUnknownFields()
			if read.Decode(reflect.New(of).Interface()) != nil || read.More() {
				require.Equal(t, http.StatusBadRequest, answer.Code, "%s: %s", path, answer.Body)
			}
			return
		}
		if len(body) > 0 {
			require.Equal(t, http.StatusBadRequest, answer.Code, "%s takes no body", path)
		}
	})
}

// TestEveryBodyIsFuzzed: a route with a body that the fuzz target does not know fails here.
func TestEveryBodyIsFuzzed(t *testing.T) {
	r, ask := everything(t)
	known := 0
	for _, route := range r.Routes() {
		method, path, _ := strings.Cut(route, " ")
		answer := ask(method, path, []byte(`{"`+strconv.Itoa(len(path))+`":1}`))
		require.Equal(t, http.StatusBadRequest, answer.Code, "%s: %s", route, answer.Body)
		if method == http.MethodPost && bodies[path] != nil {
			known++
		}
	}
	require.Equal(t, len(bodies), known)
}
