package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

// sites finds what can be changed in a package and writes the changes.
type sites struct {
	fset *token.FileSet
	pkg  *loaded
	only *regexp.Regexp // of file names
	next *int           // the next mutant's id
	seen map[mutant]int // how often an identity, Nth left out, was met

	file     *source
	function string
	edits    *edits
	mutants  []mutant
}

// name by which a changed file knows the switch.
const live = "mutantswitch"

// rewrite returns the mutants of the package and its changed files by their path.
func (s *sites) rewrite(module string) map[string][]byte {
	changed := map[string][]byte{}
	for _, file := range s.pkg.files {
		if s.only != nil && !s.only.MatchString(file.name) {
			continue
		}
		s.file, s.edits = file, &edits{}
		for _, decl := range file.syntax.Decls {
			s.declaration(decl)
		}
		if len(s.edits.list) == 0 {
			continue
		}
		end := s.offset(file.syntax.Name.End())
		s.edits.wrap(end, end, fmt.Sprintf("; import %s %q", live, module+"/internal/"+live), "")
		changed[file.path] = s.edits.apply(file.text)
	}
	return changed
}

func (s *sites) declaration(decl ast.Decl) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Body == nil {
			return
		}
		s.function = d.Name.Name
		if d.Recv != nil && len(d.Recv.List) == 1 {
			receiver := strings.TrimLeft(s.text(d.Recv.List[0].Type), "*")
			receiver, _, _ = strings.Cut(receiver, "[")
			s.function = receiver + "." + d.Name.Name
		}
		s.walk(d.Body, d.Type)
	case *ast.GenDecl:
		if d.Tok != token.VAR {
			return
		}
		for _, spec := range d.Specs {
			spec := spec.(*ast.ValueSpec)
			s.function = "var " + spec.Names[0].Name
			for _, value := range spec.Values {
				s.walk(value, nil)
			}
		}
	}
}

// add notes a mutant of the node and returns its id.
func (s *sites) add(op string, n ast.Node) int {
	text := short(oneLine([]byte(s.text(n))))
	m := mutant{File: s.file.name, Func: s.function, Op: op, Text: text}
	same := m
	m.Nth = s.seen[same]
	s.seen[same]++
	m.ID, m.Line = *s.next, s.fset.Position(n.Pos()).Line
	*s.next++
	s.mutants = append(s.mutants, m)
	return m.ID
}

func (s *sites) offset(p token.Pos) int { return s.fset.Position(p).Offset }

func (s *sites) text(n ast.Node) string {
	return string(s.file.text[s.offset(n.Pos()):s.offset(n.End())])
}

// around wraps a node.
func (s *sites) around(n ast.Node, before, after string) {
	s.edits.wrap(s.offset(n.Pos()), s.offset(n.End()), before, after)
}

// instead makes a boolean expression another one if the mutant is on.
func (s *sites) instead(op string, e ast.Expr, other string) {
	if !plainBool(s.pkg.info.Types[e]) {
		return
	}
	id := s.add(op, e)
	s.around(e, fmt.Sprintf("(!%s.On(%d) && (", live, id), fmt.Sprintf(") || %s.On(%d) && (%s))", live, id, other))
}

func plainBool(v types.TypeAndValue) bool {
	if v.Value != nil {
		return false
	}
	basic, ok := types.Unalias(v.Type).(*types.Basic)
	return ok && basic.Info()&types.IsBoolean != 0
}

// typeName is how the file can write a type, "" if it cannot.
func (s *sites) typeName(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Info()&types.IsUntyped != 0 {
			return ""
		}
		return t.Name()
	case *types.Named:
		name := t.Obj().Name()
		switch {
		case t.TypeArgs().Len() > 0:
			return ""
		case t.Obj().Pkg() == s.pkg.pkg:
			return name
		}
		for _, i := range s.file.syntax.Imports {
			if strings.Trim(i.Path.Value, `"`) != t.Obj().Pkg().Path() {
				continue
			}
			if i.Name != nil {
				return i.Name.Name + "." + name
			}
			return t.Obj().Pkg().Name() + "." + name
		}
	}
	return ""
}
