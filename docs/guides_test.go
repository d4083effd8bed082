package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// without are pages that have no code.
var without = map[string]bool{
	"agents.md":   true, // its commands are run by cmd/walletfi-mcp
	"webhooks.md": true, "deployment-file.md": true, "upgrading.md": true, "terms.md": true, "release.md": true, "stability.md": true,
	"benchmarks.md": true, "licences.md": true,
}

// elsewhere are pages whose code is that of other examples, and of another module's.
var elsewhere = map[string][]string{
	"fleet.md":                          {"../contrib/sqlstore/example_test.go", "../contrib/redislimit/example_test.go", "../ratelimit/limitertest/example_test.go"},
	"signer.md":                         {"../signer/client/example_test.go"},
	"../contrib/otelwalletfi/README.md": {"../contrib/otelwalletfi/example_test.go"},
	"../contrib/redislimit/README.md":   {"../contrib/redislimit/example_test.go"},
	"../contrib/sqlstore/README.md":     {"../contrib/sqlstore/example_test.go"},
	"../contrib/sqlstore/WEBHOOKS.md":   {"../contrib/sqlstore/examplehandled_test.go"},
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
	modules, err := filepath.Glob("../contrib/*/*.md")
	require.NoError(t, err)
	checked, outputs := 0, 0
	for _, page := range append(pages, modules...) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		blocks := goBlock.FindAllStringSubmatch(string(text), -1)
		if without[page] {
			require.Empty(t, blocks, page)
			continue
		}
		t.Run(page, func(t *testing.T) {
			files := elsewhere[page]
			if files == nil {
				files = []string{strings.ReplaceAll(strings.TrimSuffix(page, ".md"), "-", "") + "_test.go"}
			}
			var sources []string
			for _, file := range files {
				source, err := os.ReadFile(file)
				require.NoError(t, err, "each guide has a file of examples")
				sources = append(sources, string(source))
			}
			require.NotEmpty(t, blocks)
			for _, b := range blocks {
				var missing []string
				for _, source := range sources {
					missing = append(missing, notIn(lines(source), lines(b[1])))
				}
				require.Contains(t, missing, "", "the page says what the examples do not")
				checked++
			}
			output := strings.Join(lines(strings.ReplaceAll(strings.Join(sources, ""), "\t// ", "\t")), "\n")
			for _, b := range textBlock.FindAllStringSubmatch(string(text), -1) {
				require.Contains(t, output, strings.Join(lines(b[1]), "\n"), "the page says what the examples do not print")
				outputs++
			}
		})
	}
	require.Greater(t, checked, 25)
	require.Greater(t, outputs, 5)
}

// notIn returns the first line that does not follow those before it, "" for none.
func notIn(compiled, block []string) string {
	at := 0
	for _, line := range block {
		found := false
		for ; at < len(compiled) && !found; at++ {
			found = compiled[at] == line
		}
		if !found {
			return line
		}
	}
	return ""
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
