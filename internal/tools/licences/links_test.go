package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLinks: the table is written with sizes, and is stale when a package comes or a go.mod
// lists another number of modules; a size that differs is not.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	file("go.mod", "module example.com/m\n\ngo 1.26.0\n")
	file("a/a.go", "package a\n\ntype T struct{}\n\nfunc (*T) M() {}\n\nfunc F[V any]() {}\n")
	file("b/b.go", "package b\n\nconst C = 1\n")
	file("internal/c/c.go", "package c\n")
	document := file("page.md", "before\n"+linksBegin+linksEnd+"after\n")
	check := func(write bool) (int, string) {
		var out bytes.Buffer
		problems, err := checkLinks(&out, document, []string{dir}, write)
		require.NoError(t, err)
		return problems, out.String()
	}
	problems, said := check(false)
	require.Equal(t, 3, problems, said)
	problems, _ = check(true)
	require.Zero(t, problems)
	text, err := os.ReadFile(document)
	require.NoError(t, err)
	require.Regexp(t, "^before\n"+linksBegin+`\| package .*\n\|---.*
\| .example.com/m/a. \| 0 \| 0 \| \d+\.\d \|
\| .example.com/m/b. \| 0 \| 0 \| \d+\.\d \|
`+linksEnd+"after\n$", string(text))
	problems, said = check(false)
	require.Zero(t, problems, said)

	file("d/d.go", "package d\n")
	problems, said = check(false)
	require.Equal(t, 2, problems, said)
	require.Contains(t, said, "example.com/m/d")
	was := regexp.MustCompile(`(example.com/m/a.*) \d+\.\d`).ReplaceAllString(string(text), "$1 77.7")
	file("page.md", was)
	problems, _ = check(true)
	require.Zero(t, problems)
	now, err := os.ReadFile(document)
	require.NoError(t, err)
	require.Contains(t, string(now), "| 77.7 |", "what is there is not built again")
	require.Contains(t, string(now), "example.com/m/d")

	_, err = checkLinks(&bytes.Buffer{}, file("other.md", "nothing"), []string{dir}, false)
	require.ErrorContains(t, err, "has no table")
}
