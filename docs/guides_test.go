package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// elsewhere are pages whose code is another test's, or that have none.
var elsewhere = map[string]string{
	"fleet.md":           "contrib/sqlstore",
	"webhooks.md":        "it has none",
	"deployment-file.md": "it has none",
	"upgrading.md":       "it has none",
	"benchmarks.md":      "it is written by a command",
	"licences.md":        "it is written by a command",
	"release.md":         "it has none",
	"stability.md":       "it has none",
}

var (
	goBlock   = regexp.MustCompile("(?s)```go\n(.*?)```")
	textBlock = regexp.MustCompile("(?s)```text\n(.*?)```")
)

// TestGuides holds the code of each guide, in order, against the examples of the same
// name, and what it says that they print against their output.
func TestGuides(t *testing.T) {
	pages, err := filepath.Glob("*.md")
	require.NoError(t, err)
	checked, outputs := 0, 0
	for _, page := range pages {
		if elsewhere[page] != "" {
			continue
		}
		t.Run(page, func(t *testing.T) {
			text, err := os.ReadFile(page)
			require.NoError(t, err)
			source, err := os.ReadFile(strings.ReplaceAll(strings.TrimSuffix(page, ".md"), "-", "") + "_test.go")
			require.NoError(t, err, "each guide has a file of examples")
			blocks := goBlock.FindAllStringSubmatch(string(text), -1)
			require.NotEmpty(t, blocks)
			compiled := lines(string(source))
			for _, b := range blocks {
				at := 0
				for _, line := range lines(b[1]) {
					found := false
					for ; at < len(compiled) && !found; at++ {
						found = compiled[at] == line
					}
					require.True(t, found, "the page says %q where the examples do not", line)
				}
				checked++
			}
			output := strings.Join(lines(strings.ReplaceAll(string(source), "\t// ", "\t")), "\n")
			for _, b := range textBlock.FindAllStringSubmatch(string(text), -1) {
				require.Contains(t, output, strings.Join(lines(b[1]), "\n"), "the page says what the examples do not print")
				outputs++
			}
		})
	}
	require.Greater(t, checked, 15)
	require.Greater(t, outputs, 5)
}

// program has what a page's whole program says where an example's file says otherwise.
var program = strings.NewReplacer("package main\n", "package docs_test\n", "func main() {\n", "func Example_gettingStarted() {\n")

// lines are the lines of code without blanks, trailing commas and comments.
func lines(code string) []string {
	var all []string
	code = program.Replace(code)
	for line := range strings.Lines(code) {
		line, _, _ = strings.Cut(line, " // ")
		if line = strings.TrimRight(strings.TrimSpace(line), ","); line != "" {
			all = append(all, line)
		}
	}
	return all
}
