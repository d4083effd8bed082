package deployment_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/deployment"
)

// TestRefused: what would change the shape of a request, or could be read in two ways, names
// its field. These are literals: a file cannot hold some of them.
func TestRefused(t *testing.T) {
	words := func(w deployment.Words) deployment.Service { return deployment.Service{Words: w} }
	const path, list = "GET /api/v1/market/{ticker}", "GET /api/v1/markets"
	route := func(live string) deployment.Service {
		return deployment.Service{Operations: map[string]deployment.Operation{path: {Route: live}}}
	}
	auth := func(p ...deployment.Place) deployment.Service { return deployment.Service{Auth: p} }
	steps := func(s deployment.Step) deployment.Service { return deployment.Service{Failure: []deployment.Step{s}} }
	pages := func(p deployment.Paging) deployment.Service {
		return deployment.Service{Operations: map[string]deployment.Operation{list: {Paging: &p}}}
	}
	number := func(n deployment.Number) deployment.Service {
		return words(deployment.Words{Numbers: map[string]deployment.Number{"limit": n}})
	}
	for field, all := range map[string][]deployment.Service{
		"keys.title":            {words(deployment.Words{Keys: map[string]string{"ticker": "x", "title": "x"}})},
		"keys.ticker":           {words(deployment.Words{Keys: map[string]string{"ticker": ""}}), words(deployment.Words{Keys: map[string]string{"ticker": " "}}), words(deployment.Words{Keys: map[string]string{"ticker": "a "}}), words(deployment.Words{Keys: map[string]string{"ticker": "\xff"}})},
		"values.status.closed":  {words(deployment.Words{Values: map[string]map[string]string{"status": {"active": "x", "closed": "x"}}})},
		`query[""]`:             {words(deployment.Words{Query: map[string]string{"": "a"}})},
		"query.offset":          {words(deployment.Words{Query: map[string]string{"limit": "x", "offset": "x"}})},
		"extra.query.x":         {words(deployment.Words{Query: map[string]string{"limit": "x"}, Extra: deployment.Extra{Query: map[string]string{"x": "1"}}})},
		`extra.query.` + "\xff": {words(deployment.Words{Extra: deployment.Extra{Query: map[string]string{"\xff": "1"}}})},
		"headers.x-api-key":     {{Headers: map[string]string{"x-api-key": "b\r\nc"}}, {Headers: map[string]string{"x-api-key": "b c"}}, {Headers: map[string]string{"X-Api-Key": "X-A", "x-api-key": "X-B"}}, {Headers: map[string]string{"x-api-key": "Host"}}},
		"segments.market":       {{Segments: map[string]string{"market": ".."}}, {Segments: map[string]string{"market": "b/c"}}, {Segments: map[string]string{"market": "b?c"}}},
		"urls.baseUrl":          {{URLs: map[string]string{"baseUrl": "https://a.example"}}},
		"numbers.limit.scale":   {number(deployment.Number{Scale: 19}), number(deployment.Number{Scale: -19})},
		"numbers.limit.live":    {number(deployment.Number{Live: "float"}), number(deployment.Number{Live: "number", Prefix: "$"})},
		"numbers.limit":         {number(deployment.Number{Suffix: "\xff"})},
		"noAuth":                {{NoAuth: true, Auth: []deployment.Place{{In: "header", Name: "X-Key"}}}},
		"auth[0].in":            {auth(deployment.Place{In: "body", Name: "key"})},
		"auth[0].name":          {auth(deployment.Place{In: "header", Name: "a b"}), auth(deployment.Place{In: "query"}), auth(deployment.Place{In: "header", Name: "Content-Length"})},
		"auth[0].prefix":        {auth(deployment.Place{In: "header", Name: "a", Prefix: "b\n"})},
		"auth[1]":               {auth(deployment.Place{In: "header", Name: "x-a"}, deployment.Place{In: "header", Name: "X-A"})},
		"extra.headers.a":       {words(deployment.Words{Extra: deployment.Extra{Headers: map[string]string{"a": "\r\nb: c"}}})},
		"extra.body.a":          {words(deployment.Words{Extra: deployment.Extra{Body: map[string]json.RawMessage{"a": json.RawMessage(`{`)}}}), words(deployment.Words{Extra: deployment.Extra{Body: map[string]json.RawMessage{"a": json.RawMessage("\"\xff\"")}}})},
		"failure[0]":            {steps(deployment.Step{}), steps(deployment.Step{Only: true, List: true}), steps(deployment.Step{Move: "a"}), steps(deployment.Step{Only: true, To: "a"}), steps(deployment.Step{Default: json.RawMessage(`[]`)}), steps(deployment.Step{Complement: true, Only: true})},
		"failure[0].names":      {steps(deployment.Step{Names: []string{"a"}}), steps(deployment.Step{Names: []string{"a", "a"}}), steps(deployment.Step{Names: []string{"a", "\xff"}}), steps(deployment.Step{Names: []string{}})},
		"failure[0].default":    {steps(deployment.Step{Default: json.RawMessage(`[`), To: "a"}), steps(deployment.Step{Default: json.RawMessage("\"\xff\""), To: "a"})},
		"failure[0].at":         {steps(deployment.Step{Only: true, At: "a..b"}), steps(deployment.Step{Only: true, At: "\xff"})},
		"failure[0].unwrap":     {steps(deployment.Step{Unwrap: "a.*"})},
		`operations["` + path + `"].route`: {
			route("GET /b"), route("FETCH /b/{ticker}"), route("GET b/{ticker}"), route("GET /b/{ticker}/{ticker}"), route("GET /../{ticker}"),
			route("GET /b/%2e%2e/{ticker}"), route("GET /b%2Fc/{ticker}"), route("GET /b#{ticker}"), route("GET /b/{ticker"), route("GET /b/ticker}"),
			route("GET /b/{}?x={ticker}"), route("GET /b?x={ticker}&x=1"), route("GET /b?={ticker}"), route("GET /b c/{ticker}"),
			route("GET /b?x={ticker"), route("GET /b/{ticker}?x=%zz"), route("GET /b/{ticker}?x=#"), route("GET /b?x=~{ticker}~{ticker}"),
		},
		`operations["` + path + `"].echoWhole`:       {{Operations: map[string]deployment.Operation{path: {EchoWhole: true}}}},
		`operations["GET /ws"].route`:                {{Operations: map[string]deployment.Operation{"GET /ws": {Route: "GET /feed"}}}},
		`operations["GET /ws trade"].query`:          {{Operations: map[string]deployment.Operation{"GET /ws trade": {Words: deployment.Words{Query: map[string]string{"limit": "n"}}}}}},
		`operations["GET /ws trade"].body`:           {{Operations: map[string]deployment.Operation{"GET /ws trade": {Body: []deployment.Step{{Only: true}}}}}},
		`operations["GET /ws trade"].keys.yes_price`: {{Operations: map[string]deployment.Operation{"GET /ws trade": {Words: deployment.Words{Keys: map[string]string{"yes_price": "bid"}}}}}},
		`operations["GET /ws trades"]`:               {{Operations: map[string]deployment.Operation{"GET /ws trades": {}}}},
		`operations["GET /ws trade"].keys.price`:     {{Operations: map[string]deployment.Operation{"GET /ws trade": {Words: deployment.Words{Keys: map[string]string{"price": "quantity"}}}}}},
		`operations["` + list + `"].paging.form`:     {pages(deployment.Paging{Form: "book", Param: "p"})},
		`operations["` + list + `"].paging.param`:    {pages(deployment.Paging{Form: "page"})},
		`operations["` + list + `"].paging.next`:     {pages(deployment.Paging{Form: "cursor", Param: "p"}), pages(deployment.Paging{Form: "cursor", Param: "p", Next: "a..b"})},
		`operations["` + list + `"].paging.size`:     {pages(deployment.Paging{Form: "page", Param: "p", Size: -1}), pages(deployment.Paging{Form: "page", Param: "p", Size: math.MaxInt32})},
		`operations["` + list + `"].paging.first`:    {pages(deployment.Paging{Form: "page", Param: "p", First: new(-1)})},
	} {
		for _, s := range all {
			err := (&deployment.Deployment{Services: map[string]deployment.Service{"predictmeta": s}}).Check()
			require.Error(t, err, "%s: %+v", field, s)
			var paths []string
			for _, mistake := range mistakes(err) {
				paths = append(paths, mistake.(*deployment.Error).Path)
			}
			assert.Contains(t, paths, "services.predictmeta."+field, "%+v", s)
		}
	}
}

