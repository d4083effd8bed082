package main

import (
	"fmt"
	"go/constant"
	"go/types"
	"slices"
	"strings"
)

// describe returns a line for each exported identifier of a package.
func describe(p *types.Package, name string) []string {
	w := &writer{pkg: p, prefix: "pkg " + name + ", "}
	scope := p.Scope()
	for _, id := range scope.Names() {
		object := scope.Lookup(id)
		if !object.Exported() {
			continue
		}
		switch o := object.(type) {
		case *types.Const:
			w.line("const %s %s", id, w.text(o.Type()))
			w.line("const %s = %s", id, value(o.Val()))
		case *types.Var:
			w.line("var %s %s", id, w.text(o.Type()))
		case *types.Func:
			w.line("func %s%s", id, w.signature(o.Signature()))
		case *types.TypeName:
			w.typeName(o)
		}
	}
	return w.lines
}

// value writes a constant's value exactly, a long text by its beginning and length.
func value(v constant.Value) string {
	if v.Kind() == constant.Float {
		return v.ExactString()
	}
	if v.Kind() == constant.String && len(constant.StringVal(v)) > 120 {
		return fmt.Sprintf("%q and so on, bytes: %d", constant.StringVal(v)[:100], len(constant.StringVal(v)))
	}
	return v.ExactString()
}

type writer struct {
	pkg    *types.Package
	prefix string
	lines  []string
}

func (w *writer) line(format string, args ...any) {
	w.lines = append(w.lines, w.prefix+fmt.Sprintf(format, args...))
}

// text writes a type. Names of other packages have the package's name; for another
// package of the same name the path would be needed, and there is none.
func (w *writer) text(t types.Type) string { return types.TypeString(t, w.qualify) }

func (w *writer) qualify(p *types.Package) string {
	if p == w.pkg {
		return ""
	}
	return p.Name()
}

// signature writes parameters and results without their names.
func (w *writer) signature(s *types.Signature) string {
	return w.typeParams(s.TypeParams()) + w.tuple(s.Params(), s.Variadic()) + w.results(s.Results())
}

func (w *writer) typeParams(list *types.TypeParamList) string {
	var parts []string
	for p := range list.TypeParams() {
		parts = append(parts, p.Obj().Name()+" "+w.text(p.Constraint()))
	}
	if len(parts) == 0 {
		return ""
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func (w *writer) tuple(t *types.Tuple, variadic bool) string {
	var parts []string
	for v := range t.Variables() {
		parts = append(parts, w.unnamed(v.Type()))
	}
	if variadic {
		last := len(parts) - 1
		parts[last] = "..." + strings.TrimPrefix(parts[last], "[]")
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

func (w *writer) results(t *types.Tuple) string {
	switch t.Len() {
	case 0:
		return ""
	case 1:
		return " " + w.unnamed(t.At(0).Type())
	}
	return " " + w.tuple(t, false)
}

// unnamed writes a type; the parameters of a function have no names.
func (w *writer) unnamed(t types.Type) string {
	if s, ok := t.(*types.Signature); ok {
		return "func" + w.signature(s)
	}
	return w.text(t)
}

func (w *writer) typeName(o *types.TypeName) {
	id := o.Name()
	if o.IsAlias() {
		w.line("type %s = %s", id, w.text(types.Unalias(o.Type())))
		return
	}
	named := o.Type().(*types.Named)
	id += w.typeParams(named.TypeParams())
	switch under := named.Underlying().(type) {
	case *types.Struct:
		w.structure(id, under)
	case *types.Interface:
		w.contract(id, under)
		return // its methods are listed
	case *types.Signature:
		w.line("type %s func%s", id, w.signature(under))
	default:
		w.line("type %s %s", id, w.text(under))
	}
	w.methods(named)
}

// structure lists the fields; that there are hidden ones says that no other package
// can convert to it or compare it field by field.
func (w *writer) structure(id string, s *types.Struct) {
	w.line("type %s struct", id)
	for f := range s.Fields() {
		if !f.Exported() {
			continue
		}
		if f.Embedded() {
			w.line("type %s struct, embedded %s", id, w.text(f.Type()))
		} else {
			w.line("type %s struct, %s %s", id, f.Name(), w.unnamed(f.Type()))
		}
	}
	if !types.Comparable(s) {
		return
	}
	w.line("type %s struct, comparable", id)
}

// contract lists an interface. A method that is added breaks whoever implements it,
// so that the whole set is a line, unless an unexported method keeps others from it.
func (w *writer) contract(id string, i *types.Interface) {
	var names []string
	hidden := false
	for m := range i.Methods() {
		if !m.Exported() {
			hidden = true
			continue
		}
		names = append(names, m.Name())
		w.line("type %s interface, %s%s", id, m.Name(), w.signature(m.Signature()))
	}
	slices.Sort(names)
	switch {
	case hidden:
		w.line("type %s interface, unexported methods", id)
	case !i.IsMethodSet():
		w.line("type %s %s", id, w.text(i))
	default:
		w.line("type %s interface { %s }", id, strings.Join(names, ", "))
	}
}

// methods lists the methods of a type and those that it has by embedding.
func (w *writer) methods(named *types.Named) {
	ofValue := types.NewMethodSet(named)
	ofPointer := types.NewMethodSet(types.NewPointer(named))
	for m := range ofPointer.Methods() {
		f := m.Obj().(*types.Func)
		if !f.Exported() {
			continue
		}
		receiver := "*" + named.Obj().Name()
		if ofValue.Lookup(f.Pkg(), f.Name()) != nil {
			receiver = named.Obj().Name()
		}
		w.line("method (%s) %s%s", receiver, f.Name(), w.signature(m.Type().(*types.Signature)))
	}
}
