package deployment_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/deployment"
)

// FuzzParse: whatever the file, each mistake names the file, a line that it has and a
// problem; and what is right is right again when it is written and read.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"../docs/acme.json"} {
		text, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(text)
	}
	for _, service := range []string{"lending", "predictmeta", "webhooks"} {
		text, err := deployment.Skeleton(service)
		require.NoError(f, err)
		f.Add(text)
		f.Add([]byte(strings.ReplaceAll(string(text), "//", "  ")))
	}
	for _, text := range []string{
		``, `{}`, `null`, `[]`, "\ufeff{}", "{\n// c", `{"name": "a",}`, `{"services": {"swap": null}}`,
		`{"services": {"lending": {"operations": {"GET /v1/pools": {"route": "GET /p?q={limit}", "answer": [{"move": "a.b", "to": "c"}, {"only": true, "at": "x.*"}]}}}}}`,
		`{"services": {"predictmeta": {"numbers": {"volume": {"live": "string", "prefix": "$", "scale": 6}}, "keys": {"ticker": "symbol"}, "values": {"status": {"active": "LIVE"}}}}}`,
		`{"services": {"lending": {"extra": {"query": {"v": "2"}, "headers": {"X-A": "b"}, "body": {"a": [{"b": 1e400}]}}, "failure": [{"unwrap": "error"}]}}}`,
		`{"services": {"lending": {"auth": [{"in": "query", "name": "k", "prefix": "Bearer ", "secret": "s"}], "noAuth": true, "urls": {"baseURL": "https://a.test/%2f"}}}}`,
		`{"services": {"predictmeta": {"operations": {"GET /api/v1/market": {"paging": {"form": "cursor", "param": "c", "next": "meta.next", "list": "markets", "size": 50}}}}}}`,
		`{"name": "\u0000", "name": 7, "services": {"a\u0000b": {}, "a": {"b": {}}}}`,
		strings.Repeat(`{"services":`, 40), strings.Repeat("[", 300), `{"services": {"lending": {"extra": {"body": {"a": ` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}}}}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := deployment.Parse("f.json", text)
		if err != nil {
			for _, mistake := range mistakes(err) {
				var wrong *deployment.Error
				require.ErrorAs(t, mistake, &wrong)
				require.Equal(t, "f.json", wrong.File)
				require.NotEmpty(t, wrong.Problem)
				require.GreaterOrEqual(t, wrong.Line, 1)
				require.LessOrEqual(t, wrong.Line, 1+strings.Count(string(text), "\n"))
			}
			return
		}
		require.NoError(t, d.Check())
		again, err := json.Marshal(d)
		require.NoError(t, err)
		back, err := deployment.Parse("again.json", again)
		require.NoError(t, err, "%s", again)
		twice, err := json.Marshal(back)
		require.NoError(t, err)
		require.Equal(t, string(again), string(twice))
	})
}

// mistakes are the errors that are joined in one.
func mistakes(err error) []error {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		return several.Unwrap()
	}
	return []error{err}
}
