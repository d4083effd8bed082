package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// condition adds the mutants of a condition as a whole. Of a look at an error there
// is only one, by binary: the error is ignored.
func (s *sites) condition(e ast.Expr) {
	b, compound := ast.Unparen(e).(*ast.BinaryExpr)
	if compound && s.ofError(b) {
		return
	}
	if !compound {
		s.instead("negate", e, "!("+oneLine([]byte(s.text(e)))+")")
	}
}

// operand negates an operand of && or ||, if it is no comparison, which is negated
// by itself.
func (s *sites) operand(e ast.Expr) {
	if _, compound := ast.Unparen(e).(*ast.BinaryExpr); !compound {
		s.instead("negate", e, "!("+oneLine([]byte(s.text(e)))+")")
	}
}

// ofError reports whether an error is compared with nil.
func (s *sites) ofError(b *ast.BinaryExpr) bool {
	if b.Op != token.EQL && b.Op != token.NEQ {
		return false
	}
	x, y := s.pkg.info.Types[b.X], s.pkg.info.Types[b.Y]
	return y.IsNil() && types.Identical(x.Type, types.Universe.Lookup("error").Type())
}

var boundaries = map[token.Token]token.Token{
	token.LSS: token.LEQ,
	token.LEQ: token.LSS,
	token.GTR: token.GEQ,
	token.GEQ: token.GTR,
}

var arithmetic = map[token.Token]string{
	token.ADD: "Add", token.SUB: "Sub", token.MUL: "Mul", token.QUO: "Quo", token.REM: "Rem",
	token.AND: "And", token.OR: "Or", token.XOR: "Xor",
}

func (s *sites) binary(b *ast.BinaryExpr) {
	x, y := oneLine([]byte(s.text(b.X))), oneLine([]byte(s.text(b.Y)))
	switch b.Op {
	case token.LAND, token.LOR:
		other := token.LAND
		if b.Op == token.LAND {
			other = token.LOR
		}
		s.instead("logical", b, "("+x+") "+other.String()+" ("+y+")")
	case token.EQL, token.NEQ:
		if s.ofError(b) {
			s.instead("ignore error", b, fmt.Sprint(b.Op == token.EQL))
			return
		}
		other := token.NEQ
		if b.Op == token.NEQ {
			other = token.EQL
		}
		s.instead("negate", b, x+" "+other.String()+" "+y)
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		s.instead("boundary", b, x+" "+boundaries[b.Op].String()+" "+y)
		s.instead("negate", b, "!("+x+" "+b.Op.String()+" "+y+")")
	default:
		s.calculate(b)
	}
}

// calculate makes an operator the call of a function that knows the other one too.
func (s *sites) calculate(b *ast.BinaryExpr) {
	function, ok := arithmetic[b.Op]
	t, _ := s.pkg.info.Types[b].Type.Underlying().(*types.Basic)
	if !ok || t == nil || t.Info()&types.IsNumeric == 0 || t.Info()&(types.IsUntyped|types.IsComplex) != 0 {
		return
	}
	if _, generic := s.pkg.info.Types[b].Type.(*types.TypeParam); generic || s.shifts(b.X) || s.shifts(b.Y) {
		return
	}
	id := s.add("arithmetic", b)
	s.around(b, fmt.Sprintf("%s.%s(%d, ", live, function, id), ")")
	at := s.offset(b.OpPos)
	s.edits.replace(at, at+len(b.Op.String()), ",")
}

// shifts reports whether e is a shift whose type may come from around it.
func (s *sites) shifts(e ast.Expr) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	return ok && s.pkg.info.Types[e].Value == nil &&
		(b.Op == token.SHL || b.Op == token.SHR || s.shifts(b.X) || s.shifts(b.Y))
}

// direction says which neighbours of a constant are no mutant of another kind.
type direction int

const (
	both direction = iota
	more
	less
)

// besides is the direction for the constant operand e of b: if it is compared, the
// boundary's mutant is the other one.
func besides(b *ast.BinaryExpr, e ast.Expr) direction {
	op := b.Op
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
	default:
		return both
	}
	if e == b.X { // mirrored
		op = map[token.Token]token.Token{
			token.LSS: token.GTR,
			token.LEQ: token.GEQ,
			token.GTR: token.LSS,
			token.GEQ: token.LEQ,
		}[op]
	}
	if op == token.LSS || op == token.GEQ {
		return less
	}
	return more
}

// constant adds the neighbours of a number and the opposite of a truth.
func (s *sites) constant(e ast.Expr, v types.TypeAndValue, which direction) {
	basic, ok := v.Type.Underlying().(*types.Basic)
	if _, generic := v.Type.(*types.TypeParam); !ok || generic {
		return
	}
	if basic.Info()&types.IsBoolean != 0 {
		if name := s.typeName(v.Type); name == "bool" || basic.Kind() == types.UntypedBool {
			id := s.add("negate", e)
			s.around(e, "(", fmt.Sprintf(" != %s.On(%d))", live, id))
		}
		return
	}
	if basic.Info()&types.IsNumeric == 0 || basic.Info()&types.IsComplex != 0 {
		return
	}
	name := s.typeName(v.Type)
	if name == "" {
		return
	}
	zero := constant.Sign(v.Value) == 0
	if name == "time.Duration" && !zero { // a nanosecond more is no other timeout
		if which == both {
			id := s.add("double", e)
			s.around(e, fmt.Sprintf("%s.Twice(%d, %s(", live, id, name), "))")
		}
		return
	}
	if which != less {
		id := s.add("+1", e)
		s.around(e, fmt.Sprintf("%s.More(%d, %s(", live, id, name), "))")
	}
	if which == less {
		id := s.add("-1", e)
		s.around(e, fmt.Sprintf("%s.Less(%d, %s(", live, id, name), "))")
	}
}
