package docs_test

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// TestExamples: each package that others import has an example of its use.
func TestExamples(t *testing.T) {
	packages, without := checkExamples(t, root)
	require.Empty(t, without)
	require.Greater(t, packages, 25)
}

// TestExamplesMissing: the check sees a package without one.
func TestExamplesMissing(t *testing.T) {
	packages, without := checkExamples(t, fstest.MapFS{
		"a/a.go":            {Data: []byte("package a\n")},
		"a/a_test.go":       {Data: []byte("package a\n\nfunc ExampleA() {}\n")},
		"b/b.go":            {Data: []byte("// Package b.\npackage b\n")},
		"b/b_test.go":       {Data: []byte("package b\n\nfunc TestExample() {}\n")},
		"c/main.go":         {Data: []byte("package main\n")},
		"b/internal/d/d.go": {Data: []byte("package d\n")},
	})
	require.Equal(t, []string{"b"}, without)
	require.Equal(t, 2, packages)
}

var (
	clause  = regexp.MustCompile(`(?m)^package (\w+)`)
	example = regexp.MustCompile(`(?m)^func Example(?:[A-Z_]\w*)?\(`)
)

// notImported are folders of packages that are not for other modules' code.
var notImported = map[string]bool{"internal": true, "testdata": true, "examples": true, "bench": true, "e2e": true, ".git": true}

// checkExamples counts the packages for others in files, and says which have no example.
func checkExamples(t *testing.T, files fs.FS) (packages int, without []string) {
	t.Helper()
	require.NoError(t, fs.WalkDir(files, ".", func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if notImported[d.Name()] {
			return fs.SkipDir
		}
		sources, err := fs.Glob(files, path.Join(dir, "*.go"))
		if err != nil {
			return err
		}
		imported, shown := false, false
		for _, name := range sources {
			text, err := fs.ReadFile(files, name)
			if err != nil {
				return err
			}
			if strings.HasSuffix(name, "_test.go") {
				shown = shown || example.Match(text)
			} else if m := clause.FindSubmatch(text); m != nil && string(m[1]) != "main" {
				imported = true
			}
		}
		if imported {
			packages++
		}
		if imported && !shown {
			without = append(without, dir)
		}
		return nil
	}))
	return packages, without
}
