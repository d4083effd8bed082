package dialect

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// TestRefused: a secret that is missing, a service that there is not, and words that have no
// way back. All else is refused by package deployment.
func TestRefused(t *testing.T) {
	for field, d := range map[string]*deployment.Deployment{
		"deployment.services":             {Services: map[string]deployment.Service{"swop": {}}},
		"secrets.partner":                 of(deployment.Service{Auth: []deployment.Place{{In: "query", Name: "p", Secret: "partner"}}}),
		"deployment.services.swap.keys.b": of(deployment.Service{Words: deployment.Words{Keys: map[string]string{"a": "x", "b": "x"}}}),
		"deployment.services.swap.operations[GET /a].keys.b": of(deployment.Service{Words: deployment.Words{Keys: map[string]string{"a": "x"}},
			Operations: map[string]deployment.Operation{"GET /a": {Words: deployment.Words{Keys: map[string]string{"b": "x"}}}}}),
	} {
		_, err := Compile(d, "swap", nil)
		wiretest.Refused(t, err, field)
	}
}

func TestTargets(t *testing.T) {
	for name, c := range map[string]struct {
		route string
		query url.Values
		want  string // "" if it is refused
	}{
		"a value in the query":    {"GET /things?id={id}&v=2", nil, "/things?id=a%2Fb&v=2"},
		"a parameter in the path": {"GET /{kind}/{id}", url.Values{"kind": {"pool"}}, "/ACME/a%2Fb"},
		"of several values":       {"GET /{kind}/{id}", url.Values{"kind": {"x", "y"}}, "/x%2Cy/a%2Fb"},
		"and it is absent":        {"GET /{kind}/{id}", nil, ""},
		"and it climbs":           {"GET /{kind}/{id}", url.Values{"kind": {".."}}, ""},
		"within a segment":        {"GET /x-{id}.json", nil, "/x-a%2Fb.json"},
		"and it is left out":      {"GET /{id}?type={kind}", nil, "/a%2Fb"},
		"sent under its own name": {"GET /{id}?type={kind}", url.Values{"kind": {"pool", "z"}, "limit": {"3"}}, "/a%2Fb?max=3&type=ACME&type=z"},
		"a parameter twice":       {"GET /{id}?max=1", url.Values{"limit": {"3"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Compile(of(deployment.Service{
				Words:      deployment.Words{Query: map[string]string{"limit": "max"}, Values: map[string]map[string]string{"kind": {"pool": "ACME"}}},
				Operations: map[string]deployment.Operation{"GET /v1/{id}": {Route: c.route}},
			}), "swap", nil)
			require.NoError(t, err)
			o := s.Operation("GET", "/v1/{id}")
			target, err := o.Target([]Value{{"id", "a%2Fb", "a/b"}}, c.query, nil, func(name, value string) (string, error) {
				if value == ".." {
					return "", assert.AnError
				}
				return url.PathEscape(value), nil
			})
			if c.want == "" {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			got := target.Path
			if len(target.Query) > 0 {
				got += "?" + target.Query.Encode()
			}
			assert.Equal(t, c.want, got)
		})
	}
}

func TestCredentials(t *testing.T) {
	secrets := map[string]walletfi.Secret{"partner": walletfi.NewSecret("p-123456"), "unused": walletfi.NewSecret("u-123456")}
	own := http.Header{"Authorization": {"Bearer t-123456"}}
	for name, c := range map[string]struct {
		s      deployment.Service
		own    http.Header
		header http.Header
		query  url.Values
	}{
		"as documented": {deployment.Service{}, own, own, nil},
		"renamed":       {deployment.Service{Headers: map[string]string{"authorization": "X-Token"}}, own, http.Header{"X-Token": {"Bearer t-123456"}}, nil},
		"none":          {deployment.Service{NoAuth: true}, own, http.Header{}, nil},
		"elsewhere": {deployment.Service{Auth: []deployment.Place{{In: "query", Name: "k"}, {In: "header", Name: "x-t", Prefix: "Token "}}}, own,
			http.Header{"X-T": {"Token t-123456"}}, url.Values{"k": {"t-123456"}}},
		"another too": {deployment.Service{Auth: []deployment.Place{{In: "header", Name: "x-t"}, {In: "query", Name: "p", Secret: "partner", Prefix: "P:"}}}, own,
			http.Header{"X-T": {"t-123456"}}, url.Values{"p": {"P:p-123456"}}},
		"without one": {deployment.Service{Auth: []deployment.Place{{In: "header", Name: "x-t"}, {In: "header", Name: "x-p", Secret: "partner"}}}, http.Header{},
			http.Header{"X-P": {"p-123456"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Compile(of(c.s), "swap", secrets)
			require.NoError(t, err)
			header := http.Header{}
			assert.Equal(t, c.query, s.Authorise(header, c.own.Clone(), "Bearer "))
			assert.Equal(t, c.header, header)
			for _, secret := range s.Secrets() {
				assert.Equal(t, "p-123456", secret)
			}
		})
	}
}
