package dialect

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
)

// TestRefused: what would change the shape of a request, or could be read in two ways,
// names its field.
func TestRefused(t *testing.T) {
	words := func(w deployment.Words) deployment.Service { return deployment.Service{Words: w} }
	route := func(live string) deployment.Service {
		return deployment.Service{Operations: map[string]deployment.Operation{"GET /a/{id}": {Route: live}}}
	}
	operation := func(o deployment.Operation) deployment.Service {
		return deployment.Service{Operations: map[string]deployment.Operation{"GET /a": o}}
	}
	auth := func(p ...deployment.Place) deployment.Service { return deployment.Service{Auth: p} }
	steps := func(s deployment.Step) deployment.Service { return deployment.Service{Failure: []deployment.Step{s}} }
	pages := func(p deployment.Paging) deployment.Service { return operation(deployment.Operation{Paging: &p}) }
	for field, all := range map[string][]deployment.Service{
		"keys.b":          {words(deployment.Words{Keys: map[string]string{"a": "x", "b": "x"}})},
		"keys.a":          {words(deployment.Words{Keys: map[string]string{"a": ""}}), words(deployment.Words{Keys: map[string]string{"a": "\xff"}})},
		"values.k.b":      {words(deployment.Words{Values: map[string]map[string]string{"k": {"a": "x", "b": "x"}}})},
		"query.":          {words(deployment.Words{Query: map[string]string{"": "a"}})},
		"query.b":         {words(deployment.Words{Query: map[string]string{"a": "x", "b": "x"}})},
		"":                {words(deployment.Words{Query: map[string]string{"a": "x"}, Extra: deployment.Extra{Query: map[string]string{"x": "1"}}})},
		"headers.B":       {{Headers: map[string]string{"a": "X-y", "b": "x-Y"}}},
		"headers.a":       {{Headers: map[string]string{"a": "b\r\nc"}}, {Headers: map[string]string{"a": "b c"}}, {Headers: map[string]string{"a": "Host"}}},
		"segments.a":      {{Segments: map[string]string{"a": ".."}}, {Segments: map[string]string{"a": "b/c"}}, {Segments: map[string]string{"a": "b?c"}}},
		"urls":            {{URLs: map[string]string{"baseUrl": "https://a.example"}}},
		"numbers.n.scale": {words(deployment.Words{Numbers: map[string]deployment.Number{"n": {Scale: 19}}}), words(deployment.Words{Numbers: map[string]deployment.Number{"n": {Scale: -19}}})},
		"numbers.n.live": {words(deployment.Words{Numbers: map[string]deployment.Number{"n": {Live: "float"}}}),
			words(deployment.Words{Numbers: map[string]deployment.Number{"n": {Live: "number", Prefix: "$"}}})},
		"noAuth":            {{NoAuth: true, Auth: []deployment.Place{{In: "header", Name: "X-Key"}}}},
		"auth[0].in":        {auth(deployment.Place{In: "body", Name: "key"})},
		"auth[0].name":      {auth(deployment.Place{In: "header", Name: "a b"}), auth(deployment.Place{In: "query"}), auth(deployment.Place{In: "header", Name: "Content-Length"})},
		"auth[0].prefix":    {auth(deployment.Place{In: "header", Name: "a", Prefix: "b\n"})},
		"auth[1].name":      {auth(deployment.Place{In: "header", Name: "x-a"}, deployment.Place{In: "header", Name: "X-A"})},
		"extra.headers.a":   {words(deployment.Words{Extra: deployment.Extra{Headers: map[string]string{"a": "\r\nb: c"}}})},
		"extra.body.a":      {words(deployment.Words{Extra: deployment.Extra{Body: map[string]json.RawMessage{"a": json.RawMessage(`{`)}}})},
		"failure[0]":        {steps(deployment.Step{}), steps(deployment.Step{Only: true, List: true})},
		"failure[0].to":     {steps(deployment.Step{Move: "a"}), steps(deployment.Step{Only: true, To: "a"})},
		"failure[0].at":     {steps(deployment.Step{Only: true, At: "a..b"})},
		"failure[0].unwrap": {steps(deployment.Step{Unwrap: "a.*"})},
		"operations[GET /a/{id}].route": {
			route("GET /b"), route("FETCH /b/{id}"), route("GET b/{id}"), route("GET /b/{id}/{id}"), route("GET /../{id}"), route("GET /b/%2e%2e/{id}"),
			route("GET /b%2Fc/{id}"), route("GET /b#{id}"), route("GET /b/{id"), route("GET /b/id}"), route("GET /b/{}?x={id}"), route("GET /b?x={id}&x=1"), route("GET /b?={id}"), route("GET /b c/{id}"),
		},
		"operations[GET /a].paging.form":  {pages(deployment.Paging{Form: "book", Param: "p"})},
		"operations[GET /a].paging.param": {pages(deployment.Paging{Form: "page"})},
		"operations[GET /a].paging.next":  {pages(deployment.Paging{Form: "cursor", Param: "p"})},
		"operations[GET /a].paging.size":  {pages(deployment.Paging{Form: "page", Param: "p", Size: -1})},
		"operations[GET /a].keys.b": {{Words: deployment.Words{Keys: map[string]string{"a": "x"}},
			Operations: map[string]deployment.Operation{"GET /a": {Words: deployment.Words{Keys: map[string]string{"b": "x"}}}}}},
	} {
		for _, s := range all {
			_, err := Compile(of(s), "swap", nil)
			var refused *walletfi.ValidationError
			require.ErrorAs(t, err, &refused, "%s: %+v", field, s)
			want := "deployment.services.swap"
			if field != "" {
				want += "." + field
			}
			assert.Equal(t, want, refused.Field, "%+v", s)
		}
	}
	for field, d := range map[string]*deployment.Deployment{
		"deployment.services": {Services: map[string]deployment.Service{"swop": {}}},
		"secrets.partner":     of(auth(deployment.Place{In: "query", Name: "p", Secret: "partner"})),
	} {
		_, err := Compile(d, "swap", nil)
		var refused *walletfi.ValidationError
		require.ErrorAs(t, err, &refused)
		assert.Equal(t, field, refused.Field)
	}
}

