package deployment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/deployment"
)

// TestNesting: a file that only opens brackets costs no more than its length.
func TestNesting(t *testing.T) {
	body := func(depth int) string {
		return "{\"services\": {\"lending\": {\"extra\": {\"body\": {\"a\":\n" + strings.Repeat("[", depth) + strings.Repeat("]", depth) + "}}}}}"
	}
	_, err := deployment.Parse("f.json", []byte(body(32)))
	require.NoError(t, err)
	for name, text := range map[string]string{
		"lists": strings.Repeat("[", 1<<20), "objects": strings.Repeat("{\"services\":", 1<<17), "a body": body(1 << 18),
	} {
		wrong := &deployment.Error{}
		cost := testing.AllocsPerRun(1, func() {
			_, err := deployment.Parse("f.json", []byte(text))
			require.ErrorAs(t, err, &wrong)
		})
		require.Contains(t, wrong.Problem, "nested more than 64 deep", name)
		require.Less(t, cost, 5_000.0, name)
	}
	_, err = deployment.Parse("f.json", []byte(body(100)))
	require.ErrorContains(t, err, "f.json:2: is nested")
}

// TestLines: each mistake of many is on its own line, in whatever order they are found.
func TestLines(t *testing.T) {
	text := "{\n\"services\": {\n\"lending\": {\n"
	const n = 500
	for i := range n {
		text += fmt.Sprintf("\"none%d\": {},\n", i)
	}
	_, err := deployment.Parse("f.json", []byte(text+"}}}"))
	all := mistakes(err)
	require.Len(t, all, n)
	for i, mistake := range all {
		require.ErrorContains(t, mistake, fmt.Sprintf("f.json:%d: services.lending.none%d: ", i+4, i))
	}
}
