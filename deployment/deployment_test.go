package deployment

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/internal/catalogue"
)

// full says everything that a file can say.
const full = `{
  // a vendor
  "name": "acme", // its name
  "services": {
    "predictmeta": {
      "urls": {"baseURL": "https://api.acme.example/live//x", "webSocketURL": "wss://feed.acme.example/ws"},
      "auth": [{"in": "header", "name": "X-Acme-Key"}, {"in": "query", "name": "k", "secret": "second"}],
      "headers": {"x-api-key": "X-Acme-Other"},
      "segments": {"market": "instrument", "ws": "stream"},
      "query": {"limit": "page_size"},
      "keys": {"ticker": "symbol", "volume_24h": "vol",},
      "values": {"status": {"active": "LIVE"}},
      "numbers": {"volume_24h": {"live": "string", "neutral": "number", "prefix": "$", "scale": 6}},
      "extra": {"query": {"v": "2"}, "headers": {"X-Acme-App": "bot"}, "body": {"trace": [1]}},
      "failure": [{"unwrap": "error"}],
      "operations": {
        "GET /api/v1/market/{ticker}": {
          "route": "GET /instruments?id={ticker}",
          "answer": [{"unwrap": "data.instrument"}],
        },
        "GET /api/v1/markets": {
          "route": "GET /instruments",
          "paging": {"form": "page", "param": "p", "size": 100, "list": "markets"},
        },
      },
    },
  },
}
`

func TestParse(t *testing.T) {
	d, err := Parse("acme.json", []byte(full))
	require.NoError(t, err)
	s := d.Services["predictmeta"]
	assert.Equal(t, "acme", d.Name)
	assert.Equal(t, "https://api.acme.example/live//x", s.URLs["baseURL"], "two slashes in a string are no comment")
	assert.Equal(t, Number{Live: JSONString, Neutral: JSONNumber, Prefix: "$", Scale: 6}, s.Numbers["volume_24h"])
	assert.Equal(t, "GET /instruments?id={ticker}", s.Operations["GET /api/v1/market/{ticker}"].Route)
	assert.Equal(t, "[1]", string(s.Extra.Body["trace"]))
	require.NoError(t, d.Check())
	require.NoError(t, d.CheckService("predictmeta"))
	require.NoError(t, d.CheckService("swap"))
	require.NoError(t, (*Deployment)(nil).CheckService("swap"))

	name := filepath.Join(t.TempDir(), "acme.json")
	require.NoError(t, os.WriteFile(name, []byte(full), 0o600))
	loaded, err := Load(name)
	require.NoError(t, err)
	assert.Equal(t, d, loaded)
	_, err = Load(name + ".not")
	require.ErrorIs(t, err, os.ErrNotExist)
}

