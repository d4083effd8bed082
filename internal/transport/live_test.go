package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/bearer"
	"github.com/walletfi/walletfi-go/internal/observing/recorded"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/observe"
)

// TestCredentialInTheQuery is sent at each attempt, renewed, and nowhere shown.
func TestCredentialInTheQuery(t *testing.T) {
	const one, two, partner = "token+one/secret", "token+two/secret", "partner secret"
	var logged bytes.Buffer
	told := recorded.New(t)
	service := serve(reply(503, ""), reply(401, `{"message":"`+one+` is over"}`), func(r *http.Request) (*http.Response, error) {
		return nil, errors.New("cannot reach " + r.URL.String())
	}, reply(400, `{"message":"`+two+` and `+partner+` are wrong"}`))
	tokens := bearer.New(bearer.Config{Refresh: func(context.Context, walletfi.Token) (walletfi.Token, error) {
		return walletfi.Token{Access: walletfi.NewSecret(two)}, nil
	}})
	require.NoError(t, tokens.Set(t.Context(), walletfi.Token{Access: walletfi.NewSecret(one), Refresh: walletfi.NewSecret("refresh-one")}))
	client := clientOf(t, service, observedBy(told), func(cfg *Config) {
		deployed(deployment.Service{Auth: []deployment.Place{
			{In: deployment.InQuery, Name: "access"}, {In: deployment.InHeader, Name: "x-partner", Prefix: "P ", Secret: "partner"},
		}})(cfg)
		cfg.Auth = tokens
		cfg.Options.Secrets = map[string]walletfi.Secret{"partner": walletfi.NewSecret(partner)}
		cfg.Options.Retry.MinWait = 1
		cfg.Options.Logger = slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	call := callOf(Read)
	call.Query = url.Values{"name": {"a"}}
	_, err := Do[result](t.Context(), client, call, nil)
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)

	var targets []string
	for _, r := range service.requests() {
		targets = append(targets, r.target)
		assert.Equal(t, []string{"P " + partner}, r.header["X-Partner"])
		assert.Empty(t, r.header["Authorization"])
	}
	was, is := "/base/v1/thing?name=a&access=token%2Bone%2Fsecret", "/base/v1/thing?name=a&access=token%2Btwo%2Fsecret"
	assert.Equal(t, []string{was, was, is, is}, targets)

	shown := err.Error() + string(responseOf(t, err).Body) + logged.String()
	ended := recorded.Ends[observe.Attempt, observe.AttemptEnd](told)
	require.Len(t, ended, 4)
	for _, a := range told.All() {
		shown += fmt.Sprintf("%+v", a)
	}
	require.Contains(t, shown, "[secret]")
	require.Contains(t, shown, "cannot reach")
	for _, secret := range []string{"one/secret", "two/secret", "one%2Fsecret", "two%2Fsecret", partner} {
		assert.NotContains(t, shown, secret)
	}

	_, err = Do[result](t.Context(), client, callOf(Read), []walletfi.CallOption{walletfi.WithQuery("access", "x")})
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	_, err = Do[result](t.Context(), client, callOf(Read), []walletfi.CallOption{walletfi.WithHeader("x-partner", "x")})
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	require.Len(t, service.requests(), 4)
}

func TestWithoutCredential(t *testing.T) {
	service := serve(reply(200, success))
	client := clientOf(t, service, deployed(deployment.Service{NoAuth: true}), func(cfg *Config) { cfg.Auth = bearer.New(bearer.Config{}) })
	require.NoError(t, wiretest.Error(Do[result](t.Context(), client, callOf(Read), nil)), "nobody has to sign in")
	assert.Empty(t, service.requests()[0].header["Authorization"])

	o := walletfi.Options{Deployment: of(deployment.Service{NoAuth: true})}
	assert.False(t, NeedsKey(o, "test"))
	assert.True(t, NeedsKey(o, "amm"))

	cfg := Config{Service: "test", BaseURL: testBase, Options: walletfi.Options{Deployment: of(deployment.Service{
		Auth: []deployment.Place{{In: deployment.InHeader, Name: "x-key"}},
	})}}
	_, err := New(cfg)
	wiretest.Refused(t, err, "deployment.services.test.auth[0].secret")
}

// TestNumbersOfAnswers: one that would have to be rounded is no answer, and what sends
// money does not know what became of it.
func TestNumbersOfAnswers(t *testing.T) {
	words := deployed(deployment.Service{Words: deployment.Words{Numbers: map[string]deployment.Number{"amount": {Scale: 2}}}})
	for effect, want := range map[Effect]error{Read: walletfi.ErrDecode, Build: walletfi.ErrDecode, Relay: walletfi.ErrOutcomeUnknown, Create: walletfi.ErrOutcomeUnknown} {
		service := serve(reply(200, `{"id":"x1","amount":1.005}`))
		_, err := Do[result](t.Context(), clientOf(t, service, words), callOf(effect), nil)
		require.ErrorIs(t, err, want)
		require.ErrorIs(t, err, walletfi.ErrDecode)
		require.Len(t, service.requests(), 1)
	}
	service := serve(reply(200, success))
	call := callOf(Create)
	call.Body = map[string]any{"amount": 1.5}
	_, err := Do[result](t.Context(), clientOf(t, service, words), call, nil)
	wiretest.Refused(t, err, "amount")
	require.Empty(t, service.requests())
}

// TestShapes: route, method, steps of both bodies and of a failure in one call.
func TestShapes(t *testing.T) {
	service := serve(
		reply(200, `{"meta":1,"data":[{"nummer":"x1"}]}`),
		reply(200, `{"error":{"code":"C","message":"m"}}`),
		reply(400, `{"wrapped":{"error":{"code":"C","message":"m"}}}`),
		reply(200, `{"data":[]}`),
	)
	client := clientOf(t, service, deployed(deployment.Service{
		Failure: []deployment.Step{{Unwrap: "wrapped"}},
		Operations: map[string]deployment.Operation{"POST /v1/things/{id}": {
			Route: "PUT /do?thing={id}", Words: deployment.Words{Keys: map[string]string{"id": "nummer", "name": "label"}, Extra: deployment.Extra{
				Headers: map[string]string{"X-App": "bot"}, Query: map[string]string{"v": "2"},
			}},
			Body:   []deployment.Step{{Wrap: "params"}},
			Answer: []deployment.Step{{Unwrap: "data"}, {Only: true}},
		}},
	}))
	call := callOf(Build)
	call.Path, call.Answer = Path("/v1/things/{id}", "a/b"), Says("id")
	got, err := Do[result](t.Context(), client, call, nil)
	require.NoError(t, err)
	assert.Equal(t, "x1", got.ID)
	sent := service.requests()[0]
	assert.Equal(t, "PUT", sent.method)
	assert.Equal(t, "/base/do?thing=a%2Fb&v=2", sent.target)
	assert.Equal(t, `{"params":{"label":"value"}}`, sent.body)
	assert.Equal(t, []string{"bot"}, sent.header["X-App"])

	for range 2 { // under a success as it came, and as a failure
		_, err = Do[result](t.Context(), client, call, nil)
		refused := wiretest.As[*testError](t, err)
		assert.Equal(t, "C", refused.Code)
		assert.Equal(t, "PUT", refused.Response.Method)
		assert.True(t, strings.HasPrefix(string(refused.Response.Body), "{"), "as it came")
	}
	require.ErrorIs(t, wiretest.Error(Do[result](t.Context(), client, call, nil)), walletfi.ErrDecode)
}

// TestAddresses: the client's own wins; the deployment's need no documented prefix.
func TestAddresses(t *testing.T) {
	words := deployment.Service{URLs: map[string]string{"baseURL": "https://live.example/anything/api"}}
	service := serve(reply(200, success))
	client := clientOf(t, service, deployed(words), func(cfg *Config) { cfg.BaseURL, cfg.Prefix = "", "/api/v1" })
	_, err := Do[result](t.Context(), client, callOf(Read), nil)
	require.NoError(t, err)
	assert.Equal(t, "/anything/api/v1/thing", service.requests()[0].target)

	for field, base := range map[string]string{"baseURL": "https://own.example/x", "deployment.services.test.urls.baseURL": ""} {
		cfg := Config{BaseURL: base, Prefix: "/api/v1"}
		deployed(deployment.Service{URLs: map[string]string{"baseURL": "ftp://live.example"}})(&cfg)
		_, err := New(cfg)
		wiretest.Refused(t, err, field)
	}
}

// TestSchemeIsTheHeaders: a key that goes elsewhere goes without what the documented
// header's value begins with.
func TestSchemeIsTheHeaders(t *testing.T) {
	service := serve(reply(200, success))
	client := clientOf(t, service, deployed(deployment.Service{Auth: []deployment.Place{{In: deployment.InQuery, Name: "key"}}}), func(cfg *Config) {
		cfg.Auth = HeaderKey("Authorization", "Bearer ", walletfi.NewSecret("key-0123456789"))
	})
	require.NoError(t, wiretest.Error(Do[result](t.Context(), client, callOf(Read), nil)))
	assert.Equal(t, "/base/v1/thing?key=key-0123456789", service.requests()[0].target)
	assert.NotContains(t, service.requests()[0].header, "Authorization")
}

// TestHeadersUnderLiveNames: those of the client's own that are renamed, too.
func TestHeadersUnderLiveNames(t *testing.T) {
	service := serve(reply(200, success))
	client := clientOf(t, service, deployed(deployment.Service{Headers: map[string]string{"User-Agent": "X-Acme-Agent", "x-trace": "X-Acme-Trace"}}))
	_, err := Do[result](t.Context(), client, callOf(Read), []walletfi.CallOption{walletfi.WithHeader("X-Trace", "t1")})
	require.NoError(t, err)
	sent := service.requests()[0].header
	assert.Equal(t, []string{"walletfi-go/0.1"}, sent["X-Acme-Agent"])
	assert.Equal(t, []string{"t1"}, sent["X-Acme-Trace"])
	assert.NotContains(t, sent, "X-Trace")
	assert.NotContains(t, sent, "User-Agent")
}

// TestRequestsThatNoDeploymentTakes: nothing is sent, and the error names what does
// not fit.
func TestRequestsThatNoDeploymentTakes(t *testing.T) {
	for name, c := range map[string]struct {
		operation deployment.Operation
		key       string // of the query's credential
		change    func(*Call)
		field     string
	}{
		"an empty value": {deployment.Operation{Route: "POST /do/{id}"}, "", func(c *Call) { c.Path = Path("/v1/things/{id}", "") }, "id"},
		"a list that pages by nothing": {deployment.Operation{Paging: &deployment.Paging{Form: deployment.PagingOffset, Param: "from", Size: 10}}, "",
			func(*Call) {}, "deployment.services.test.operations[POST /v1/things/{id}].paging"},
		"a page that is no number": {deployment.Operation{Paging: &deployment.Paging{Form: deployment.PagingOffset, Param: "from", Size: 10}}, "",
			func(c *Call) { c.Parameters, c.Query = []string{"page"}, url.Values{"page": {"x"}} }, "page"},
		"a parameter of the credential's": {deployment.Operation{}, "name", func(c *Call) { c.Query = url.Values{"name": {"x"}} },
			"deployment.services.test.operations[POST /v1/things/{id}]"},
		"a query that cannot be written": {deployment.Operation{}, "", func(c *Call) { c.Query = 7 }, ""},
		"a step that finds nothing": {deployment.Operation{Body: []deployment.Step{{Unwrap: "params"}}}, "", func(*Call) {},
			"deployment.services.test.operations[POST /v1/things/{id}].body[0]"},
	} {
		t.Run(name, func(t *testing.T) {
			service := serve(reply(200, success))
			words := deployment.Service{Operations: map[string]deployment.Operation{"POST /v1/things/{id}": c.operation}}
			if c.key != "" {
				words.Auth = []deployment.Place{{In: deployment.InQuery, Name: c.key}}
			}
			client := clientOf(t, service, deployed(words), func(cfg *Config) {
				cfg.Auth = HeaderKey("x-api-key", "", walletfi.NewSecret("key-0123456789"))
			})
			call := callOf(Build)
			call.Path = Path("/v1/things/{id}", "a")
			c.change(&call)
			_, err := Do[result](t.Context(), client, call, nil)
			require.Error(t, err)
			require.Empty(t, service.requests())
			if c.field != "" {
				wiretest.Refused(t, err, c.field)
			}
		})
	}
}

// TestDeploymentIsHeldAgainstTheDocumentation of a service that has one, before any
// other fault of it is looked for.
func TestDeploymentIsHeldAgainstTheDocumentation(t *testing.T) {
	wrong := &deployment.Deployment{Services: map[string]deployment.Service{"lending": {
		Operations: map[string]deployment.Operation{"GET /nowhere": {}},
	}}}
	for name, validate := range map[string]func() error{
		"alone": func() error { return ValidateDeployment(wrong, "lending") },
		"by a New": func() error {
			_, err := New(Config{Service: "lending", BaseURL: testBase, Options: walletfi.Options{Deployment: wrong}})
			return err
		},
	} {
		refused := wiretest.As[*walletfi.ValidationError](t, validate(), name)
		assert.Contains(t, refused.Field, "deployment.services.lending.operations", name)
		assert.NotEmpty(t, refused.Problem)
	}
	require.NoError(t, ValidateDeployment(nil, "lending"))
	require.NoError(t, ValidateDeployment(wrong, "amm"))
	require.NoError(t, ValidateDeployment(wrong, "test"), "which has no documentation")
	right := &deployment.Deployment{Services: map[string]deployment.Service{"lending": {Segments: map[string]string{"v1": "v2"}}}}
	require.NoError(t, ValidateDeployment(right, "lending"))

	place := deployment.Place{In: deployment.InHeader, Name: "x-partner", Secret: "partner"}
	_, err := New(Config{Service: "test", BaseURL: testBase, Options: walletfi.Options{Deployment: of(deployment.Service{Auth: []deployment.Place{place}})}})
	wiretest.Refused(t, err, "secrets.partner")
}

// TestNeedsKey: a deployment that is not valid is New's to refuse, so that the key is
// due until then.
func TestNeedsKey(t *testing.T) {
	other := []deployment.Place{{In: deployment.InHeader, Name: "x-partner", Secret: "partner"}}
	secrets := map[string]walletfi.Secret{"partner": walletfi.NewSecret("s")}
	for name, c := range map[string]struct {
		o    walletfi.Options
		want bool
	}{
		"no deployment":     {walletfi.Options{}, true},
		"no credential":     {walletfi.Options{Deployment: of(deployment.Service{NoAuth: true})}, false},
		"another's":         {walletfi.Options{Deployment: of(deployment.Service{Auth: other}), Secrets: secrets}, false},
		"another's, absent": {walletfi.Options{Deployment: of(deployment.Service{Auth: other})}, true},
		"words alone":       {walletfi.Options{Deployment: of(named(map[string]string{"a": "b"}))}, true},
	} {
		assert.Equal(t, c.want, NeedsKey(c.o, "test"), name)
	}
}

// TestFailureStepsAreForFailures: the body of a refusal under a success is in the words
// of a success.
func TestFailureStepsAreForFailures(t *testing.T) {
	const wrapped, bare = `{"wrapped":{"error":{"code":"C","message":"m"}}}`, `{"error":{"code":"C","message":"m"},"success":false}`
	words := deployed(deployment.Service{Failure: []deployment.Step{{Unwrap: "wrapped"}}})
	for status, body := range map[int]string{199: wrapped, 200: bare, 299: bare, 300: wrapped, 400: wrapped} {
		_, err := Do[result](t.Context(), clientOf(t, serve(reply(status, body)), words, retries(0)), callOf(Read), nil)
		refused := wiretest.As[*testError](t, err, "%d", status)
		assert.Equal(t, "C", refused.Code)
	}
	// A failure's step must not touch what a success wraps by the same name.
	hiding := `{"wrapped":{"error":{"code":"OTHER","message":"m"}},"error":{"code":"C","message":"m"},"success":false}`
	for _, status := range []int{200, 299} {
		_, err := Do[result](t.Context(), clientOf(t, serve(reply(status, hiding)), words), callOf(Read), nil)
		refused := wiretest.As[*testError](t, err)
		assert.Equal(t, "C", refused.Code)
	}
}
