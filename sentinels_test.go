package walletfi_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
