package transport

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/bearer"
	"github.com/walletfi/walletfi-go/internal/observing/recorded"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// The canaries hold what every escape changes.
const (
	keyCanary     = `Kanary/key+1 <&"é`
	accessCanary  = "Kanary-access.token_2~"
	refreshCanary = "Kanary-refresh.token_3~"
	bodyCanary    = "Kanary body\\\"4/€<"
)

// traces are what any spelling of a canary has in common.
var traces = []string{"Kanary", "kanary", "S2FuYXJ5"} // the last is base64

// clean fails where text shows a canary.
func clean(t *testing.T, where, text string) {
	t.Helper()
	for _, trace := range traces {
		if i := strings.Index(text, trace); i >= 0 {
			t.Errorf("%s shows a canary: ...%s...", where, text[max(0, i-40):min(len(text), i+60)])
		}
	}
}

// echoes are the spellings in which a service repeats a secret.
func echoes(secret string) map[string]string {
	quoted, _ := json.Marshal(secret)
	return map[string]string{
		"plain":      secret,
		"query":      url.QueryEscape(secret),
		"path":       url.PathEscape(secret),
		"JSON":       strings.Trim(string(quoted), `"`),
		"HTML":       html.EscapeString(secret),
		"twice":      secret + secret,
		"in a token": "Bearer " + secret,
	}
}

// everyForm prints v in each way that a program may.
func everyForm(v any) map[string]string {
	forms := map[string]string{}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d"} {
		forms[verb] = fmt.Sprintf(verb, v)
		forms["in a struct "+verb] = fmt.Sprintf(verb, struct{ hidden any }{v})
		forms["in a map "+verb] = fmt.Sprintf(verb, map[string]any{"k": v})
		forms["in a slice "+verb] = fmt.Sprintf(verb, []any{v})
	}
	var text, object bytes.Buffer
	slog.New(slog.NewTextHandler(&text, nil)).Error("m", "value", v, slog.Group("g", "value", v))
	slog.New(slog.NewJSONHandler(&object, nil)).Error("m", "value", v, slog.Group("g", "value", v))
	forms["slog text"], forms["slog JSON"] = text.String(), object.String()
	if b, err := json.Marshal(v); err == nil {
		forms["JSON"] = string(b)
	} else {
		forms["JSON error"] = err.Error()
	}
	return forms
}

// inspect prints err and all that it wraps, and the body that it keeps.
func inspect(t *testing.T, err error) {
	t.Helper()
	for form, text := range everyForm(err) {
		clean(t, fmt.Sprintf("%T as %s", err, form), text)
	}
	if r, ok := err.(*walletfi.ResponseError); ok {
		clean(t, "Body", string(r.Body))
		clean(t, "Message", r.Message)
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			inspect(t, inner)
		}
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			inspect(t, inner)
		}
	}
}

// watched is a client with a log and a hook whose output is inspected.
type watched struct {
	*Client
	log      bytes.Buffer
	observed *recorded.Recorder
}

