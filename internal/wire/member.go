package wire

import (
	"math/bits"
	"reflect"
	"strings"
	"unsafe"

	"github.com/walletfi/walletfi-go"
)

// read reads an object into the struct at p.
func (m *object) read(s *Scanner, p unsafe.Pointer) *FieldError {
	if s.Peek() != '{' {
		return m.other(s, p)
	}
	if m.keeps == keepsNothing || m.keeps == keepsLoss && s.maps > 0 {
		return m.members(s, p)
	}
	from, outer := s.at, s.lost
	s.lost = false
	err := m.members(s, p)
	if m.keeps == keepsAll || s.lost {
		if err == nil && !s.failed {
			*(*walletfi.Document)(unsafe.Add(p, m.raw)) = s.Kept(from)
		}
	}
	s.lost = outer
	return err
}

// other passes over what is no object.
func (m *object) other(s *Scanner, p unsafe.Pointer) *FieldError {
	from := s.at
	switch {
	case s.Null():
	case s.Peek() == '[' && m.must == 0 && s.isEmpty():
		s.Skip()
		s.judgeAbsent(m, m.expects)
	default:
		return misfit(s.text[from:], m.typ)
	}
	if m.keeps == keepsAll && !s.failed {
		*(*walletfi.Document)(unsafe.Add(p, m.raw)) = s.Kept(from)
	}
	return nil
}

// isEmpty reports whether the object or array that is next has nothing in it.
func (s *Scanner) isEmpty() bool {
	end := Space(s.body, s.at+1)
	return end < len(s.body) && s.body[end] == s.body[s.at]+2
}

func (m *object) members(s *Scanner, p unsafe.Pointer) *FieldError {
	var seen, void, exact uint64
	top, start := s.depth, s.at
	reports := top < s.watch && top == len(s.path)
	last := &m.first
	expected := last.Load()
	for named := s.enter(expected); named != ended; named = s.next(expected) {
		own := expected
		if named == otherwise {
			if own = m.seek(s, start, &exact, reports); own == nil {
				continue
			}
			last.set(own)
		}
		last, expected = &own.next, own.next.Load()
		if reports {
			s.begin(own, named)
		}
		from, quick := s.at, seen&own.bit == 0
		if quick {
			switch field := unsafe.Add(p, own.offset); own.kind {
			case isText:
				var text string
				if text, quick = s.ifPlain(); quick {
					*(*string)(field) = text
					quick = text != "" // which says nothing
				}
			case isDecimal:
				quick = s.decimal((*walletfi.Decimal)(field))
			default:
				quick = own.kind.quick(s, field)
			}
		}
		if !quick && s.at == from {
			if err := own.read(s, m, p, seen&own.bit != 0); err != nil {
				return err
			}
		}
		if m.judged&own.bit != 0 && (!quick || own.picky || s.at-from > shortNumber) {
			s.judge(m, own, unsafe.Add(p, own.offset), from, seen&own.bit != 0)
		}
		seen |= own.bit
		if !quick && (m.must|m.expects)&own.bit != 0 && !own.says(s.text[from:s.at]) {
			void |= own.bit
		}
		if reports && !s.failed {
			s.report.Member(s.path[:top+1], from, s.at, s.inside)
			s.path = s.path[:top]
		}
	}
	if reports {
		s.inside, s.reported = true, s.reported || top == 0
	}
	return m.whole(s, seen&^void)
}

// whole holds what an object had against what it must have.
func (m *object) whole(s *Scanner, had uint64) *FieldError {
	s.judgeAbsent(m, m.expects&^had)
	for missing := m.must &^ had; missing != 0 && !s.takesAll && !s.failed; missing &= missing - 1 {
		name := m.names[bits.TrailingZeros64(missing)]
		if !s.Waives(Breach{m.typ, name, Absent, false}) {
			return &FieldError{name, "must be there, and is missing", true}
		}
	}
	return nil
}

// begin notes that the value of a member is read next, whose name, if it is not written
// as expected, seek has read.
func (s *Scanner) begin(own *member, named naming) {
	name := own.name
	if named == otherwise {
		name = s.name
	}
	s.path, s.inside = append(s.path[:s.depth-1], name), false
}

// seek reads a name at which another one was expected, and returns its member. If there
// is none, or if the object, which begins at start, has it under its very name too, it
// passes over the value and returns nil.
func (m *object) seek(s *Scanner, start int, exact *uint64, reports bool) *member {
	name := s.Key()
	s.name = name
	if own := m.find(name); own != nil {
		return own
	}
	if own := m.alike(name); own != nil {
		if *exact = m.exact(s, start, *exact); *exact&own.bit == 0 {
			return own
		}
	}
	from := s.at
	s.Skip()
	s.strange++
	if reports && !s.failed {
		s.report.Member(append(s.path, name), from, s.at, false)
	}
	return nil
}

