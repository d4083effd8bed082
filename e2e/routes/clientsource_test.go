package routes

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/e2e/flows"
)

// clientSource holds what the sources of a service's client say.
type clientSource struct {
	t         *testing.T
	service   string
	base      string // path of the base URL
	positions *token.FileSet
	files     []*ast.File
	constants map[string]string
	literals  int
	calls     map[string][]token.Position // by callName: the places in the client that name the path
}

func parseClient(t *testing.T, service, base string) *clientSource {
	t.Helper()
	p := parseFolder(t, filepath.Join("..", "..", service))
	p.service, p.base = service, base
	p.eachFunction(p.readFunction)
	require.NotZero(t, p.literals, service)
	return p
}

// parseFolder parses the files of a folder, tests excepted.
func parseFolder(t *testing.T, dir string) *clientSource {
	t.Helper()
	p := &clientSource{t: t, positions: token.NewFileSet(), constants: map[string]string{}, calls: map[string][]token.Position{}}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(p.positions, name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		p.files = append(p.files, file)
		p.readConstants(file)
	}
	return p
}

func (p *clientSource) readConstants(file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == len(spec.Names) {
			for i, name := range spec.Names {
				if text, ok := p.text(spec.Values[i]); ok {
					p.constants[name.Name] = text
				}
			}
		}
		return true
	})
}

// text returns the value of a literal, a constant or a sum of these.
func (p *clientSource) text(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		left, ok := p.text(e.X)
		right, also := p.text(e.Y)
		return left + right, ok && also && e.Op == token.ADD
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.Ident:
		text, ok := p.constants[e.Name]
		return text, ok
	}
	return "", false
}

func (p *clientSource) eachFunction(do func(*ast.FuncDecl)) {
	for _, file := range p.files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				do(f)
			}
		}
	}
}

// readFunction notes the calls whose literals a function has.
func (p *clientSource) readFunction(f *ast.FuncDecl) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		literal, ok := n.(*ast.CompositeLit)
		if !ok || !isTransport(literal.Type, "Call") {
			return true
		}
		p.literals++
		method, path := member(literal, "Method"), member(literal, "Path")
		at := p.positions.Position(literal.Pos())
		name, ok := method.(*ast.SelectorExpr)
		require.True(p.t, ok && fmt.Sprint(name.X) == "http", "%s: the method is no constant of net/http", at)
		templates := p.templates(f, path)
		require.NotEmpty(p.t, templates, "%s: the test does not find the path", at)
		for _, template := range templates {
			call := flows.CallName(p.service, methods[name.Sel.Name], p.base+template.path)
			p.calls[call] = append(p.calls[call], template.at)
		}
		return true
	})
}

var methods = map[string]string{
	"MethodGet": http.MethodGet, "MethodPost": http.MethodPost, "MethodPut": http.MethodPut,
	"MethodPatch": http.MethodPatch, "MethodDelete": http.MethodDelete,
}

// template is a path and the position of the expression that names it: in the
// method that a program calls, even if another function has the literal.
type template struct {
	path string
	at   token.Position
}

// templates returns the paths that an expression in f can stand for: a
// transport.Path, a text, a variable of f, or a parameter, whose values the
// callers of f name.
func (p *clientSource) templates(f *ast.FuncDecl, e ast.Expr) []template {
	if text, ok := p.text(e); ok {
		return []template{{text, p.positions.Position(e.Pos())}}
	}
	switch e := e.(type) {
	case *ast.CallExpr:
		if isTransport(e.Fun, "Path") {
			return p.templates(f, e.Args[0])
		}
	case *ast.Ident:
		if at := parameter(f, e.Name); at >= 0 {
			return p.passed(f.Name.Name, at)
		}
		return p.assigned(f, e.Name)
	}
	return nil
}

// assigned returns the templates that f assigns to a variable.
func (p *clientSource) assigned(f *ast.FuncDecl, name string) []template {
	var all []template
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == 1 && fmt.Sprint(a.Lhs[0]) == name {
			all = append(all, p.templates(f, a.Rhs[0])...)
		}
		return true
	})
	return all
}

// passed returns the templates that are passed to a function as an argument.
func (p *clientSource) passed(function string, argument int) []template {
	var all []template
	p.eachFunction(func(f *ast.FuncDecl) {
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok && called(c.Fun) == function && argument < len(c.Args) {
				found := p.templates(f, c.Args[argument])
				require.NotEmpty(p.t, found, "%s: the test does not find the path", p.positions.Position(c.Pos()))
				all = append(all, found...)
			}
			return true
		})
	})
	return all
}

// parameter returns the index of a parameter of f, -1 if it has none of that
// name.
func parameter(f *ast.FuncDecl, name string) int {
	at := 0
	for _, field := range f.Type.Params.List {
		for _, n := range field.Names {
			if n.Name == name {
				return at
			}
			at++
		}
	}
	return -1
}

// called is the name of the function or method that is called.
func called(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.IndexExpr:
		return called(e.X)
	case *ast.IndexListExpr:
		return called(e.X)
	}
	return ""
}

func isTransport(e ast.Expr, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && s.Sel.Name == name && fmt.Sprint(s.X) == "transport"
}

// member is the value of a field in a literal, nil if it is left out.
func member(literal *ast.CompositeLit, name string) ast.Expr {
	for _, e := range literal.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok && fmt.Sprint(kv.Key) == name {
			return kv.Value
		}
	}
	return nil
}
