package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write words.json")

// source holds what a package's files say.
type source struct {
	name   string
	types  map[string]*ast.TypeSpec
	consts map[string]string // values of constants that are texts
	typeOf map[string]string // types of these constants
	lists  map[string][]string
	said   map[string]string // values of constants, for the comments that name them
	funcs  []*ast.FuncDecl
}

func parse(t *testing.T, name, dir string) *source {
	s := &source{name, map[string]*ast.TypeSpec{}, map[string]string{}, map[string]string{}, map[string][]string{}, map[string]string{}, nil}
	notTests := func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }
	//lint:ignore SA1019 no types are needed, nor what build tags choose
	packages, err := parser.ParseDir(token.NewFileSet(), dir, notTests, parser.ParseComments)
	require.NoError(t, err)
	require.NotEmpty(t, packages)
	for _, p := range packages {
		for _, file := range slices.Sorted(maps.Keys(p.Files)) {
			for _, decl := range p.Files[file].Decls {
				s.decl(decl)
			}
		}
	}
	return s
}

func (s *source) decl(decl ast.Decl) {
	if f, ok := decl.(*ast.FuncDecl); ok {
		s.funcs = append(s.funcs, f)
		return
	}
	for _, spec := range decl.(*ast.GenDecl).Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			s.types[spec.Name.Name] = spec
		case *ast.ValueSpec:
			for i, value := range spec.Values {
				s.value(spec.Names[i].Name, spec.Type, value)
			}
		}
	}
}

func (s *source) value(name string, of ast.Expr, value ast.Expr) {
	switch value := value.(type) {
	case *ast.BasicLit:
		switch text, err := strconv.Unquote(value.Value); {
		case value.Kind == token.INT:
			s.said[name] = value.Value
		case err == nil && value.Kind == token.STRING:
			s.consts[name], s.said[name] = text, text
			if id, ok := of.(*ast.Ident); ok {
				s.typeOf[name] = id.Name
			}
		}
	case *ast.CompositeLit:
		for _, item := range value.Elts {
			if id, ok := item.(*ast.Ident); ok {
				s.lists[name] = append(s.lists[name], id.Name)
			}
		}
	}
}

// exported finds names in a comment.
var exported = regexp.MustCompile(`\b[A-Z][A-Za-z0-9]+\b`)

// plain is a comment for somebody who reads no Go.
func (s *source) plain(texts ...string) string {
	var kept []string
	for _, text := range texts {
		for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
			paragraph = strings.Join(strings.Fields(paragraph), " ")
			if route, _, _ := strings.Cut(paragraph, " "); route != "GET" && route != "POST" && paragraph != "" {
				kept = append(kept, paragraph)
			}
		}
	}
	text := strings.NewReplacer("[", "", "]", "", "*walletfi.", "", "walletfi.", "", "Nil ", "Left out ", "nil ", "left out ",
		"Empty ", "Left out ", "empty means", "left out means", "Zero ", "Left out ", "zero means", "left out means").Replace(strings.Join(kept, " "))
	return exported.ReplaceAllStringFunc(text, func(name string) string {
		if value := s.said[name]; value != "" {
			return strings.ReplaceAll(value, "_", "")
		}
		return name
	})
}

// fields adds what a struct's comments say.
func (s *source) fields(to map[string]fieldWords) {
	for name, spec := range s.types {
		of, ok := spec.Type.(*ast.StructType)
		if !ok {
			continue
		}
		for _, f := range of.Fields.List {
			for _, id := range f.Names {
				key := s.name + "." + name + "." + id.Name
				w := to[key]
				w.Text = s.plain(f.Doc.Text(), f.Comment.Text())
				to[key] = w
			}
		}
	}
}

// checks adds what the clients' checks say: the name of each field, and the set of a closed one.
func (s *source) checks(fields map[string]fieldWords, values map[string][]string) {
	for _, f := range s.funcs {
		of := map[string]string{}
		lists := []*ast.FieldList{f.Recv, f.Type.Params}
		ast.Inspect(f, func(n ast.Node) bool {
			if inner, ok := n.(*ast.FuncLit); ok {
				lists = append(lists, inner.Type.Params)
			}
			return true
		})
		for _, list := range lists {
			if list == nil {
				continue
			}
			for _, p := range list.List {
				for _, id := range p.Names {
					if t, ok := p.Type.(*ast.Ident); ok {
						of[id.Name] = t.Name
					}
				}
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				s.check(f, call, of, fields, values)
			}
			return true
		})
	}
}

func (s *source) check(
	f *ast.FuncDecl, call *ast.CallExpr, of map[string]string, fields map[string]fieldWords, values map[string][]string,
) {
	function, ok := call.Fun.(*ast.SelectorExpr)
	if id, isName := call.Fun.(*ast.SelectorExpr); !ok || !isName || len(call.Args) < 2 || id.X == nil {
		return
	}
	if id, ok := function.X.(*ast.Ident); !ok || id.Name != "check" {
		return
	}
	var set []string
	if strings.HasSuffix(function.Sel.Name, "OneOf") {
		for _, arg := range call.Args[2:] {
			set = append(set, s.set(arg)...)
		}
	}
	switch arg := call.Args[1].(type) {
	case *ast.Ident: // an element of a list
		if t := of[arg.Name]; t != "" && set != nil {
			values[s.name+"."+t] = set
		}
	case *ast.SelectorExpr:
		id, ok := arg.X.(*ast.Ident)
		if !ok || of[id.Name] == "" {
			return
		}
		key := s.name + "." + of[id.Name] + "." + arg.Sel.Name
		if set != nil && call.Ellipsis.IsValid() && f.Recv != nil && f.Name.IsExported() {
			key = s.name + "." + f.Name.Name + "." + arg.Sel.Name // of this method alone
		}
		w := fields[key]
		if name, ok := call.Args[0].(*ast.BasicLit); ok {
			w.Name, _ = strconv.Unquote(name.Value)
		}
		if set != nil {
			w.Values = set
		}
		fields[key] = w
	}
}