// saysSomething reports whether a value is neither null nor an empty text.
func saysSomething(value string) bool { return value != "null" && value != `""` }

// says is saysSomething, for which no bytes are some, and null may be.
func (own *member) says(value string) bool {
	if own.null && value == "null" {
		return true
	}
	isHex := own.quantity == aHex && own.bytes == 0
	isBytes := isHex || own.quantity == aCode || own.shape.typ == reflect.TypeFor[[]byte]()
	return saysSomething(value) || value == `""` && isBytes
}

// read reads a member's value into the struct at p, which m reads.
func (own *member) read(s *Scanner, m *object, p unsafe.Pointer, again bool) (err *FieldError) {
	from, depth, field := s.at, s.depth, unsafe.Add(p, own.offset)
	unread, broken, outer := len(s.unread), len(s.broken), s.spoilt
	s.spoilt = ""
	if again { // the last one counts, if any does
		if own.once && s.holds(m, own, Repeated) {
			return &FieldError{own.name, "comes twice", true}
		}
		own.shape.zero(field)
		s.lost = true
		s.tell(m, own, Repeated)
		if own.once {
			s.Skip()
			return nil
		}
	}
	if inner := own.shape.object; inner != nil && s.Peek() == '{' {
		err = inner.members(s, field)
	} else {
		err = own.shape.read(s, field)
	}
	if err == nil {
		if len(s.unread) > unread {
			for _, record := range s.unread[unread:] {
				record.List = joined(own.name, record.List)
			}
		}
		s.nameBroken(broken, own.name)
		if !s.failed && own.isAnother(s.text[from]) {
			s.spoilt = OfNoKind // although it is read
		}
		if s.spoilt != "" {
			s.tell(m, own, s.spoilt)
		}
		s.spoilt = outer
		return nil
	}
	if own.firm || (own.strict || err.firm) && s.holds(m, own, OfNoKind) {
		return &FieldError{joined(own.name, err.Path), err.Problem, true}
	}
	if own.kind != isDecimal { // which has its text
		own.shape.zero(field)
	}
	s.unread, s.broken = s.unread[:unread], s.broken[:broken]
	s.back(from, depth)
	s.doubted = s.doubted || s.watch > depth && len(s.path) >= depth && s.Peek() == '{'
	s.Skip()
	s.lost, s.misfit, s.spoilt = true, own, outer
	s.tell(m, own, OfNoKind)
	return nil
}

// isAnother reports whether a value that was read is of another kind by its first byte: a text that is
// no text, or an object that is an array.
func (own *member) isAnother(first byte) bool {
	kind := own.shape.typ.Kind()
	return own.kind == isText && first != '"' && first != 'n' ||
		first == '[' && (own.shape.fields != nil || kind == reflect.Map)
}

// back goes back to where a value begins.
func (s *Scanner) back(from, depth int) {
	if !s.failed {
		s.at, s.depth = from, depth
	}
}

func (h *shape) zero(p unsafe.Pointer) { reflect.NewAt(h.typ, p).Elem().SetZero() }

// alike finds the member that encoding/json, which ignores case, takes a name for.
func (m *object) alike(name string) *member {
	plain, lower := isPlainName(name)
	if m.isLower && lower {
		return nil
	}
	for _, own := range m.names {
		// Beyond ASCII, names of different length can be equal.
		if (len(own) == len(name) || !plain) && strings.EqualFold(own, name) {
			return m.find(own)
		}
	}
	return nil
}

// isPlainName reports whether a name is ASCII, and whether it has no upper-case letter
// either.
func isPlainName(name string) (plain, lower bool) {
	lower = true
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 0x80:
			return false, false
		case c >= 'A' && c <= 'Z':
			lower = false
		}
	}
	return true, lower
}

// looked says that the exact names of an object are known.
const looked = 1 << 63

// exact returns the bits of the members that the object at start has under their very
// names.
func (m *object) exact(s *Scanner, start int, known uint64) uint64 {
	if known != 0 {
		return known
	}
	t := *s
	t.at, t.depth = start, s.depth-1
	for more := t.Open('{'); more; more = t.Next('{') {
		if own := m.find(t.Key()); own != nil {
			known |= own.bit
		}
		t.Skip()
	}
	return known | looked
}
