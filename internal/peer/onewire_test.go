package peer_test

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/internal/wsconn"
	"github.com/walletfi/walletfi-go/rpcnode"
)

// onEach runs a test over each wire on a virtual clock.
func onEach(t *testing.T, test func(t *testing.T, name string, call func(*testing.T, *http.Transport) ending)) {
	for name, call := range wires {
		wiretest.InBubble(t, name, func(t *testing.T) { test(t, name, call) })
	}
}

// TestOneWireStatus: the same status means the same, and is final or not, on
// all wires.
func TestOneWireStatus(t *testing.T) {
	for _, c := range []struct {
		status int
		kind   error
		final  bool
	}{
		{300, walletfi.ErrRedirect, true}, {301, walletfi.ErrRedirect, true}, {302, walletfi.ErrRedirect, true},
		{303, walletfi.ErrRedirect, true}, {304, walletfi.ErrRedirect, true}, {307, walletfi.ErrRedirect, true}, {308, walletfi.ErrRedirect, true},
		{400, walletfi.ErrInvalidRequest, true}, {401, walletfi.ErrUnauthorized, true}, {402, walletfi.ErrRejected, true},
		{403, walletfi.ErrForbidden, true}, {404, walletfi.ErrNotFound, true}, {405, walletfi.ErrInvalidRequest, true},
		{408, walletfi.ErrUnavailable, false}, {409, walletfi.ErrRejected, true}, {410, walletfi.ErrInvalidRequest, true},
		{422, walletfi.ErrInvalidRequest, true}, {425, walletfi.ErrUnavailable, false}, {426, walletfi.ErrInvalidRequest, true},
		{429, walletfi.ErrRateLimited, false}, {499, walletfi.ErrInvalidRequest, true},
		{500, walletfi.ErrUnavailable, false}, {501, walletfi.ErrUnavailable, true}, {502, walletfi.ErrUnavailable, false},
		{503, walletfi.ErrUnavailable, false}, {504, walletfi.ErrUnavailable, false}, {505, walletfi.ErrUnavailable, true},
		{511, walletfi.ErrUnavailable, true}, {599, walletfi.ErrUnavailable, false},
	} {
		for _, location := range []string{"/elsewhere", "http://elsewhere.example/%zz"} {
			if c.status >= 400 && location != "/elsewhere" {
				continue
			}
			t.Run(fmt.Sprint(c.status), func(t *testing.T) {
				onEach(t, func(t *testing.T, name string, call func(*testing.T, *http.Transport) ending) {
					peer := &answers{status: c.status, header: map[string]string{"Location": location}}
					kind := c.kind
					if name == "rpcnode" && c.status == http.StatusNotFound {
						kind = walletfi.ErrInvalidRequest // of the address, not of what was asked for
					}
					assert.ErrorIs(t, call(t, peer.serve(t)).err, kind)
					assert.Equal(t, c.final, len(peer.came) == 1, "%d requests", len(peer.came))
				})
			})
		}
	}
}

