package routes

import (
	"go/ast"
	"go/token"
	"net/url"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/sandbox"
)

// TestNamesakes requires that the sandbox handles a call in a file with the
// name of the client's file: the route of lending/deposit.go is handled in
// sandbox/internal/lending/deposit.go. If two files of a client make the same
// call, the sandbox has the name of either.
func TestNamesakes(t *testing.T) {
	s := flows.Start(t, sandbox.Config{})
	compared := 0
	for _, service := range sandbox.Services() {
		if service == sandbox.RPC {
			continue
		}
		base, err := url.Parse(s.URL(service))
		require.NoError(t, err)
		made := parseClient(t, string(service), base.Path).calls
		served := handlers(t, string(service))
		require.Len(t, served, documented[service], service)
		for call, at := range made {
			handler, ok := served[call]
			if !ok {
				t.Errorf("%v: no route of the sandbox serves %s", at, call)
				continue
			}
			compared++
			named := func(p token.Position) bool { return filepath.Base(p.Filename) == filepath.Base(handler.Filename) }
			if !slices.ContainsFunc(at, named) {
				t.Errorf("%s: the client calls it in %v, the sandbox serves it in %s", call, at, handler)
			}
		}
	}
	total := 0
	for _, n := range documented {
		total += n
	}
	require.Equal(t, total, compared)
}

// handlers returns the position of the handler of each route in the sandbox's
// folder of a service.
func handlers(t *testing.T, service string) map[string]token.Position {
	t.Helper()
	p := parseFolder(t, filepath.Join("..", "..", "sandbox", "internal", service))
	declared := map[string]token.Position{}
	p.eachFunction(func(f *ast.FuncDecl) { declared[f.Name.Name] = p.positions.Position(f.Pos()) })
	prefix := ""
	p.eachLiteral("Spec", func(literal *ast.CompositeLit) {
		prefix, _ = p.text(member(literal, "Prefix"))
	})
	found := map[string]token.Position{}
	p.eachLiteral("", func(literal *ast.CompositeLit) {
		endpoint, ok := member(literal, "Endpoint").(*ast.CallExpr)
		if !ok {
			return
		}
		at := p.positions.Position(literal.Pos())
		method, hasMethod := p.text(member(literal, "Method"))
		path, hasPath := p.text(member(literal, "Path"))
		require.True(t, hasMethod && hasPath, "%s: the test does not find the method and the path", at)
		handler := called(endpoint.Args[len(endpoint.Args)-1])
		require.Contains(t, declared, handler, "%s: the test does not find the handler", at)
		found[flows.CallName(service, method, prefix+path)] = declared[handler]
	})
	return found
}

// eachLiteral calls do with the composite literals in the functions whose type
// has a name; empty for the literals without a type, such as those in a slice.
func (p *clientSource) eachLiteral(name string, do func(*ast.CompositeLit)) {
	p.eachFunction(func(f *ast.FuncDecl) {
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if literal, ok := n.(*ast.CompositeLit); ok && called(literal.Type) == name {
				do(literal)
			}
			return true
		})
	})
}