func TestTargets(t *testing.T) {
	for name, c := range map[string]struct {
		route string
		query url.Values
		want  string // "" if it is refused
	}{
		"a value in the query":     {"GET /things?id={id}&v=2", nil, "/things?id=a%2Fb&v=2"},
		"a parameter in the path":  {"GET /{kind}/{id}", url.Values{"kind": {"pool"}}, "/ACME/a%2Fb"},
		"of several values":        {"GET /{kind}/{id}", url.Values{"kind": {"x", "y"}}, "/x%2Cy/a%2Fb"},
		"and it is absent":         {"GET /{kind}/{id}", nil, ""},
		"and it climbs":            {"GET /{kind}/{id}", url.Values{"kind": {".."}}, ""},
		"within a segment":         {"GET /x-{id}.json", nil, "/x-a%2Fb.json"},
		"a parameter of the query": {"GET /{id}?type={kind}&q=~{kind}~", url.Values{"kind": {"pool"}}, ""},
		"and it is left out":       {"GET /{id}?type={kind}", nil, "/a%2Fb"},
		"sent under its own name":  {"GET /{id}?type={kind}", url.Values{"kind": {"pool", "z"}, "limit": {"3"}}, "/a%2Fb?max=3&type=ACME&type=z"},
		"a parameter twice":        {"GET /{id}?max=1", url.Values{"limit": {"3"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Compile(of(deployment.Service{
				Words:      deployment.Words{Query: map[string]string{"limit": "max"}, Values: map[string]map[string]string{"kind": {"pool": "ACME"}}},
				Operations: map[string]deployment.Operation{"GET /v1/{id}": {Route: c.route}},
			}), "swap", nil)
			if name == "a parameter of the query" { // {kind} twice
				require.Error(t, err)
				return
			}
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