func (s *source) set(arg ast.Expr) (set []string) {
	id, ok := arg.(*ast.Ident)
	if !ok {
		return nil
	}
	if list := s.lists[id.Name]; list != nil {
		for _, name := range list {
			set = append(set, s.consts[name])
		}
		return set
	}
	return []string{s.consts[id.Name]}
}

// method adds what a read's comment says, and the names of its parameters.
func (s *source) method(name string, to map[string]methodWords) {
	for _, f := range s.funcs {
		if f.Recv == nil || f.Name.Name != name || !strings.HasSuffix(typeText(f.Recv.List[0].Type), "Client") {
			continue
		}
		inPath := placeholders(f)
		w := methodWords{Text: first(name, s.plain(f.Doc.Text()))}
		for _, p := range f.Type.Params.List[1:] {
			switch t := typeText(p.Type); {
			case t == "string" || t == "[]string":
				for _, id := range p.Names {
					w.Parameters = append(w.Parameters, firstOf(inPath[id.Name], strings.Replace(id.Name, "ID", "Id", 1)))
				}
			}
		}
		to[s.name+"."+name] = w
	}
}

// placeholders are the names of a method's parameters in its route, by which they are refused.
func placeholders(f *ast.FuncDecl) map[string]string {
	names := map[string]string{}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) < 2 {
			return true
		}
		function, ok := call.Fun.(*ast.SelectorExpr)
		path, isText := call.Args[0].(*ast.BasicLit)
		if !ok || !isText || function.Sel.Name != "Path" {
			return true
		}
		for i, found := range regexp.MustCompile(`{(\w+)}`).FindAllStringSubmatch(path.Value, -1) {
			if id, ok := call.Args[i+1].(*ast.Ident); ok {
				names[id.Name] = found[1]
			}
		}
		return true
	})
	return names
}

// first keeps of a method's comment what it does, and what it costs.
func first(method, text string) string {
	sentences := strings.SplitAfter(text, ". ")
	does := strings.TrimPrefix(sentences[0], method+" ")
	if strings.HasPrefix(does, "is ") {
		does = "this " + does
	}
	does = strings.ToUpper(does[:1]) + does[1:]
	for _, sentence := range sentences[1:] {
		if strings.Contains(sentence, "billed") {
			does += sentence
		}
	}
	return strings.TrimSpace(strings.ReplaceAll(does, "req.", ""))
}

func typeText(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.StarExpr:
		return typeText(t.X)
	case *ast.ArrayType:
		return "[]" + typeText(t.Elt)
	}
	return ""
}

// TestWords holds words.json to the clients' source.
func TestWords(t *testing.T) {
	made := words
	made.Methods, made.Fields, made.Values = map[string]methodWords{}, map[string]fieldWords{}, map[string][]string{}
	all := map[string]fieldWords{}
	parse(t, "walletfi-go", "../..").fields(all)
	values := map[string][]string{}
	for name := range services {
		s := parse(t, name, "../../"+name)
		s.fields(all)
		s.checks(all, values)
		for _, method := range reads {
			if service, m := methodOf(reflect.ValueOf(method)); service == name {
				s.method(m, made.Methods)
			}
		}
	}
	seen := map[reflect.Type]bool{}
	for _, method := range reads {
		call := reflect.TypeOf(method)
		service, name := methodOf(reflect.ValueOf(method))
		for i := 2; i < call.NumIn()-1; i++ {
			keep(call.In(i), seen, all, values, made.Fields, made.Values)
		}
		keep(call.Out(0), seen, all, values, made.Fields, made.Values)
		for key, w := range all {
			if strings.HasPrefix(key, service+"."+name+".") {
				made.Fields[key] = w
			}
		}
	}
	text, err := json.MarshalIndent(made, "", "\t")
	require.NoError(t, err)
	text = append(bytes.ReplaceAll(bytes.ReplaceAll(text, []byte(`\u003c`), []byte("<")), []byte(`\u003e`), []byte(">")), '\n')
	if *update {
		require.NoError(t, os.WriteFile("words.json", text, 0o644))
	}
	was, err := os.ReadFile("words.json")
	require.NoError(t, err)
	require.True(t, bytes.Equal(text, was), "words.json is old: go test -run TestWords -update")
	require.Len(t, made.Methods, len(reads))
}

// keep keeps the words of the types that a tool takes and answers.
func keep(
	of reflect.Type, seen map[reflect.Type]bool, all map[string]fieldWords, values map[string][]string,
	fields map[string]fieldWords, kept map[string][]string,
) {
	switch of.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		if v := values[typeName(of.Elem())]; v != nil && of.Kind() == reflect.Slice {
			kept[typeName(of.Elem())] = v
		}
		keep(of.Elem(), seen, all, values, fields, kept)
		return
	case reflect.Struct:
	default:
		return
	}
	if seen[of] {
		return
	}
	seen[of] = true
	for f := range of.Fields() {
		key := typeName(of) + "." + f.Name
		if w := all[key]; f.IsExported() && (w.Text != "" || w.Name != "" || w.Values != nil) {
			fields[key] = w
		}
		keep(f.Type, seen, all, values, fields, kept)
	}
}
