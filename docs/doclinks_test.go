package docs_test

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// TestDocLinks: what a doc comment puts in brackets, as in [pkg.Name], is a link, and
// leads to something that exists.
func TestDocLinks(t *testing.T) {
	links, broken := checkDocs(t, root)
	require.Empty(t, broken)
	require.Greater(t, links, 800)
}

// TestDocLinksBroken: the check sees what is broken.
func TestDocLinksBroken(t *testing.T) {
	links, broken := checkDocs(t, fstest.MapFS{
		"go.mod":     {Data: []byte("module example.com/m\n")},
		"sub/go.mod": {Data: []byte("module example.com/m/sub\n")},
		"a.go": {Data: []byte(`// Package m links [T], [T.M], [errors.Is], [errors.Iz], [sub.U.F] and [sub.V].
package m

import (
	"errors"

	"example.com/m/sub"
)

var _, _ = errors.Is, sub.U{}

// T is not [U], but as [os.File]; [other.File] is not imported; 2[x] is no link, nor is [y].
type T struct {
	// F is not [T.None] but [*T].
	F int
}

// M is of [T.F].
func (T) M() {}
`)},
		"sub/a.go": {Data: []byte("// Package sub has [U].\npackage sub\n\n// U is one.\ntype U struct{ F int }\n")},
	})
	require.Equal(t, []string{
		"m: [errors.Iz]: no such name",
		"m: [sub.V]: no such name",
		"m: [U]: no link",
		"m: [other.File]: no link",
		"m: [T.None]: no link",
	}, broken)
	require.Equal(t, 10, links)
}

// A docPackage is a package as the check knows it.
type docPackage struct {
	*doc.Package

	names map[string]bool // T, T.M, T.F
}

// bracketed matches what looks like a link: an exported name, or one of a package.
var bracketed = regexp.MustCompile(`(?:^|[\s(])\[\*?((?:[a-z]\w*\.)?[A-Z]\w*(?:\.[A-Z]\w*)?)\](?:$|[\s.,;:)'!?])`)

// checkDocs checks the doc links of all packages in files.
func checkDocs(t *testing.T, files fs.FS) (links int, broken []string) {
	t.Helper()
	packages := map[string]*docPackage{} // by import path
	var order []string
	modules := map[string]string{} // by folder
	require.NoError(t, fs.WalkDir(files, ".", func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); name == "testdata" || len(name) > 1 && name[0] == '.' {
			return fs.SkipDir
		}
		module := modules[path.Dir(dir)]
		if dir != "." {
			module = path.Join(module, path.Base(dir))
		}
		if text, err := fs.ReadFile(files, path.Join(dir, "go.mod")); err == nil {
			module = strings.TrimPrefix(strings.SplitN(string(text), "\n", 2)[0], "module ")
		}
		modules[dir] = module
		if p := readPackage(t, files, dir, module); p != nil {
			packages[module] = p
			order = append(order, module)
		}
		return nil
	}))
	toolchain, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	standard := os.DirFS(filepath.Join(strings.TrimSpace(string(toolchain)), "src"))
	find := func(importPath string) *docPackage {
		if p, ok := packages[importPath]; ok || strings.Contains(importPath, ".") {
			return p
		}
		packages[importPath] = readPackage(t, standard, importPath, importPath)
		return packages[importPath]
	}
	for _, importPath := range order {
		p := packages[importPath]
		for _, text := range p.comments() {
			n, wrong := p.check(text, find)
			links += n
			for _, w := range wrong {
				broken = append(broken, strings.TrimPrefix(importPath, "github.com/walletfi/walletfi-go/")+": "+w)
			}
		}
	}
	for i := range broken {
		broken[i] = strings.TrimPrefix(broken[i], "example.com/")
	}
	return links, broken
}

// readPackage reads the Go files of a folder that are no tests; nil if there are none.
func readPackage(t *testing.T, files fs.FS, dir, importPath string) *docPackage {
	t.Helper()
	found, err := fs.Glob(files, path.Join(dir, "*.go"))
	require.NoError(t, err)
	set := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range found {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := fs.ReadFile(files, name)
		require.NoError(t, err)
		file, err := parser.ParseFile(set, name, text, parser.ParseComments)
		require.NoError(t, err)
		if file.Name.Name != "ignore" && !strings.Contains(string(text), "//go:build ignore") {
			parsed = append(parsed, file)
		}
	}
	if len(parsed) == 0 {
		return nil
	}
	read, err := doc.NewFromFiles(set, parsed, importPath, doc.AllDecls|doc.PreserveAST)
	require.NoError(t, err, importPath)
	p := &docPackage{Package: read, names: map[string]bool{}}
	for _, file := range parsed {
		for _, d := range file.Decls {
			p.name(d)
		}
	}
	return p
}