// TestOneWireWait: what a peer asks to wait is computed alike, and waited for
// to the second.
func TestOneWireWait(t *testing.T) {
	const late = -time.Hour // the peer's clock
	stamp := func(d time.Duration) string { return time.Now().Add(late + d).UTC().Format(http.TimeFormat) }
	unix := func(d time.Duration) string { return strconv.FormatInt(time.Now().Add(late+d).Unix(), 10) }
	for name, c := range map[string]struct {
		header func() map[string]string
		wait   time.Duration // 0 means our own backoff
	}{
		"seconds":    {func() map[string]string { return map[string]string{"Retry-After": "7"} }, 7 * time.Second},
		"a fraction": {func() map[string]string { return map[string]string{"Retry-After": "0.3"} }, time.Second},
		"negative":   {func() map[string]string { return map[string]string{"Retry-After": "-7"} }, 0},
		"NaN":        {func() map[string]string { return map[string]string{"Retry-After": "NaN"} }, 0},
		"a date": {func() map[string]string {
			return map[string]string{"Retry-After": stamp(5 * time.Second), "Date": stamp(0)}
		}, 5 * time.Second},
		"a reset": {func() map[string]string {
			return map[string]string{"X-RateLimit-Reset": unix(5 * time.Second), "Date": stamp(0)}
		}, 5 * time.Second},
		"the other name": {func() map[string]string {
			return map[string]string{"x-rate-limit-reset": unix(5 * time.Second), "Date": stamp(0)}
		}, 5 * time.Second},
		"the longer of two": {func() map[string]string {
			return map[string]string{"Retry-After": "2", "X-RateLimit-Reset": unix(4 * time.Second), "Date": stamp(0)}
		}, 4 * time.Second},
	} {
		for _, status := range []int{429, 503} {
			t.Run(fmt.Sprint(name, status), func(t *testing.T) {
				onEach(t, func(t *testing.T, _ string, call func(*testing.T, *http.Transport) ending) {
					peer := &answers{status: status, header: c.header()}
					require.Error(t, call(t, peer.serve(t)).err)
					require.Greater(t, len(peer.came), 1)
					waited := peer.came[1].Sub(peer.came[0])
					if c.wait == 0 {
						assert.LessOrEqual(t, waited, 500*time.Millisecond)
						return
					}
					assert.Equal(t, c.wait, waited)
				})
			})
		}
	}
}

// TestOneWireTooLong: a wait that is longer than we wait ends the call at once
// and answers to ErrRateLimited, whatever the status.
func TestOneWireTooLong(t *testing.T) {
	for _, after := range []string{"3600", "86400", "9223372037", "99999999999999999999", "1e400"} {
		for status, kind := range map[int]error{429: walletfi.ErrRateLimited, 503: walletfi.ErrUnavailable} {
			t.Run(fmt.Sprint(after, status), func(t *testing.T) {
				onEach(t, func(t *testing.T, _ string, call func(*testing.T, *http.Transport) ending) {
					peer := &answers{status: status, header: map[string]string{"Retry-After": after}}
					begun := time.Now()
					err := call(t, peer.serve(t)).err
					assert.ErrorIs(t, err, kind)
					assert.ErrorIs(t, err, walletfi.ErrRateLimited)
					assert.Len(t, peer.came, 1)
					assert.Zero(t, time.Since(begun))
				})
			})
		}
	}
}

