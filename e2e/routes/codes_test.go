package routes

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/sandbox"
)

// TestCodes: for each error code of a client there is a row in its
// errors_test.go and a state of the sandbox that leads to it.
func TestCodes(t *testing.T) {
	checked := 0
	for _, service := range sandbox.Services() {
		codes := errorCodes(t, "../../"+string(service)+"/errors.go")
		if len(codes) == 0 {
			continue
		}
		checked++
		rows, err := os.ReadFile("../../" + string(service) + "/errors_test.go")
		require.NoError(t, err)
		served := sandboxTexts(t, service)
		for name, code := range codes {
			if !strings.Contains(string(rows), "."+name+",") {
				t.Errorf("%s/errors_test.go has no row for %s", service, name)
			}
			if !served[code] {
				t.Errorf("the sandbox's %s never answers %s", service, code)
			}
		}
	}
	require.GreaterOrEqual(t, checked, 2, "services with codes")
}

// errorCodes returns the constants of type Code in a file, if it exists.
func errorCodes(t *testing.T, path string) map[string]string {
	t.Helper()
	codes := map[string]string{}
	if _, err := os.Stat(path); err != nil {
		return codes
	}
	for node := range ast.Preorder(parsed(t, path)) {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			continue
		}
		kind, typed := spec.Type.(*ast.Ident)
		if text, ok := literal(spec.Values[0]); ok && typed && kind.Name == "Code" {
			codes[spec.Names[0].Name] = text
		}
	}
	return codes
}

// sandboxTexts returns the string literals of the sandbox's files of a service.
func sandboxTexts(t *testing.T, service sandbox.Service) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("../../sandbox/internal/" + string(service) + "/*.go")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	texts := map[string]bool{}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		for node := range ast.Preorder(parsed(t, path)) {
			if text, ok := literal(node); ok {
				texts[text] = true
			}
		}
	}
	return texts
}

func parsed(t *testing.T, path string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	return file
}

// literal returns the text of a string literal.
func literal(n ast.Node) (string, bool) {
	l, ok := n.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(l.Value)
	return text, err == nil
}
