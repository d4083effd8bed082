package wire

import (
	"math"
	"math/bits"
	"reflect"
	"strings"

	"github.com/walletfi/walletfi-go"
)

// A Breach is a member that decides and does not keep to its declaration, in an answer
// that is read all the same. What a call refuses is an error and no Breach.
type Breach struct {
	Struct reflect.Type // that has the member
	Member string
	What   Fault
}

// Fault names how a member breaks its declaration.
type Fault string

// The faults.
const (
	Absent     Fault = "missing"
	OfNoKind   Fault = "of another kind"
	OutOfRange Fault = "out of range"
	Repeated   Fault = "repeated"
)

// bounds are those of a member, nil if it has none.
type bounds struct {
	min, max     walletfi.Decimal
	above, below float64 // nearly the same
}

func boundsOf(t Tag) *bounds {
	if t.Min.IsZero() && t.Max.IsZero() {
		return nil
	}
	b := &bounds{t.Min, t.Max, math.Inf(-1), math.Inf(1)}
	if !t.Min.IsZero() {
		b.above = t.Min.Float64()
	}
	if !t.Max.IsZero() {
		b.below = t.Max.Float64()
	}
	return b
}

// hold compares exactly, which allocates, only where a float does not say enough.
func (b *bounds) hold(number walletfi.Decimal) bool {
	if near := number.Float64(); b.above < near && near < b.below {
		return true
	}
	return (b.min.IsZero() || number.Cmp(b.min) >= 0) && (b.max.IsZero() || number.Cmp(b.max) <= 0)
}

// judge reports how a member that decides, whose value begins at from, breaks its
// declaration.
func (s *Scanner) judge(m *object, own *member, from int, again bool) {
	if again {
		s.report.Breach(Breach{m.typ, own.name, Repeated})
	}
	if s.misfit == own {
		s.misfit = nil
		s.report.Breach(Breach{m.typ, own.name, OfNoKind})
		return
	}
	if own.bounds == nil || s.failed {
		return
	}
	number, err := walletfi.NewDecimal(strings.Trim(s.text[from:s.at], `"`))
	if err == nil && !own.bounds.hold(number) {
		s.report.Breach(Breach{m.typ, own.name, OutOfRange})
	}
}

// judgeAbsent reports the members that an object must have and has not.
func (s *Scanner) judgeAbsent(m *object, absent uint64) {
	for ; absent != 0 && !s.failed; absent &= absent - 1 {
		s.report.Breach(Breach{m.typ, m.names[bits.TrailingZeros64(absent)], Absent})
	}
}
