package transport

import (
	"net/url"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/callopt"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

func TestPath(t *testing.T) {
	for _, c := range []struct {
		template string
		values   []any
		want     string // "" where it is refused
	}{
		{"/v1/pools", nil, "/v1/pools"},
		{"v1/generate.transactions.withdraw", nil, "/v1/generate.transactions.withdraw"},
		{"/v1/{a}/x/{b}", []any{"one", "two"}, "/v1/one/x/two"},
		{"/v1/{a}", []any{"a/b"}, "/v1/a%2Fb"},
		{"/v1/{a}", []any{"a b?c#d%e"}, "/v1/a%20b%3Fc%23d%25e"},
		{"/v1/{a}", []any{"%2f"}, "/v1/%252f"},
		{"/v1/{a}", []any{"%2e%2e"}, "/v1/%252e%252e"},
		{"/v1/{a}", []any{"..."}, "/v1/..."},
		{"/v1/{a}", []any{"a..b"}, "/v1/a..b"},
		{"/v1/{a}", []any{"\r\nX: 1"}, "/v1/%0D%0AX:%201"},
		{"/v1/{a}", []any{"{b}"}, "/v1/%7Bb%7D"},
		{"/v1/{list}", []any{[]string{"a", "b,c", "d/e"}}, "/v1/a,b%2Cc,d%2Fe"},
		{"/v1/{a}", []any{""}, ""},
		{"/v1/{a}", []any{"."}, ""},
		{"/v1/{a}", []any{".."}, ""},
		{"/v1/{a}", []any{"../admin"}, ""},
		{"/v1/{a}", []any{"x/../../admin"}, ""},
		{"/v1/{a}", []any{`x\..\admin`}, ""},
		{"/v1/{a}", []any{"x/.."}, ""},
		{"/v1/{list}", []any{[]string{}}, ""},
		{"/v1/{list}", []any{[]string{"a", ""}}, ""},
		{"/v1/{list}", []any{[]string{"a", ".."}}, ""},
	} {
		t.Run(c.template, func(t *testing.T) {
			got, err := Path(c.template, c.values...).escaped()
			assert.Equal(t, c.want, got)
			live, refusal := underDeployment(t, Path(c.template, c.values...))
			assert.Equal(t, got, live)
			assert.Equal(t, err, refusal)
			if c.want == "" {
				problem := wiretest.As[*walletfi.ValidationError](t, err)
				assert.Contains(t, []string{"a", "list"}, problem.Field)
				return
			}
			require.NoError(t, err)
		})
	}
}

func TestPathThatDoesNotFitItsValues(t *testing.T) {
	for _, target := range []Target{Path("/v1/{a}"), Path("/v1", "x"), Path("/v1/{a}", 7)} {
		assert.ErrorContains(t, wiretest.Error(target.escaped()), "transport: path")
		assert.ErrorContains(t, wiretest.Error(underDeployment(t, target)), "transport: path")
	}
	_, err := Path("/v1/{a}", "x", "y", "z").escaped()
	assert.EqualError(t, err, "transport: path /v1/{a} has 2 values too many")
}

// TestPathThatIsNoPath: nothing is sent, with and without a deployment.
func TestPathThatIsNoPath(t *testing.T) {
	for _, target := range []Target{Path("/v1/%zz"), Path("/v1/%zz/{a}", "x"), Path("/v1/{a}"), Path("/v1/{a}", ".."), Path("/v1", "x")} {
		for name, change := range map[string]func(*Config){"documented": func(*Config) {}, "deployed": deployed(named(map[string]string{"other": "word"}))} {
			service := serve(reply(200, success))
			call := callOf(Read)
			call.Path, call.Query = target, url.Values{"q": {"1"}}
			_, err := Do[result](t.Context(), clientOf(t, service, change), call, nil)
			assert.Error(t, err, "%s: %s", name, target.template)
			assert.Empty(t, service.requests(), "%s: %s", name, target.template)
		}
	}
}

// underDeployment is the path under a deployment that has other words for other things.
func underDeployment(t *testing.T, target Target) (string, error) {
	s, err := compiled(named(map[string]string{"other": "word"}))
	require.NoError(t, err)
	values, err := target.named()
	if err != nil {
		return "", err
	}
	where, err := s.Operation("GET", target.template).Target(values, nil, nil, escapeSegment)
	return where.Path, err
}

// TestPathOnTheWire: what the service reads is what was meant, one segment.
func TestPathOnTheWire(t *testing.T) {
	for _, value := range []string{"a/b", "a%2Fb", "a b", "ü", "?x=1", "#f", ";p=1", "a+b", "@:$&=", "\x00", "{x}", "*"} {
		service := serve(reply(200, success))
		_, err := Do[result](t.Context(), clientOf(t, service), Call{Op: "Do", Effect: Read, Answer: Silent("a test"), Method: "GET", Path: Path("/v1/{a}/end", value)}, nil)
		require.NoError(t, err)
		segments := strings.Split(service.requests()[0].target, "/")
		require.Len(t, segments, 5, "%q", value)
		assert.Equal(t, []string{"", "base", "v1"}, segments[:3])
		assert.Equal(t, "end", segments[4])
		got, err := url.PathUnescape(segments[3])
		require.NoError(t, err)
		assert.Equal(t, value, got)
	}
}

func FuzzPath(f *testing.F) {
	for _, value := range []string{"wallet", "..", ".", "", "%2f", "a/../b", `..\..`, "//", "%2e%2e/", "\r\n", "é", "\xff", ";/../"} {
		f.Add(value)
	}
	client, err := New(Config{Service: "test", BaseURL: testBase})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, value string) {
		e, err := encodeWith(client, &Call{Effect: Read, Answer: Silent("a test"), Path: Path("/v1/{a}/end", value)}, &callopt.Settings{})
		if err != nil {
			return
		}
		wire := e.url.RequestURI()
		segments := strings.Split(wire, "/")
		if len(segments) != 5 || path.Clean(wire) != wire || strings.ContainsAny(wire, "\r\n ?#") {
			t.Fatalf("%q became %q", value, wire)
		}
		got, err := url.PathUnescape(segments[3])
		if err != nil || got != value {
			t.Fatalf("%q came as %q, %v", value, got, err)
		}
		// A proxy that unescapes before it cleans must not leave the prefix.
		if plain := path.Clean(e.url.Path); !strings.HasPrefix(plain, "/base/v1/") {
			t.Fatalf("%q climbs to %q", value, plain)
		}
	})
}