// TestOneWireMask: a credential that the peer repeats is shown by none.
func TestOneWireMask(t *testing.T) {
	quoted, err := json.Marshal(key)
	require.NoError(t, err)
	inJSON := strings.Trim(string(quoted), `"`)
	for name, spelling := range map[string]string{
		"as it is": key, "JSON": inJSON, "JSON with its slash escaped": strings.Replace(inJSON, "/", `\/`, 1),
		"query": url.QueryEscape(key), "path": url.PathEscape(key), "HTML": html.EscapeString(key),
		"base64": base64.StdEncoding.EncodeToString([]byte(key)), "base64 for URLs": base64.RawURLEncoding.EncodeToString([]byte(key)),
		"JSON in JSON": strings.ReplaceAll(inJSON, `\`, `\\`), "HTML in JSON": strings.ReplaceAll(html.EscapeString(key), "&", `\u0026`),
	} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, _ string, call func(*testing.T, *http.Transport) ending) {
				// Of the shapes of a service and of a node at once.
				body := `{"message":"bad key ` + spelling + `","error":{"code":-32602,"message":"bad key ` + spelling + `","data":["` + spelling + `"]}}`
				end := call(t, (&answers{status: 400, body: body}).serve(t))
				require.Error(t, end.err)
				assert.Contains(t, end.shown, "[secret]")
				for _, trace := range []string{"Kanary", "ab/cd", `ab\/cd`, "ab%2F", base64.RawStdEncoding.EncodeToString([]byte(key))[:8]} {
					assert.NotContains(t, end.shown, trace)
				}
			})
		})
	}
}

// TestOneWireReached: which failures of a connection are final, and what the
// error shows.
func TestOneWireReached(t *testing.T) {
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
	for name, c := range map[string]struct {
		err   error
		final bool
	}{
		"refused":                {dial(syscall.ECONNREFUSED), false},
		"no such name":           {dial(&net.DNSError{Err: "no such host", Name: "x.example", IsNotFound: true}), true},
		"a name server failed":   {dial(&net.DNSError{Err: "server misbehaving", Name: "x.example", IsTemporary: true}), false},
		"a name server is slow":  {dial(&net.DNSError{Err: "i/o timeout", Name: "x.example", IsTimeout: true}), false},
		"an unknown authority":   {x509.UnknownAuthorityError{}, true},
		"another host's":         {x509.HostnameError{Certificate: &x509.Certificate{}, Host: "x.example"}, true},
		"a certificate ran out":  {x509.CertificateInvalidError{Cert: &x509.Certificate{}, Reason: x509.Expired}, true},
		"a proxy that is away":   {&net.OpError{Op: "proxyconnect", Err: syscall.ECONNREFUSED}, false},
		"an error with the key":  {fmt.Errorf("no route for %s: %w", key, syscall.EHOSTUNREACH), false},
		"the key within another": {dial(fmt.Errorf("%q: %w", key, syscall.EHOSTUNREACH)), false},
	} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, _ string, call func(*testing.T, *http.Transport) ending) {
				dialler, dials := failing(c.err)
				err := call(t, dialler).err
				assert.ErrorIs(t, err, walletfi.ErrUnavailable)
				assert.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
				assert.NotContains(t, err.Error(), "Kanary")
				assert.Equal(t, c.final, *dials == 1, "%d dials", *dials)
			})
		})
	}
}

// TestOneWireAddress: the same addresses may be spoken to.
func TestOneWireAddress(t *testing.T) {
	allowed := []string{"10.0.0.7:8080", "gateway.internal"}
	for text, ok := range map[string]bool{
		"https://a.example": true, "https://a.example:8443/p": true, "http://localhost": true, "http://LocalHost:1": true,
		"http://127.0.0.1": true, "http://127.8.9.1:80": true, "http://[::1]:9000": true,
		"http://10.0.0.7:8080": true, "http://Gateway.Internal:81": true, "HTTPS://a.example": true,
		"": false, "a.example": false, "https://": false, "https://:443": false, "http://a.example": false,
		"http://10.0.0.7": false, "http://10.0.0.7:8081": false, "http://localhost.a.example": false,
		"http://127.0.0.1.a.example": false, "http://[::2]": false, "http://0.0.0.0": false, "ftp://a.example": false,
		"https://a.example/#Kanary": false, "https://a.example/%zz/Kanary": false,
	} {
		for name, create := range map[string]func() error{
			"transport": func() error {
				_, err := transport.New(transport.Config{Service: "test", BaseURL: text, Options: walletfi.Options{AllowHTTP: allowed}})
				return err
			},
			"wsconn": func() error {
				_, err := wsconn.New(wsconn.Config{URL: text, AllowHTTP: allowed}, &downs{})
				return err
			},
			"wsconn by its own scheme": func() error {
				_, err := wsconn.New(wsconn.Config{URL: strings.Replace(text, "http", "ws", 1), AllowHTTP: allowed}, &downs{})
				return err
			},
			"rpcnode": func() error {
				_, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(text), AllowHTTP: allowed})
				return err
			},
		} {
			err := create()
			assert.Equal(t, ok, err == nil, "%s %s: %v", name, text, err)
			if err != nil {
				assert.ErrorIs(t, err, walletfi.ErrInvalidRequest, name)
				assert.NotContains(t, err.Error(), "Kanary", name)
			}
		}
	}
}
