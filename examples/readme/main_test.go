package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var block = regexp.MustCompile("(?s)```go\n(.*?)```")

// TestReadme holds each line of the README's Go code against main.go and mock_test.go, in
// order: blanks, trailing commas and comments aside. Its first program is the guide's.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	source, err := os.ReadFile("main.go")
	require.NoError(t, err)
	mocked, err := os.ReadFile("mock_test.go")
	require.NoError(t, err)
	compiled := lines(string(source) + string(mocked))
	blocks := block.FindAllStringSubmatch(string(readme), -1)
	require.Len(t, blocks, 7)
	guide, err := os.ReadFile("../../docs/getting-started.md") // whose code is run there
	require.NoError(t, err)
	require.Equal(t, block.FindStringSubmatch(string(guide))[1], blocks[0][1])
	for _, b := range blocks[1:] {
		at := 0
		for _, line := range lines(b[1]) {
			found := false
			for ; at < len(compiled) && !found; at++ {
				found = compiled[at] == line
			}
			require.True(t, found, "the README says %q where main.go does not", line)
		}
	}
}

func lines(code string) []string {
	var all []string
	for line := range strings.Lines(code) {
		line, _, _ = strings.Cut(line, " // ")
		if line = strings.TrimRight(strings.TrimSpace(line), ","); line != "" {
			all = append(all, line)
		}
	}
	return all
}

func TestSandboxSnippetsRun(t *testing.T) {
	require.NoError(t, sandboxed())
	require.NoError(t, advanced(t.Context()))
}