// name collects what a declaration names.
func (p *docPackage) name(d ast.Decl) {
	if f, ok := d.(*ast.FuncDecl); ok {
		name := f.Name.Name
		if f.Recv != nil {
			name = receiver(f.Recv.List[0].Type) + "." + name
		}
		p.names[name] = true
		return
	}
	for _, spec := range d.(*ast.GenDecl).Specs {
		switch s := spec.(type) {
		case *ast.ValueSpec:
			for _, n := range s.Names {
				p.names[n.Name] = true
			}
		case *ast.TypeSpec:
			p.names[s.Name.Name] = true
			ast.Inspect(s.Type, func(n ast.Node) bool {
				field, ok := n.(*ast.Field)
				if !ok {
					return true
				}
				for _, name := range field.Names {
					p.names[s.Name.Name+"."+name.Name] = true
				}
				if len(field.Names) == 0 {
					p.names[s.Name.Name+"."+receiver(field.Type)] = true
				}
				return true
			})
		}
	}
}

// receiver is the name of a receiver's type, or of an embedded one.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// comments are all doc comments of a package, those of fields included.
func (p *docPackage) comments() []string {
	all := []string{p.Doc}
	values := func(values []*doc.Value) {
		for _, v := range values {
			all = append(all, v.Doc)
			all = append(all, inner(v.Decl)...)
		}
	}
	functions := func(functions []*doc.Func) {
		for _, f := range functions {
			all = append(all, f.Doc)
		}
	}
	values(p.Consts)
	values(p.Vars)
	functions(p.Funcs)
	for _, typ := range p.Types {
		all = append(all, typ.Doc)
		all = append(all, inner(typ.Decl)...)
		values(typ.Consts)
		values(typ.Vars)
		functions(typ.Funcs)
		functions(typ.Methods)
	}
	return all
}

// inner are the comments inside a declaration.
func inner(d *ast.GenDecl) []string {
	var all []string
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			all = append(all, n.Doc.Text(), n.Comment.Text())
		case *ast.ValueSpec:
			all = append(all, n.Doc.Text(), n.Comment.Text())
		}
		return true
	})
	return all
}

// check looks at one comment.
func (p *docPackage) check(text string, find func(string) *docPackage) (links int, wrong []string) {
	var look func([]comment.Text)
	plain := &strings.Builder{}
	look = func(texts []comment.Text) {
		for _, x := range texts {
			switch x := x.(type) {
			case comment.Plain:
				plain.WriteString(string(x))
			case *comment.DocLink:
				links++
				plain.WriteString("x")
				name := strings.TrimPrefix(x.Recv+"."+x.Name, ".")
				target := p
				if x.ImportPath != "" {
					if target = find(x.ImportPath); target == nil && strings.Contains(x.ImportPath, ".") && !strings.Contains(x.ImportPath, "walletfi/") {
						continue // another module's
					}
				}
				if target == nil || name != "" && !target.names[name] {
					wrong = append(wrong, fmt.Sprintf("[%s.%s]: no such name", path.Base(x.ImportPath), name))
				}
			}
		}
	}
	var blocks func([]comment.Block)
	blocks = func(all []comment.Block) {
		for _, b := range all {
			switch b := b.(type) {
			case *comment.Paragraph:
				look(b.Text)
				plain.WriteString("\n")
			case *comment.Heading:
				look(b.Text)
			case *comment.List:
				for _, item := range b.Items {
					blocks(item.Content)
				}
			}
		}
	}
	parser := p.Parser()
	blocks(parser.Parse(text).Content)
	for _, m := range bracketed.FindAllStringSubmatch(plain.String(), -1) {
		if typ, field, ok := strings.Cut(m[1], "."); ok && p.names[m[1]] && ast.IsExported(typ) && ast.IsExported(field) {
			links++ // a field: pkg.go.dev has its place, go doc shows the brackets
			continue
		}
		wrong = append(wrong, fmt.Sprintf("[%s]: no link", m[1]))
	}
	return links, wrong
}
