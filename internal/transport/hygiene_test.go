package transport

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/callopt"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// TestRedirectsAreRefused: no credential and no body goes to another host.
func TestRedirectsAreRefused(t *testing.T) {
	elsewhere, visits := server(t, func(http.ResponseWriter, *http.Request) {})
	elsewhere = strings.Replace(elsewhere, "127.0.0.1", "localhost", 1)
	for _, status := range []int{301, 302, 303, 307, 308} {
		for effect, name := range effectNames {
			url, count := server(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", elsewhere+"/stolen")
				w.WriteHeader(status)
			})
			client := clientOf(t, nil, at(url), func(cfg *Config) {
				cfg.Auth = HeaderKey("x-api-key", "", walletfi.NewSecret("key-0123456789"))
			})
			_, err := Do[result](t.Context(), client, callOf(effect), nil)
			assert.ErrorIs(t, err, walletfi.ErrRedirect, name)
			assert.Equal(t, status, responseOf(t, err).StatusCode)
			assert.NotContains(t, err.Error(), "stolen")
			assert.EqualValues(t, 1, count.Load())
		}
	}
	assert.Zero(t, visits.Load(), "the other host got nothing")
}

func TestBaseURL(t *testing.T) {
	allowed := []string{"10.0.0.7:8080", "gateway.internal"}
	for text, want := range map[string]string{
		"https://a.example":                 "https://a.example/v1/x",
		"https://a.example/":                "https://a.example/v1/x",
		"https://a.example/pre/fix":         "https://a.example/pre/fix/v1/x",
		"https://a.example/pre/fix//":       "https://a.example/pre/fix/v1/x",
		"https://a.example/pre%2Ffix":       "https://a.example/pre%2Ffix/v1/x",
		"https://a.example:8443/p":          "https://a.example:8443/p/v1/x",
		"http://127.0.0.1:80/p":             "http://127.0.0.1:80/p/v1/x",
		"http://127.8.9.1":                  "http://127.8.9.1/v1/x",
		"http://[::1]:9000":                 "http://[::1]:9000/v1/x",
		"http://localhost":                  "http://localhost/v1/x",
		"http://LocalHost:1":                "http://LocalHost:1/v1/x",
		"http://10.0.0.7:8080":              "http://10.0.0.7:8080/v1/x",
		"http://gateway.internal:81":        "http://gateway.internal:81/v1/x",
		"http://Gateway.Internal":           "http://Gateway.Internal/v1/x",
		"":                                  "",
		"a.example":                         "",
		"https://":                          "",
		"https://:443":                      "",
		"https://a.example?key=s3cr3t-text": "",
		"https://a.example?":                "",
		"https://a.example#s3cr3t-text":     "",
		"https://s3cr3t-text@a.example":     "",
		"https://a.example/%zz/s3cr3t-text": "",
		"ftp://a.example":                   "",
		"http://a.example":                  "",
		"http://10.0.0.7":                   "",
		"http://10.0.0.7:8081":              "",
		"http://localhost.a.example":        "",
		"http://127.0.0.1.a.example":        "",
		"http://[::2]":                      "",
		"http://0.0.0.0":                    "",
	} {
		t.Run(text, func(t *testing.T) {
			c, err := New(Config{Service: "test", BaseURL: text, Options: walletfi.Options{AllowHTTP: allowed}})
			if want == "" {
				wiretest.Refused(t, err, "baseURL")
				assert.NotContains(t, err.Error(), "s3cr3t")
				return
			}
			require.NoError(t, err)
			e, err := encodeWith(c, &Call{Effect: Read, Answer: Silent("a test"), Path: Path("/v1/{x}", "x")}, &callopt.Settings{})
			require.NoError(t, err)
			assert.Equal(t, want, e.url.String())
		})
	}
}