// TestBasePrefix: a prefix that is missing or doubled is refused with the address
// that is right, unless the gateway's routes are its own.
func TestBasePrefix(t *testing.T) {
	within, outside := Config{Prefix: "/api/v1"}, Config{OwnPaths: []string{"/api/v1"}}
	for _, c := range []struct {
		cfg         Config
		base, right string
	}{
		{within, "https://a.example/api/v1", ""},
		{within, "https://a.example/gw/api/v1/", ""},
		{within, "https://a.example", "https://a.example/api/v1"},
		{within, "https://a.example/api/v1/api/v1", "https://a.example/api/v1"},
		{within, "https://a.example/api", "https://a.example/api/api/v1"},
		{outside, "https://a.example", ""},
		{outside, "https://a.example/gw/", ""},
		{outside, "https://a.example/api/v1", "https://a.example"},
		{outside, "https://a.example/gw/api/v1/", "https://a.example/gw"},
		{outside, "https://a.example/api/v1/api/v1", "https://a.example"},
		{Config{}, "https://a.example/api/v1", ""},
	} {
		cfg := c.cfg
		cfg.Service, cfg.BaseURL = "test", c.base
		_, err := New(cfg)
		if c.right == "" {
			assert.NoError(t, err, c.base)
			continue
		}
		require.ErrorIs(t, err, walletfi.ErrInvalidRequest, c.base)
		assert.ErrorContains(t, err, "baseURL: must be "+c.right+";")
		cfg.Options.OwnRoutes = true
		assert.NoError(t, wiretest.Error(New(cfg)), c.base)
	}
	cfg := within
	cfg.Service, cfg.BaseURL = "test", "https://a.example/rpc/v1"
	deployed(deployment.Service{Segments: map[string]string{"api": "rpc"}})(&cfg)
	require.NoError(t, wiretest.Error(New(cfg)), "in the words of the deployment")
}