// Each mistake is told with its line, its path and what is wrong.
func TestMistakes(t *testing.T) {
	for name, m := range map[string]struct{ old, text, line, problem string }{
		"not JSON":            {`"name": "acme"`, `"name" "acme"`, ":3:", "is not JSON"},
		"cut short":           {"\n  },\n}\n", "\n", ":26:", "is not JSON: unexpected EOF"},
		"goes on":             {"\n  },\n}\n", "\n  },\n}\n{}", ":29:", "goes on after its end"},
		"unknown member":      {`"segments"`, `"segment"`, ":9: services.predictmeta.segment:", "is not known here; the members are auth,"},
		"twice":               {`"query": {"limit"`, `"query": {"limit": "a", "limit"`, ":10: services.predictmeta.query.limit:", "is there twice, first on line 10"},
		"type":                {`"vol"`, `5`, ":11:", "is a JSON number"},
		"service":             {`"predictmeta"`, `"predictmata"`, ":5: services.predictmata:", "no service has this name; do you mean predictmeta?"},
		"address":             {`"baseURL"`, `"tradeURL"`, ":6: services.predictmeta.urls.tradeURL:", "has no such address"},
		"scheme":              {`wss://`, `https://`, ":6: services.predictmeta.urls.webSocketURL:", "begins with wss://"},
		"password":            {`https://api`, `https://u:p@api`, ":6:", "must not have credentials"},
		"place":               {`"in": "query"`, `"in": "body"`, ":7: services.predictmeta.auth[1].in:", "must be header or query"},
		"name of a header":    {`"X-Acme-Key"`, `"X Acme"`, ":7: services.predictmeta.auth[0].name:", "is not a name of a header"},
		"auth and none":       {`"auth"`, `"noAuth": true, "auth"`, ":7: services.predictmeta.noAuth:", "contradicts"},
		"header":              {`"x-api-key"`, `"x-api-kye"`, ":8: services.predictmeta.headers.x-api-kye:", "documents no such header; do you mean X-Api-Key?"},
		"segment":             {`"market": "instrument"`, `"markt": "instrument"`, ":9: services.predictmeta.segments.markt:", "do you mean market?"},
		"slash in a segment":  {`"instrument"`, `"a/b"`, ":9:", "cannot be a segment"},
		"parameter":           {`"limit": "page_size"`, `"limitt": "page_size"`, ":10: services.predictmeta.query.limitt:", "do you mean limit?"},
		"one word for two":    {`"volume_24h": "vol",`, `"volume_24h": "symbol",`, ":11: services.predictmeta.keys.volume_24h:", "ticker and volume_24h both become symbol"},
		"member":              {`"ticker": "symbol"`, `"tikcer": "symbol"`, ":11: services.predictmeta.keys.tikcer:", "do you mean ticker?"},
		"ambiguous":           {`"ticker": "symbol"`, `"ticker": "title"`, ":11: services.predictmeta.keys.ticker:", "ticker becomes title, and GET /api/v1/event/{ticker} has title, too"},
		"name of values":      {`"values": {"status"`, `"values": {"statsu"`, ":12: services.predictmeta.values.statsu:", "do you mean status?"},
		"value":               {`{"active": "LIVE"}`, `{"activ": "LIVE"}`, ":12: services.predictmeta.values.status.activ:", "do you mean active?"},
		"number's name":       {`"numbers": {"volume_24h"`, `"numbers": {"vol"`, ":13:", "has no member or parameter"},
		"scale":               {`"scale": 6`, `"scale": 19`, ":13: services.predictmeta.numbers.volume_24h.scale:", "from -18 to 18"},
		"prefix of a number":  {`"live": "string"`, `"live": "number"`, ":13:", "neither prefix nor suffix"},
		"documented extra":    {`{"v": "2"}`, `{"offset": "2"}`, ":14: services.predictmeta.extra.query.offset:", "is a documented parameter"},
		"secret":              {`"X-Acme-App": "bot"`, `"X-Acme-Token": "bot"`, ":14:", "looks like a credential"},
		"step":                {`[{"unwrap": "error"}]`, `[{"unwrap": "error", "only": true}]`, ":15: services.predictmeta.failure[0]:", "exactly one of"},
		"path of a step":      {`"data.instrument"`, `"data..instrument"`, ":19:", "is not a path"},
		"route's name":        {`"GET /api/v1/market/{ticker}"`, `"GET /api/v1/market/{tickr}"`, ":17:", "do you mean GET /api/v1/market/{ticker}?"},
		"no method":           {`"GET /instruments?`, `"/instruments?`, ":18:", "must be a method and a path"},
		"placeholder missing": {`?id={ticker}`, ``, ":18:", "{ticker} must be there exactly once"},
		"placeholder twice":   {`?id={ticker}`, `/{ticker}?id={ticker}`, ":18:", "{ticker} must be there exactly once"},
		"unknown placeholder": {`?id={ticker}`, `/{ticker}?id={id}`, ":18:", "{id} is neither"},
		"same live route":     {`"GET /instruments?id={ticker}"`, `"GET /api/v1/event/{ticker}"`, ":18:", "is the live route of GET /api/v1/event/{ticker}, too"},
		"a documented route":  {`"route": "GET /instruments"`, `"route": "GET /api/v1/events"`, ":22:", "is the live route of GET /api/v1/events, too"},
		"form":                {`"form": "page"`, `"form": "pages"`, ":23: services.predictmeta.operations[\"GET /api/v1/markets\"].paging.form:", "must be offset, page or cursor"},
		"list":                {`"list": "markets"`, `"list": "data"`, ":23:", "has no list at data"},
		"not UTF-8":           {`"acme"`, "\"\xff\"", ":1:", "is not UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, full, m.old)
			_, err := Parse("acme.json", []byte(strings.Replace(full, m.old, m.text, 1)))
			require.Error(t, err)
			wrong, ok := errors.AsType[*Error](err)
			require.True(t, ok, "%T", err)
			assert.Equal(t, "acme.json", wrong.File)
			assert.Contains(t, err.Error(), "acme.json"+m.line)
			assert.Contains(t, err.Error(), m.problem)
		})
	}
}

// A literal's mistakes have no file.
func TestLiteral(t *testing.T) {
	d := &Deployment{Services: map[string]Service{"swap": {Words: Words{Keys: map[string]string{"inAmout": "x"}}}}}
	require.EqualError(t, d.Check(), "services.swap.keys.inAmout: swap has no member of this name; do you mean inAmount?")
	require.NoError(t, d.CheckService("amm"))
	require.Error(t, d.CheckService("swap"))
}

// The skeleton of every service is read, says nothing, and has each word once its
// comments are taken away.
func TestSkeleton(t *testing.T) {
	text, err := Skeleton()
	require.NoError(t, err)
	d, err := Parse("skeleton.json", text)
	require.NoError(t, err)
	require.Len(t, d.Services, 11)
	for name, s := range d.Services {
		assert.Empty(t, fmt.Sprint(s.URLs, s.Auth, s.Keys, s.Query, s.Operations)[len("map[] [] map[] map[] map[]"):], name)
	}

	words := bytes.ReplaceAll(text, []byte(`// "`), []byte(`"`))
	lines := strings.Split(string(words), "\n")
	for i, line := range lines {
		if strings.Contains(line, `{"live": "string"`) || strings.Contains(line, `"failure"`) || strings.Contains(line, `"auth"`) {
			lines[i] = ""
		}
	}
	d, err = Parse("words.json", []byte(strings.Join(lines, "\n")))
	require.NoError(t, err)
	operations := 0
	for _, s := range d.Services {
		operations += len(s.Operations)
		assert.NotEmpty(t, s.Keys)
	}
	assert.Equal(t, 154+4, operations, "four are of the feed")

	_, err = Skeleton("swop")
	require.ErrorContains(t, err, "do you mean swap?")
}

// Each service's catalogue can be asked for what the check needs.
func TestCatalogue(t *testing.T) {
	require.Len(t, catalogue.Services(), 11)
	for _, s := range catalogue.Services() {
		assert.NotEmpty(t, s.URLs, s.Name)
		for _, o := range s.Operations {
			assert.NotEmpty(t, o.Methods, o.Route)
			assert.Empty(t, routeProblem(o.Route, o), o.Route)
		}
	}
}