func watch(t *testing.T, service http.RoundTripper, auth Authoriser) *watched {
	w := &watched{observed: recorded.New(t)}
	// Behind a function, since the double itself keeps what it saw.
	w.Client = clientOf(t, tripper(service.RoundTrip), retries(1), func(cfg *Config) {
		cfg.Auth = auth
		cfg.Options.Logger = slog.New(slog.NewJSONHandler(&w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		cfg.Options.Observer = w.observed
	})
	return w
}

func (w *watched) inspect(t *testing.T) {
	t.Helper()
	require.NotEmpty(t, w.log.String())
	clean(t, "the log", w.log.String())
	told := w.observed.All()
	require.NotEmpty(t, told)
	for _, v := range told {
		for form, text := range everyForm(v) {
			clean(t, fmt.Sprintf("%T as %s", v, form), text)
		}
	}
	for form, text := range everyForm(w.Client) {
		clean(t, "the client as "+form, text)
	}
	for form, text := range everyForm(*w.Client) { //nolint:govet // what a careless program prints
		clean(t, "the client's fields as "+form, text)
	}
}

func secretBearer(t *testing.T, refresh func() error) *bearer.Tokens {
	store := &walletfi.MemoryTokenStore{}
	require.NoError(t, store.Save(t.Context(), walletfi.Token{
		Access: walletfi.NewSecret(accessCanary), Refresh: walletfi.NewSecret(refreshCanary),
	}))
	return bearer.New(bearer.Config{Store: store, Refresh: func(context.Context, walletfi.Token) (walletfi.Token, error) {
		return walletfi.Token{}, refresh()
	}})
}

// TestCanaryEchoed: the service repeats a credential or a body's secret, in its
// message, its code, its body, its headers.
func TestCanaryEchoed(t *testing.T) {
	credentials := map[string]struct {
		auth   func(t *testing.T) Authoriser
		secret string
	}{
		"key":     {func(*testing.T) Authoriser { return HeaderKey("x-api-key", "", walletfi.NewSecret(keyCanary)) }, keyCanary},
		"access":  {func(t *testing.T) Authoriser { return primed(t, secretBearer(t, nil)) }, accessCanary},
		"refresh": {func(t *testing.T) Authoriser { return primed(t, secretBearer(t, nil)) }, refreshCanary},
		"body":    {func(*testing.T) Authoriser { return nil }, bodyCanary},
	}
	for name, c := range credentials {
		for spelling, echo := range echoes(c.secret) {
			quoted, err := json.Marshal(echo)
			require.NoError(t, err)
			for shape, body := range map[string]string{
				"message":  `{"error":{"code":"X","message":` + string(quoted) + `}}`,
				"code":     `{"error":{"code":` + string(quoted) + `,"message":"m"}}`,
				"error":    `{"error":` + string(quoted) + `}`,
				"HTML":     "<p>" + echo + "</p>",
				"text":     echo,
				"cut":      strings.Repeat(" ", 4<<10-7) + echo,
				"member":   `{` + string(quoted) + `:1}`,
				"nonsense": `{"id":{` + string(quoted) + `:[` + string(quoted) + `]}}`,
			} {
				for _, status := range []int{200, 400, 500} {
					inBubble(fmt.Sprintf("%s/%s/%s/%d", name, spelling, shape, status), t, func(t *testing.T) {
						client := watch(t, serve(reply(status, body, "X-Echo", echo)), c.auth(t))
						call := callOf(Relay)
						call.Body, call.Secrets = map[string]string{"otp": bodyCanary}, []string{bodyCanary}
						_, err := Do[result](t.Context(), client.Client, call, nil)
						require.Error(t, err)
						inspect(t, err)
						client.inspect(t)
					})
				}
			}
		}
	}
}

// primed lets b read its token, so that it knows what to mask.
func primed(t *testing.T, b *bearer.Tokens) *bearer.Tokens {
	require.NoError(t, b.Authorise(t.Context(), http.Header{}))
	return b
}

// TestCanaryInTransportErrors: a round tripper's error quotes the request.
func TestCanaryInTransportErrors(t *testing.T) {
	quoting := map[string]step{
		"the URL": func(r *http.Request) (*http.Response, error) {
			return nil, &url.Error{Op: "Get", URL: r.URL.String(), Err: reset}
		},
		"the URL, wrapped": func(r *http.Request) (*http.Response, error) {
			return nil, fmt.Errorf("proxy: %w", &url.Error{Op: "Get", URL: r.URL.String(), Err: reset})
		},
		"the URL, as text": func(r *http.Request) (*http.Response, error) {
			return nil, fmt.Errorf("no route to %s: %w", r.URL, reset)
		},
		"the header": func(r *http.Request) (*http.Response, error) {
			return nil, fmt.Errorf("cannot send %v: %w", r.Header, reset)
		},
		"the header, as a value": func(r *http.Request) (*http.Response, error) {
			return nil, quotingError{r.Header.Get("X-Api-Key")}
		},
	}
	for name, s := range quoting {
		inBubble(name, t, func(t *testing.T) {
			client := watch(t, serve(s), HeaderKey("x-api-key", "", walletfi.NewSecret(keyCanary)))
			call := callOf(Create)
			// No query is shown, whether or not it is known to be secret.
			call.Query = url.Values{"otp": {bodyCanary}}
			_, err := Do[result](t.Context(), client.Client, call, nil)
			require.Error(t, err)
			inspect(t, err)
			client.inspect(t)
		})
	}
}

// quotingError has the secret in a field.
type quotingError struct{ header string }

func (e quotingError) Error() string { return "refused header " + e.header }

// TestCanaryTransaction: a service that repeats a signed transaction may write it in
// the encoding that it was not sent in. Who reads it in a log could send it.
func TestCanaryTransaction(t *testing.T) {
	signed := make([]byte, 400)
	rand.NewChaCha8([32]byte{1}).Read(signed) //nolint:errcheck // it never fails
	encodings := map[string]string{
		"base58": base58.Encode(signed), "base64": base64.StdEncoding.EncodeToString(signed),
		"base64 for URLs": base64.RawURLEncoding.EncodeToString(signed),
	}
	for sent, secret := range encodings {
		for shown, echo := range encodings {
			quoted, err := json.Marshal("cannot land " + echo + ", try again")
			require.NoError(t, err)
			for shape, body := range map[string]string{
				"message":  `{"error":{"code":"X","message":` + string(quoted) + `}}`,
				"member":   `{"` + echo + `":1}`,
				"text":     "cannot land " + echo,
				"cut":      strings.Repeat(" ", 4<<10-40) + echo,
				"in a URL": "cannot GET /swap/bundle?signedTransaction=" + url.QueryEscape(echo),
			} {
				inBubble(fmt.Sprintf("%s/%s/%s", sent, shown, shape), t, func(t *testing.T) {
					client := clientOf(t, serve(reply(400, body)))
					call := callOf(Relay)
					call.Body, call.Secrets = map[string]string{"transaction": secret}, []string{secret}
					_, err := Do[result](t.Context(), client, call, nil)
					refused := wiretest.As[*walletfi.ResponseError](t, err)
					text := refused.Error() + refused.Message + string(refused.Body)
					for _, spelling := range encodings {
						assert.NotContains(t, text, spelling[:10])
						assert.NotContains(t, text, spelling[100:120])
					}
					assert.Contains(t, text, "[secret]")
				})
			}
		}
	}
}

// TestCanaryInBackoffAndRefresh: the errors that join two failures.
func TestCanaryInBackoffAndRefresh(t *testing.T) {
	echo := reply(503, `{"message":"`+accessCanary+`"}`, "Retry-After", "20")
	synctest.Test(t, func(t *testing.T) {
		client := watch(t, serve(echo), primed(t, secretBearer(t, nil)))
		_, err := cancelled(t, client.Client, time.Second)
		inspect(t, err)
		client.inspect(t)
	})
	synctest.Test(t, func(t *testing.T) {
		refused := fmt.Errorf("%w: no", walletfi.ErrUnauthorized)
		client := watch(t, serve(reply(401, `{"message":"`+accessCanary+`"}`)), secretBearer(t, func() error { return refused }))
		_, err := Do[result](t.Context(), client.Client, callOf(Read), nil)
		require.ErrorIs(t, err, walletfi.ErrUnauthorized)
		require.ErrorContains(t, err, "sign in again")
		inspect(t, err)
		client.inspect(t)
	})
}

// TestCanaryInValues: what holds secrets prints none of them, also from an
// unexported field and as a map's key.
func TestCanaryInValues(t *testing.T) {
	key := walletfi.NewSecret(keyCanary)
	token := walletfi.Token{Access: walletfi.NewSecret(accessCanary), Refresh: walletfi.NewSecret(refreshCanary)}
	tokens := primed(t, secretBearer(t, nil))
	for name, v := range map[string]any{
		"Secret":      key,
		"*Secret":     &key,
		"unexported":  struct{ key walletfi.Secret }{key},
		"a map's key": map[walletfi.Secret]int{key: 1},
		"Token":       token,
		"*Token":      &token,
		"HeaderKey":   HeaderKey("x-api-key", "Bearer ", key),
		"Bearer":      tokens,
		"Config":      Config{Auth: tokens},
		"Config/key":  Config{Auth: HeaderKey("x-api-key", "", key)},
	} {
		for form, text := range everyForm(v) {
			clean(t, name+" as "+form, text)
		}
	}
	_, err := json.Marshal(map[string]any{"key": key})
	assert.Error(t, err, "a mask must not be stored in place of a key")
}