func TestKeys(t *testing.T) {
	for text, ok := range map[string]bool{
		"plain-key_0.1~=": true, "with space": true, "ümlaut": true,
		"": false, "s3cr3t\r\nX-Admin: 1": false, "s3cr3t\nx": false, "s3cr3t\x00": false,
		"s3cr3t\x7f": false, " s3cr3t": false, "s3cr3t\t": false,
	} {
		err := ValidateKey("apiKey", walletfi.NewSecret(text), true)
		assert.Equal(t, ok, err == nil, "%q", text)
		if !ok {
			assert.ErrorIs(t, err, walletfi.ErrInvalidRequest)
			assert.ErrorContains(t, err, "apiKey")
			assert.NotContains(t, err.Error(), "s3cr3t")
		}
	}
	assert.NoError(t, ValidateKey("apiKey", walletfi.Secret{}, false))
}

func TestOptionsAreChecked(t *testing.T) {
	for field, change := range map[string]func(*walletfi.Options){
		"userAgent":           func(o *walletfi.Options) { o.UserAgent = "bot\r\nX-Admin: 1" },
		"maxResponseBytes":    func(o *walletfi.Options) { o.MaxResponseBytes = -1 },
		"retry.minWait":       func(o *walletfi.Options) { o.Retry.MinWait = -1 },
		"retry.maxWait":       func(o *walletfi.Options) { o.Retry.MaxWait = -1 },
		"retry.maxRetryAfter": func(o *walletfi.Options) { o.Retry.MaxRetryAfter = -1 },
	} {
		cfg := Config{Service: "test", BaseURL: testBase}
		change(&cfg.Options)
		_, err := New(cfg)
		wiretest.Refused(t, err, field)
	}
}

// TestCredentialGoesToItsCallsOnly: none where the call is public, none where
// there is no key, and in the place where the service wants it.
func TestCredentialGoesToItsCallsOnly(t *testing.T) {
	key := walletfi.NewSecret("key-0123456789")
	sent := func(auth Authoriser, public bool) http.Header {
		service := serve(reply(200, success))
		call := callOf(Read)
		call.Public = public
		_, err := Do[result](t.Context(), clientOf(t, service, func(cfg *Config) { cfg.Auth = auth }), call, nil)
		require.NoError(t, err)
		return service.requests()[0].header
	}
	assert.Equal(t, []string{"key-0123456789"}, sent(HeaderKey("x-api-key", "", key), false)["X-Api-Key"])
	assert.Equal(t, []string{"Bearer key-0123456789"}, sent(HeaderKey("Authorization", "Bearer ", key), false)["Authorization"])
	assert.NotContains(t, sent(HeaderKey("x-api-key", "", key), true), "X-Api-Key")
	assert.NotContains(t, sent(HeaderKey("x-api-key", "", walletfi.Secret{}), false), "X-Api-Key")
}

// TestHeadersAreTheAttemptsOwn: the header of one attempt is its own, so that a
// round tripper which changes it in place spoils no other.
func TestHeadersAreTheAttemptsOwn(t *testing.T) {
	var seen []string
	spoil := func(r *http.Request) (*http.Response, error) {
		for name, values := range r.Header {
			seen = append(seen, name+": "+values[0])
			values[0] = "spoiled"
		}
		return reply(500, "")(r)
	}
	client := func(cfg *Config) {
		cfg.Auth = HeaderKey("x-api-key", "", walletfi.NewSecret("key-0123456789"))
		cfg.Options.UserAgent = "bot/1"
	}
	_, err := Do[result](t.Context(), clientOf(t, serve(spoil), client, at(testBase), retries(1)), callOf(Build),
		[]walletfi.CallOption{walletfi.WithHeader("X-Trace", "t1")})
	require.Error(t, err)
	assert.ElementsMatch(t, []string{
		"Accept: application/json", "Accept: application/json",
		"Content-Type: application/json", "Content-Type: application/json",
		"User-Agent: bot/1 walletfi-go/0.1", "User-Agent: bot/1 walletfi-go/0.1",
		"X-Api-Key: key-0123456789", "X-Api-Key: key-0123456789",
		"X-Trace: t1", "X-Trace: t1",
	}, seen)
}

