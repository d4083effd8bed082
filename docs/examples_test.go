package docs_test

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/e2e/flows"
)

// TestExamples: each package that others import has an example of its use.
func TestExamples(t *testing.T) {
	packages, without := checkExamples(t, root)
	require.Empty(t, without)
	require.Greater(t, packages, 25)
}

// TestServiceExamples: each client of a service shows at least five of its calls, in examples
// that are run and held to what they print, and five of 25 lines at most.
func TestServiceExamples(t *testing.T) {
	services, total := 0, 0
	for service := range flows.Clients {
		services++
		short := 0
		for _, lines := range runExamples(t, root, string(service)) {
			total++
			if lines <= 25 {
				short++
			}
		}
		require.GreaterOrEqual(t, short, 5, service)
	}
	require.Equal(t, 11, services)
	fmt.Printf("services=%d examples=%d\n", services, total)
}

// TestServiceExamplesCounted: an example without an output is compiled, and not run.
func TestServiceExamplesCounted(t *testing.T) {
	require.Equal(t, map[string]int{"ExampleA_b": 4}, runExamples(t, fstest.MapFS{
		"a/a_test.go": {Data: []byte("package a\n\nfunc ExampleA_b() {\n\tprintln()\n\t// Output: x\n}\n\nfunc ExampleC() {\n}\n")},
	}, "a"))
}

// runExamples are the examples of a folder that go test runs, with their numbers of lines.
func runExamples(t *testing.T, files fs.FS, dir string) map[string]int {
	t.Helper()
	sources, err := fs.Glob(files, path.Join(dir, "*_test.go"))
	require.NoError(t, err)
	lines := map[string]int{}
	for _, name := range sources {
		text, err := fs.ReadFile(files, name)
		require.NoError(t, err)
		for _, function := range wholeExample.FindAllStringSubmatch(string(text), -1) {
			if output.MatchString(function[0]) {
				lines[function[1]] = strings.Count(function[0], "\n")
			}
		}
	}
	return lines
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
	clause       = regexp.MustCompile(`(?m)^package (\w+)`)
	output       = regexp.MustCompile(`(?m)^\t// (?:Output|Unordered output):`)
	wholeExample = regexp.MustCompile(`(?ms)^func (Example\w*)\(\) \{.*?^\}\n`)
	example      = regexp.MustCompile(`(?m)^func Example(?:[A-Z_]\w*)?\(`)
)

// notImported are folders of packages that are not for other modules' code.
var notImported = map[string]bool{
	"internal": true, "testdata": true, "examples": true, "bench": true, "e2e": true, ".git": true,
	"takeover": true, // signer/takeover has tests alone
}

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
