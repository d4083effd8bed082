package otelwalletfi

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReadme: the tables of README.md are those of the catalogue.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	require.Contains(t, string(text), metricTable())
	require.Contains(t, string(text), spanTable())
}

func coded(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "`" + strings.Join(names, "`, `") + "`"
}

func metricTable() string {
	var b strings.Builder
	b.WriteString("| metric | kind | unit | attributes | what |\n|---|---|---|---|---|\n")
	for _, e := range metrics {
		fmt.Fprintf(&b, "| `%s` | %s | `%s` | %s | %s |\n", e.name, e.kind, e.unit, coded(e.attributes), e.what)
	}
	return b.String()
}

func spanTable() string {
	var b strings.Builder
	b.WriteString("| span | kind | attributes | with `Users` | what |\n|---|---|---|---|---|\n")
	for _, e := range spans {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", e.name, e.kind, coded(e.attributes), coded(e.users), e.what)
	}
	return b.String()
}