// TestOnlyWhatIsMeantIsSent: the whole request, byte for byte.
func TestOnlyWhatIsMeantIsSent(t *testing.T) {
	wire := make(chan string, 1)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		buf := make([]byte, 4096)
		n, _ := conn.Read(buf)
		wire <- string(buf[:n])
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 11\r\nConnection: close\r\n\r\n"+success)
	}()
	client := clientOf(t, nil, at("http://"+l.Addr().String()+"/pre"), func(cfg *Config) {
		cfg.Auth = HeaderKey("x-api-key", "", walletfi.NewSecret("key-0123456789"))
	})
	require.NoError(t, wiretest.Error(Do[result](t.Context(), client, callOf(Read), nil)))
	assert.Equal(t, "GET /pre/v1/thing HTTP/1.1\r\nHost: "+l.Addr().String()+"\r\nUser-Agent: walletfi-go/0.1\r\n"+
		"Accept: application/json\r\nX-Api-Key: key-0123456789\r\nAccept-Encoding: gzip\r\n\r\n", <-wire)
}

// TestHeadersHaveTheirOwnRoom: a round tripper that adds a value to one header changes
// no other.
func TestHeadersHaveTheirOwnRoom(t *testing.T) {
	seen := 0
	client := clientOf(t, tripper(func(r *http.Request) (*http.Response, error) {
		seen++
		for _, name := range []string{"Accept", "User-Agent", "Content-Type"} {
			r.Header.Add(name, "added")
		}
		require.Equal(t, http.Header{
			"Accept": {"application/json", "added"}, "User-Agent": {"walletfi-go/0.1", "added"}, "Content-Type": {"application/json", "added"},
		}, r.Header)
		return reply(200, success)(r)
	}))
	require.NoError(t, wiretest.Error(Do[result](t.Context(), client, callOf(Build), nil)))
	require.Equal(t, 1, seen)
}

// TestKeyIsNotRenewed: a 401 of a key is final.
func TestKeyIsNotRenewed(t *testing.T) {
	service := serve(reply(401, ""), reply(200, success))
	_, err := Do[result](t.Context(), clientOf(t, service, func(cfg *Config) {
		cfg.Auth = HeaderKey("x-api-key", "", walletfi.NewSecret("key-0123456789"))
	}), callOf(Read), nil)
	require.ErrorIs(t, err, walletfi.ErrUnauthorized)
	require.Len(t, service.requests(), 1)
}

// refusing is an Authoriser that has no credential to give.
type refusing struct {
	Authoriser
	err error
}

func (r refusing) Authorise(context.Context, http.Header) error { return r.err }

// TestWithoutTheCredential: what the Authoriser says is the call's error as it is, and
// the slot is given back unused.
func TestWithoutTheCredential(t *testing.T) {
	none := errors.New("no credential")
	for name, change := range map[string]func(*Config){
		"documented": func(*Config) {},
		"deployed":   deployed(named(map[string]string{"id": "nummer"})),
		"in a query": deployed(deployment.Service{Auth: []deployment.Place{{In: deployment.InQuery, Name: "key"}}}),
	} {
		limiter := &countingLimiter{}
		service := serve(reply(200, success))
		client := clientOf(t, service, limiter.use, change, func(cfg *Config) {
			cfg.Auth = refusing{HeaderKey("x-api-key", "", walletfi.NewSecret("key-0123456789")), none}
		})
		_, err := Do[result](t.Context(), client, callOf(Read), nil)
		require.True(t, err == none, "%s: %v", name, err)
		require.Empty(t, service.requests())
		require.Equal(t, 1, limiter.unsent)
		require.Zero(t, limiter.sent)
	}
}
