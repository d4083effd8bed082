package walletfi_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/sandbox"
)

// TestServices: each service is on the page of this package, in the README and in
// the sandbox.
func TestServices(t *testing.T) {
	page, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	for _, service := range services {
		t.Run(service, func(t *testing.T) {
			require.Regexp(t, `\b`+service+`\b`, string(page))
			require.Contains(t, string(readme), "| `"+service+"` |")
			require.Contains(t, sandbox.Services(), sandbox.Service(service))
			require.FileExists(t, "sandbox/internal/"+service+"/routes.go")
			require.FileExists(t, service+"/doc.go")
			require.FileExists(t, service+"/example_test.go")
			require.FileExists(t, service+"/fuzz_test.go")
		})
	}
}

// TestClasses: each service exports the classes of its calls, with their budgets, and
// every call names one of them.
func TestClasses(t *testing.T) {
	for _, service := range services {
		t.Run(service, func(t *testing.T) {
			files, err := filepath.Glob(service + "/*.go")
			require.NoError(t, err)
			classes, named := 0, 0
			for _, file := range files {
				if strings.HasSuffix(file, "_test.go") {
					continue
				}
				source, err := os.ReadFile(file)
				require.NoError(t, err)
				for _, line := range strings.Split(string(source), "\n") {
					if class.MatchString(line) {
						classes++
					}
					if use := classOfCall.FindStringSubmatch(line); use != nil {
						named++
						require.Regexp(t, `^(Class[A-Z]\w*|class)$`, use[1], "%s: %s", file, line)
					}
				}
			}
			require.Positive(t, classes, "no constant")
			require.True(t, classes == 1 || named > 0, "%d classes and no call of any", classes)
		})
	}
}

var (
	class       = regexp.MustCompile(`^\s*(?:const )?Class[A-Z]\w* += "[a-z]*"`)
	classOfCall = regexp.MustCompile(`\bClass: +([^,\s]+)`)
)

// TestSentinelTable: the table in the package page has a row for each sentinel
// of this package, and for what ends a wallet's call.
func TestSentinelTable(t *testing.T) {
	doc := parsed(t, "doc.go").Doc.Text()
	want := []string{"wallet.ErrExpired", "wallet.ErrFailed", "wallet.ErrKeyReused", "signing.ErrRefused"}
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			want = append(want, sentinelsOf(parsed(t, file))...)
		}
	}
	require.Greater(t, len(want), 14, "the walk saw next to no sentinel")
	for _, name := range want {
		require.Contains(t, doc, "\n\t"+name+" ", "no row")
	}
}

func parsed(t *testing.T, file string) *ast.File {
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	require.NoError(t, err)
	return tree
}

// sentinelsOf returns the names of the file's exported variables that begin with
// Err.
func sentinelsOf(file *ast.File) []string {
	var names []string
	for _, d := range file.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok || group.Tok != token.VAR {
			continue
		}
		for _, spec := range group.Specs {
			for _, name := range spec.(*ast.ValueSpec).Names {
				if strings.HasPrefix(name.Name, "Err") {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}
