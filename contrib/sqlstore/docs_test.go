package sqlstore_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var goBlock = regexp.MustCompile("(?s)```go\n(.*?)```")

// TestDocs holds each line of the README's and the fleet page's Go code that is
// about this package against example_test.go, in order.
func TestDocs(t *testing.T) {
	source, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	compiled := codeLines(string(source))
	for page, least := range map[string]int{"README.md": 1, "../../docs/fleet.md": 5} {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		held := 0
		for _, block := range goBlock.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(block[1], "redislimit") || strings.Contains(block[1], "limitertest") || strings.Contains(block[1], "fleet.") {
				continue // held by that module
			}
			held++
			at := 0
			for _, line := range codeLines(block[1]) {
				found := false
				for ; at < len(compiled) && !found; at++ {
					found = compiled[at] == line
				}
				require.True(t, found, "%s says %q where example_test.go does not", page, line)
			}
		}
		require.GreaterOrEqual(t, held, least, page)
	}
}

func codeLines(code string) (all []string) {
	for line := range strings.Lines(code) {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	return all
}
