package hollow

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/declared"
	scan "github.com/walletfi/walletfi-go/internal/jsontext"
	"github.com/walletfi/walletfi-go/sandbox"
)

// TestTwice gives each call its documented answer with a deciding member twice,
// with values that differ, the documented one first or last: that is no answer.
// With the second one in another case the first is the answer, wherever it is.
func TestTwice(t *testing.T) {
	calls, members := 0, 0
	for _, service := range sandbox.Services() {
		require.Contains(t, hollows, service, "no rows")
		for _, row := range hollows[service](t) {
			call, _, err := row.ask(t, http.StatusOK, row.documented)
			require.NoError(t, err, row.route)
			if call.Answer.Form != declared.FormSays {
				continue
			}
			calls++
			name := fmt.Sprintf("%s.%s", service, call.Op)
			want := inDoubt(call, decode)
			for _, places := range row.places(t, call.Answer) {
				for _, place := range places {
					path := strings.Split(strings.Trim(row.payload+"."+place.Path, "."), ".")
					if path[0] == "" || !has(t, row.documented, path) {
						continue
					}
					members++
					for _, first := range []bool{true, false} {
						body := twice(t, row.documented, path, path[len(path)-1], other(place), first)
						_, _, err := row.ask(t, http.StatusOK, body)
						if problem := want.check(err, call, body); problem != "" {
							t.Errorf("%s, %s: %s, got %v", name, body, problem, err)
						}
						body = twice(t, row.documented, path, strings.ToUpper(path[len(path)-1]), other(place), first)
						if _, _, err = row.ask(t, http.StatusOK, body); err != nil {
							t.Errorf("%s, %s: the exact name counts, got %v", name, body, err)
						}
					}
				}
			}
		}
	}
	require.Greater(t, calls, 100)
	t.Logf("%d calls, %d members, each twice", calls, members)
}

// other is a value of a place's type that no row documents.
func other(p declared.Place) string {
	return map[string]string{"text": `"x9"`, "id": `"x9"`, "number": `"987"`, "bool": `"false"`, "list": `[]`, "object": `{}`, "null": `7`}[p.Kind]
}

func has(t *testing.T, body string, path []string) bool {
	t.Helper()
	var node any
	require.NoError(t, json.Unmarshal([]byte(body), &node))
	for _, name := range path {
		object, ok := node.(map[string]any)
		if !ok || !slices.Contains(keys(object), name) {
			return false
		}
		node = object[name]
	}
	return true
}

func keys(object map[string]any) (all []string) {
	for name := range object {
		all = append(all, name)
	}
	return all
}

// twice returns body with a second member at path, of that name and value, before
// or after the one that is there.
func twice(t *testing.T, body string, path []string, name, value string, first bool) string {
	t.Helper()
	b, at := []byte(body), scan.SkipSpace([]byte(body), 0)
	from, to := -1, -1
	for _, step := range path {
		found := -1
		_, err := scan.Members(b, at, func(start, end, i int) (int, error) {
			after := scan.ValueEnd(b, i)
			if string(scan.Unquote(b[start:end])) == step {
				from, to, found = start, after, i
			}
			return after, nil
		})
		require.NoError(t, err)
		require.GreaterOrEqual(t, found, 0, "%s has no %s", body, step)
		at = found
	}
	member := fmt.Sprintf("%q:%s", name, value)
	if first {
		return body[:from] + member + "," + body[from:]
	}
	return body[:to] + "," + member + body[to:]
}