// TestWordsOfAnOpenMember: what is in a member without a documented shape, as templateArgs
// of a webhook, has the words that some route of the service has, and no others, whether
// they are given for the service or for one operation.
func TestWordsOfAnOpenMember(t *testing.T) {
	const create = "POST /webhooks/rest/v1/webhooks/template/{templateId}"
	check := func(word string, ofOperation bool) error {
		w := deployment.Words{
			Keys:    map[string]string{word: "live"},
			Numbers: map[string]deployment.Number{word: {Scale: 2}},
			Values:  map[string]map[string]string{word: {}},
		}
		s := deployment.Service{Words: w}
		if ofOperation {
			s = deployment.Service{Operations: map[string]deployment.Operation{create: {Words: w}}}
		}
		return (&deployment.Deployment{Services: map[string]deployment.Service{"webhooks": s}}).Check()
	}
	for _, ofOperation := range []bool{false, true} {
		for _, word := range []string{"addresses", "contracts", "events"} {
			assert.NoError(t, check(word, ofOperation), word)
		}
		assert.Len(t, mistakes(check("adresses", ofOperation)), 3, "of an operation: %v", ofOperation)
	}
}

// TestWordsOfTemplates: a template of webhooks has words of its own for its arguments, and nothing else.
func TestWordsOfTemplates(t *testing.T) {
	for text, problem := range map[string]string{
		`{"a":{"keys":{"addresses":"wallets"}},"b":{"keys":{"addresses":"accounts"}}}`:                    "",
		`{"a":{"keys":{"contracts":"addresses","addresses":"wallets"},"numbers":{"events":{"scale":2}}}}`: "",
		`{"a":{"keys":{"adresses":"wallets"}}}`:                                                           "templates.a.keys.adresses: webhooks has no member of this name",
		`{"a":{"keys":{"addresses":"x","contracts":"x"}}}`:                                                "both become x",
		`{"a":{"keys":{"addresses":"contracts"}}}`:                                                        "templates.a.keys.addresses: becomes contracts, which is documented",
		`{"a":{"query":{"limit":"n"}}}`:                                                                   "templates.a.query: the arguments of a template have none",
		`{"a":{"extra":{"body":{"v":1}}}}`:                                                                "templates.a.extra: the arguments of a template have none",
		`{"":{"keys":{"addresses":"wallets"}}}`:                                                           "has no such template",
		`{"a":{"route":"GET /x"}}`:                                                                        "route",
	} {
		_, err := deployment.Parse("f", []byte(`{"services":{"webhooks":{"templates":`+text+`}}}`))
		if problem == "" {
			require.NoError(t, err, text)
			continue
		}
		require.ErrorContains(t, err, problem, text)
	}
	_, err := deployment.Parse("f", []byte(`{"services":{"swap":{"templates":{"a":{"keys":{"error":"x"}}}}}}`))
	require.ErrorContains(t, err, "swap has no such template")
}

