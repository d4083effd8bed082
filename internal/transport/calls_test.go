package transport

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pkg is the functions of one folder, each the whole of a method.
type pkg struct {
	dir   string
	files *token.FileSet
	funcs []*ast.FuncDecl
}

// packages parses the module, tests left out.
func packages(t *testing.T) map[string]*pkg {
	t.Helper()
	const root = "../.."
	found := map[string]*pkg{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{".git", "testdata", "bench", "transport", "cmd"}, d.Name()) {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		dir := filepath.Dir(path)
		if found[dir] == nil {
			found[dir] = &pkg{dir: dir, files: token.NewFileSet()}
		}
		file, err := parser.ParseFile(found[dir].files, path, nil, 0)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				found[dir].funcs = append(found[dir].funcs, f)
			}
		}
		return nil
	})
	require.NoError(t, err)
	return found
}

// TestCalls walks every Call of the module: each is classified, and each is
// named after the method that a program calls.
func TestCalls(t *testing.T) {
	seen := 0
	for _, p := range packages(t) {
		for _, f := range p.funcs {
			ast.Inspect(f, func(n ast.Node) bool {
				literal, ok := n.(*ast.CompositeLit)
				if !ok || !isTransport(literal.Type, "Call") {
					return true
				}
				seen++
				where := p.files.Position(literal.Pos()).String()
				fields := fieldsIn(literal)
				for _, name := range []string{"Op", "Effect", "Method", "Path"} {
					if fields[name] == nil {
						t.Errorf("%s: a Call without %s", where, name)
					}
				}
				if op := fields["Op"]; op != nil {
					p.checkOp(t, where, f, op)
				}
				if effect := fields["Effect"]; effect != nil && !isEffect(f, effect) {
					t.Errorf("%s: the effect is none", where)
				}
				if s, ok := fields["Effect"].(*ast.SelectorExpr); ok && s.Sel.Name == "Relay" && !hides(f, fields) {
					t.Errorf("%s: who reads the signed bytes in a log could send them: name them in Secrets", where)
				}
				return true
			})
		}
	}
	assert.Greater(t, seen, 60, "the walk saw next to nothing")
}

// checkOp wants op to be the name of f, or where a program cannot call f, of a
// method through which it can. Where op is a parameter of f, that goes for each
// caller of f.
func (p *pkg) checkOp(t *testing.T, where string, f *ast.FuncDecl, op ast.Expr) {
	t.Helper()
	if literal, ok := op.(*ast.BasicLit); ok {
		text, err := strconv.Unquote(literal.Value)
		if named := f.Name.Name; err != nil || text != named && (f.Name.IsExported() || !p.leads(text, named)) {
			t.Errorf("%s: Op is %q within %s", where, text, named)
		}
		return
	}
	at := parameter(f, op)
	if at < 0 {
		t.Errorf("%s: Op is neither a text nor a parameter", where)
		return
	}
	callers := 0
	for _, caller := range p.funcs {
		ast.Inspect(caller, func(n ast.Node) bool {
			if invoked(n) == f.Name.Name {
				call := n.(*ast.CallExpr)
				callers++
				p.checkOp(t, p.files.Position(call.Pos()).String(), caller, call.Args[at])
			}
			return true
		})
	}
	if callers == 0 {
		t.Errorf("%s: nobody calls %s", where, f.Name.Name)
	}
}

// leads reports whether the exported function from calls to, itself or through
// unexported ones.
func (p *pkg) leads(from, to string) bool {
	if !ast.IsExported(from) {
		return false
	}
	reached := map[string]bool{from: true}
	for changed := true; changed; {
		changed = false
		for _, f := range p.funcs {
			if !reached[f.Name.Name] || f.Name.Name != from && f.Name.IsExported() {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if name := invoked(n); name != "" && !reached[name] {
					reached[name], changed = true, true
				}
				return true
			})
		}
	}
	return reached[to]
}

// invoked returns the name of the function or method that n calls, "" where n
// is no call.
func invoked(n ast.Node) string {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return ""
	}
	fun := call.Fun
	switch generic := fun.(type) {
	case *ast.IndexExpr:
		fun = generic.X
	case *ast.IndexListExpr:
		fun = generic.X
	}
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	}
	return ""
}

// parameter returns which parameter of f is named by e, -1 if none.
func parameter(f *ast.FuncDecl, e ast.Expr) int {
	name, ok := e.(*ast.Ident)
	if !ok {
		return -1
	}
	i := 0
	for _, group := range f.Type.Params.List {
		for _, p := range group.Names {
			if p.Name == name.Name {
				return i
			}
			i++
		}
	}
	return -1
}

func fieldsIn(literal *ast.CompositeLit) map[string]ast.Expr {
	fields := map[string]ast.Expr{}
	for _, e := range literal.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok {
				fields[key.Name] = pair.Value
			}
		}
	}
	return fields
}

// hides reports whether a call has secrets, in its literal or set in its function.
func hides(f *ast.FuncDecl, fields map[string]ast.Expr) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		found = found || ok && s.Sel.Name == "Secrets"
		return true
	})
	return found || fields["Secrets"] != nil
}

func isEffect(f *ast.FuncDecl, e ast.Expr) bool {
	for _, name := range effectNames {
		if isTransport(e, name) {
			return true
		}
	}
	return parameter(f, e) >= 0
}

func isTransport(e ast.Expr, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == "transport"
}
