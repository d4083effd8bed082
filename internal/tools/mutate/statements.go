package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"
)

// statements adds what can be left out of a list of statements, and other results.
func (s *sites) statements(list []ast.Stmt, in *ast.FuncType) {
	for _, stmt := range list {
		if s.removable(stmt) {
			id := s.add("remove", stmt)
			s.around(stmt, fmt.Sprintf("if !%s.On(%d) { ", live, id), " }")
		}
		if r, ok := stmt.(*ast.ReturnStmt); ok && in != nil {
			s.results(r, in)
		}
	}
}

func (s *sites) removable(stmt ast.Stmt) bool {
	switch stmt := stmt.(type) {
	case *ast.ExprStmt:
		call, ok := stmt.X.(*ast.CallExpr)
		return !ok || !ends[called(call)]
	case *ast.SendStmt, *ast.IncDecStmt, *ast.DeferStmt, *ast.GoStmt:
		return true
	}
	return false
}

// ends are calls after which a function needs no return, or that set memory aside.
var ends = map[string]bool{"panic": true, "Exit": true, "Goexit": true, "Grow": true, "KeepAlive": true}

// results swaps each result for zero, and those of a call that returns several for
// zeros.
func (s *sites) results(r *ast.ReturnStmt, in *ast.FuncType) {
	declared := s.resultTypes(in)
	switch {
	case len(r.Results) == 0:
		return
	case len(r.Results) != len(declared):
		var variables, names []string
		for i, t := range declared {
			names = append(names, fmt.Sprintf("mutant%d", i))
			variables = append(variables, fmt.Sprintf("var %s %s; ", names[i], t))
		}
		id := s.add("return zero", r)
		s.around(r,
			fmt.Sprintf("if %s.On(%d) { %sreturn %s }; ", live, id, strings.Join(variables, ""), strings.Join(names, ", ")), "")
		return
	}
	calls := len(r.Results) > 1 && slices.ContainsFunc(r.Results, hasCall)
	for i, e := range r.Results {
		if s.zero(e) {
			continue
		}
		id := s.add("return zero", e)
		if !calls {
			s.around(e, fmt.Sprintf("%s.Zero[%s](%d, ", live, declared[i], id), ")")
			continue
		}
		// A call may change a variable of the same return: do not read that early.
		var others []string
		for j, other := range r.Results {
			others = append(others, oneLine([]byte(s.text(other))))
			if i == j {
				others[j] = "mutant"
			}
		}
		s.around(
			r, fmt.Sprintf("if %s.On(%d) { var mutant %s; return %s }; ", live, id, declared[i], strings.Join(others, ", ")), "",
		)
	}
}

func hasCall(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		_, call := n.(*ast.CallExpr)
		found = found || call
		return !found
	})
	return found
}

func (s *sites) resultTypes(in *ast.FuncType) []string {
	var list []string
	if in.Results == nil {
		return nil
	}
	for _, field := range in.Results.List {
		for range max(1, len(field.Names)) {
			list = append(list, oneLine([]byte(s.text(field.Type))))
		}
	}
	return list
}

// zero reports whether e is written as a zero value, or is a truth, which is negated.
func (s *sites) zero(e ast.Expr) bool {
	v := s.pkg.info.Types[e]
	if v.IsNil() {
		return true
	}
	if v.Value != nil {
		switch v.Value.Kind() {
		case constant.Bool:
			return true
		case constant.String:
			return constant.StringVal(v.Value) == ""
		default:
			return constant.Sign(v.Value) == 0
		}
	}
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok || len(lit.Elts) > 0 {
		return false
	}
	switch v.Type.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}
