package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// walk visits a function's body or a variable's value, a node before its children.
func (s *sites) walk(root ast.Node, in *ast.FuncType) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			s.walk(n.Body, n.Type)
			return false
		case *ast.GenDecl:
			return n.Tok == token.VAR
		case *ast.ReturnStmt:
			return s.withError(n, in)
		case *ast.BlockStmt:
			s.statements(n.List, in)
		case *ast.CaseClause:
			s.statements(n.Body, in)
		case *ast.CommClause:
			s.statements(n.Body, in)
		case *ast.IfStmt:
			s.condition(n.Cond)
		case *ast.ForStmt:
			if n.Cond != nil {
				if _, compound := ast.Unparen(n.Cond).(*ast.BinaryExpr); !compound {
					s.condition(n.Cond)
				}
			}
		case *ast.SwitchStmt:
			return s.switchOn(n, in)
		case *ast.CallExpr:
			return s.call(n, in)
		case *ast.CompositeLit:
			s.composite(n, in)
			return false
		case ast.Expr:
			return s.expression(n)
		}
		return true
	})
}

// withError leaves out the zeros that are returned with an error: no caller reads them.
func (s *sites) withError(n *ast.ReturnStmt, in *ast.FuncType) bool {
	if len(n.Results) < 2 || !s.isError(n.Results[len(n.Results)-1]) {
		return true
	}
	for _, e := range n.Results {
		if v := s.pkg.info.Types[e]; v.Value == nil || !zeroConstant(v.Value) {
			s.walk(e, in)
		}
	}
	return false
}

// isError reports an error that is not nil by the way it is written: a variable, or
// one that is made here.
func (s *sites) isError(e ast.Expr) bool {
	v := s.pkg.info.Types[e]
	if v.IsNil() || v.Type == nil || !types.Implements(v.Type, errorType) {
		return false
	}
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		name := called(call)
		return name == "Errorf" || name == "New" || name == "Join"
	}
	return true
}

var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

func zeroConstant(v constant.Value) bool {
	switch v.Kind() {
	case constant.Bool:
		return !constant.BoolVal(v)
	case constant.Int, constant.Float:
		return constant.Sign(v) == 0
	}
	return false
}

// switchOn leaves the constants of a switch with a tag as they are.
func (s *sites) switchOn(n *ast.SwitchStmt, in *ast.FuncType) bool {
	if n.Tag == nil {
		for _, clause := range n.Body.List {
			for _, cond := range clause.(*ast.CaseClause).List {
				s.condition(cond)
			}
		}
		return true
	}
	if n.Init != nil {
		s.walk(n.Init, in)
	}
	s.walk(n.Tag, in)
	for _, clause := range n.Body.List {
		body := clause.(*ast.CaseClause).Body
		s.statements(body, in)
		for _, stmt := range body {
			s.walk(stmt, in)
		}
	}
	return false
}

// call leaves out what only sets memory aside: the third argument of make and Grow,
// the second of make for what is not a slice.
func (s *sites) call(n *ast.CallExpr, in *ast.FuncType) bool {
	if s.pkg.info.Types[n].Value != nil {
		return s.expression(n)
	}
	if v := s.pkg.info.Types[n.Fun]; v.IsType() {
		for _, arg := range n.Args {
			s.walk(arg, in)
		}
		return false
	}
	name := called(n)
	if name == "Grow" {
		return false
	}
	if id, ok := n.Fun.(*ast.Ident); ok && (id.Name == "make" || id.Name == "new") {
		if _, builtin := s.pkg.info.Uses[id].(*types.Builtin); builtin {
			_, slice := s.pkg.info.Types[n].Type.Underlying().(*types.Slice)
			if slice && len(n.Args) == 2 {
				s.walk(n.Args[1], in)
			}
			return false
		}
	}
	return true
}

func called(n *ast.CallExpr) string {
	switch f := n.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// composite leaves keys as they are: most have to be constants.
func (s *sites) composite(n *ast.CompositeLit, in *ast.FuncType) {
	for _, element := range n.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			element = pair.Value
		}
		s.walk(element, in)
	}
}

// expression adds the mutants of an expression, and reports whether its parts may
// have some too.
func (s *sites) expression(e ast.Expr) bool {
	v, known := s.pkg.info.Types[e]
	if known && v.IsType() {
		return false
	}
	if v.Value != nil {
		s.constant(e, v, both)
		return false
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		s.binary(e)
		for _, operand := range []ast.Expr{e.X, e.Y} {
			if e.Op == token.LAND || e.Op == token.LOR {
				s.operand(operand)
			}
			if v := s.pkg.info.Types[operand]; v.Value != nil {
				s.constant(operand, v, besides(e, operand))
				continue
			}
			s.walk(operand, nil)
		}
		return false
	case *ast.SelectorExpr:
		s.walk(e.X, nil)
		return false
	}
	return true
}