// TestWordsThatMeet: a word of an operation or of a template that becomes what another word of the service does is told
// here, not first by the client that is made with it.
func TestWordsThatMeet(t *testing.T) {
	const create = `"POST /webhooks/rest/v1/webhooks/template/{templateId}"`
	for text, problem := range map[string]string{
		`"keys":{"addresses":"q"},"templates":{"a":{"keys":{"contracts":"q"}}}`:                                                        "templates.a.keys.contracts: addresses and contracts both become q",
		`"keys":{"addresses":"q"},"templates":{"a":{"keys":{"contracts":"q","addresses":"r"}}}`:                                        "",
		`"keys":{"addresses":"q"},"templates":{"a":{"keys":{"addresses":"q"}}}`:                                                        "",
		`"keys":{"name":"q"},"operations":{` + create + `:{"keys":{"network":"q"}}}`:                                                   ".keys.network: name and network both become q",
		`"keys":{"name":"q"},"operations":{` + create + `:{"keys":{"network":"q","name":"r"}}}`:                                        "",
		`"values":{"templateId":{"evmWalletFilter":"q"}},"operations":{` + create + `:{"values":{"templateId":{"evmAbiFilter":"q"}}}}`: ".values.templateId.evmAbiFilter: evmWalletFilter and",
	} {
		d, err := deployment.Parse("f", []byte(`{"services":{"webhooks":{`+text+`}}}`))
		if problem != "" {
			require.ErrorContains(t, err, problem, text)
			continue
		}
		require.NoError(t, err, text)
		require.NoError(t, d.Check(), text)
	}
}

// TestNullIsNoDeployment: a file that says null where words are is not one without a mistake.
func TestNullIsNoDeployment(t *testing.T) {
	for text, path := range map[string]string{
		`null`: "f:1: is null", `{"services":null}`: "services: is null", `{"services":{"swap":null}}`: "services.swap: is null",
		"{\"services\":{\n\"swap\":{\"keys\":null}}}":              "f:2: services.swap.keys: is null",
		`{"services":{"swap":{"operations":{"GET /quote":null}}}}`: "is null",
	} {
		_, err := deployment.Parse("f", []byte(text))
		require.ErrorContains(t, err, path, text)
	}
	for _, text := range []string{`{}`, `{"services":{}}`, `{"services":{"swap":{}}}`} {
		_, err := deployment.Parse("f", []byte(text))
		require.NoError(t, err, text)
	}
}
