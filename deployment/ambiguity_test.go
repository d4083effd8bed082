package deployment

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A word that could be read as another one is a mistake, wherever it is: it would be read
// as the wrong value or member, and nothing would say so.
func TestAmbiguousWords(t *testing.T) {
	for name, c := range map[string]struct{ service, text, problem string }{
		"a value": {
			"swap", `{"values": {"status": {"open": "pending"}}}`,
			"services.swap.values.status.open: open becomes pending, and GET /order-status has pending, too",
		},
		"a value of one operation": {
			"swap", `{"values": {"status": {"open": "LIVE"}}, "operations": {"GET /order-status": {"values": {"status": {"closed": "LIVE"}}}}}`,
			`services.swap.operations["GET /order-status"].values.status.closed: closed becomes LIVE, and GET /order-status has open, which becomes LIVE, too`,
		},
		"a value of a message": {
			"predictmeta", `{"values": {"outcome": {"yes": "no"}}}`,
			"services.predictmeta.values.outcome.yes: yes becomes no",
		},
		"a member that the operation does not have": {
			"predictmeta", `{"keys": {"relevance_score": "maker_address"}}`,
			"services.predictmeta.keys.relevance_score: relevance_score becomes maker_address, and GET /api/v1/trades has maker_address, too",
		},
		"a header": {
			"smartaccount", `{"headers": {"X-RateLimit-Limit": "X-RateLimit-Remaining"}}`,
			"services.smartaccount.headers.X-RateLimit-Limit: becomes X-Ratelimit-Remaining, which is documented for something else",
		},
		"a header of the body": {
			"swap", `{"headers": {"X-Api-Key": "Content-Type"}}`,
			"services.swap.headers.X-Api-Key: Content-Type is not the deployment's to set",
		},
		"a place that is a header of the body": {
			"swap", `{"auth": [{"in": "header", "name": "content-type"}]}`,
			"services.swap.auth[0].name: Content-Type is not the deployment's to set",
		},
		"a place that is the connection's": {
			"swap", `{"auth": [{"in": "header", "name": "Host"}]}`,
			"services.swap.auth[0].name: Host is not the deployment's to set",
		},
		"an extra header of the connection": {
			"swap", `{"extra": {"headers": {"Content-Length": "5"}}}`,
			"services.swap.extra.headers.Content-Length: is not the deployment's to set",
		},
		"an extra header over a credential": {
			"swap", `{"auth": [{"in": "header", "name": "X-App"}], "extra": {"headers": {"x-app": "bot"}}}`,
			"services.swap.extra.headers.x-app: is a place of a credential",
		},
		"an operation's extra header over a credential": {
			"swap", `{"auth": [{"in": "header", "name": "X-App"}], "operations": {"GET /quote": {"extra": {"headers": {"x-app": "bot"}}}}}`,
			`services.swap.operations["GET /quote"].extra.headers.x-app: is a place of a credential`,
		},
		"an extra header over a renamed one": {
			"lending", `{"headers": {"X-Api-Key": "X-App"}, "extra": {"headers": {"x-app": "bot"}}}`,
			"services.lending.extra.headers.x-app: is the live name of X-Api-Key",
		},
		"a place over a documented parameter": {
			"swap", `{"auth": [{"in": "query", "name": "amount"}]}`,
			"services.swap.auth[0].name: amount is also the parameter amount of GET /intent",
		},
		"a place over a renamed parameter": {
			"swap", `{"query": {"amount": "k"}, "auth": [{"in": "query", "name": "k"}]}`,
			"services.swap.auth[0].name: k is also the parameter amount of GET /intent",
		},
		"a place over a literal of a route": {
			"swap", `{"auth": [{"in": "query", "name": "k"}], "operations": {"GET /quote": {"route": "GET /q?k=5"}}}`,
			`services.swap.auth[0].name: k is also in the route of GET /quote`,
		},
		"a parameter over a literal of a route": {
			"swap", `{"operations": {"GET /quote": {"route": "GET /q?amount=5"}}}`,
			`services.swap.operations["GET /quote"].route: amount is also the parameter amount of GET /quote`,
		},
		"an extra parameter over a renamed one": {
			"swap", `{"query": {"amount": "qty"}, "extra": {"query": {"qty": "1"}}}`,
			"services.swap.extra.query.qty: qty is also the parameter amount of GET /intent",
		},
		"an extra parameter over a place": {
			"swap", `{"auth": [{"in": "query", "name": "k"}], "operations": {"GET /quote": {"extra": {"query": {"k": "1"}}}}}`,
			`services.swap.auth[0].name: k is also the extra parameter k of GET /quote`,
		},
		"an extra parameter that is a credential": {
			"swap", `{"extra": {"query": {"api_key": "1"}}}`,
			"services.swap.extra.query.api_key: looks like a credential",
		},
		"the parameter of pages": {
			"predictmeta", `{"operations": {"GET /api/v1/markets": {"paging": {"form": "page", "param": "limit", "size": 10, "list": "markets"}}}}`,
			`services.predictmeta.operations["GET /api/v1/markets"].paging.param: limit is also the parameter limit of GET /api/v1/markets`,
		},
		"a segment": {
			"swap", `{"segments": {"quote": "order"}}`,
			"services.swap.segments: GET /quote and GET /order become one live route",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("x.json", []byte(`{"services": {"`+c.service+`": `+c.text+`}}`))
			require.Error(t, err)
			assert.Contains(t, err.Error(), c.problem)
		})
	}
}

// Two words may change places, and a word may be another's where the two never meet.
func TestClearWords(t *testing.T) {
	for name, c := range map[string]struct{ service, text string }{
		"values":     {"swap", `{"values": {"status": {"open": "pending", "pending": "open"}}}`},
		"members":    {"predictmeta", `{"keys": {"yes_mint": "no_mint", "no_mint": "yes_mint"}}`},
		"segments":   {"swap", `{"segments": {"quote": "order", "order": "quote"}}`},
		"headers":    {"smartaccount", `{"headers": {"X-RateLimit-Limit": "X-RateLimit-Remaining", "X-RateLimit-Remaining": "X-RateLimit-Limit"}}`},
		"pages":      {"predictmeta", `{"operations": {"GET /api/v1/markets": {"paging": {"form": "page", "param": "offset", "size": 10, "list": "markets"}}}}`},
		"a route":    {"predictmeta", `{"query": {"ticker": "sym"}, "operations": {"GET /api/v1/trades": {"route": "GET /trades?sym={ticker}"}}}`},
		"place kept": {"swap", `{"auth": [{"in": "header", "name": "X-Api-Key"}, {"in": "query", "name": "k"}]}`},
	} {
		_, err := Parse("x.json", []byte(`{"services": {"`+c.service+`": `+c.text+`}}`))
		assert.NoError(t, err, name)
	}
}
