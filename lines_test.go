package walletfi_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// longest is how many bytes a line of source may have, a tab being one. Tests may have
// longer ones.
const longest = 120

// odd matches phrases that a comment can do without.
var odd = regexp.MustCompile(`(?i)\bis what\b|\b(that|which|it) (is|are) none\b|\b(bring|brings|brought)\b|` +
	`\banew\b|\breckon|\bcargo\b|\b(a|each|one|first|last|next) (try|tries)\b|\btwice the same\b`)

// unread are the files that do not keep the rules yet.
var unread = regexp.MustCompile(`^(e2e/world|internal/(clock|declared|drift|echo|jsontext|transport))/`)

// TestLines reads all modules for lines that are too long and for comments with an odd
// phrase.
func TestLines(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || unread.MatchString(filepath.ToSlash(path)) {
			return nil
		}
		files++
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, fault := range lineFaults(t, path, string(text)) {
			t.Error(fault)
		}
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, files, 600, "the walk saw next to no file")
}

// TestLineFaults: the rules find what they are for, and nothing else.
func TestLineFaults(t *testing.T) {
	source := func(line string) string { return "package p\n\n" + line + "\n" }
	long := "var a = `" + strings.Repeat("x", longest-len("var a = ``")) + "`"
	for line, faults := range map[string]int{
		long:                                0,
		long + " ":                          1,
		"// T is what it keeps.\nvar T int": 1,
		"// T is made anew, with\n// what it brought.\nvar T int": 2,
		"// T holds what is kept. Try again.\nvar T int":          0,
		`var T = "is what"`: 0,
	} {
		require.Len(t, lineFaults(t, "p.go", source(line)), faults, line)
	}
}

// lineFaults returns the faults of one file, each with its place.
func lineFaults(t *testing.T, path, text string) []string {
	files := token.NewFileSet()
	var faults []string
	add := func(pos token.Pos, fault string) {
		faults = append(faults, files.Position(pos).String()+": "+fault)
	}
	tree, err := parser.ParseFile(files, path, text, parser.ParseComments)
	require.NoError(t, err)
	file := files.File(tree.Pos())
	for i, line := range strings.Split(text, "\n") {
		if len(line) > longest && !strings.HasSuffix(path, "_test.go") {
			add(file.LineStart(i+1), "the line is too long")
		}
	}
	for _, group := range tree.Comments {
		for _, comment := range group.List {
			if phrase := odd.FindString(comment.Text); phrase != "" {
				add(comment.Pos(), "say it without \""+phrase+"\"")
			}
		}
	}
	return faults
}
