package wire

import (
	"fmt"
	"reflect"
	"unsafe"
)

// mapOf reads an object into a map whose keys are texts.
func mapOf(t reflect.Type) reader {
	if t.Key().Kind() != reflect.String || reflect.PointerTo(t.Key()).Implements(textUnmarshaler) {
		panic(fmt.Sprintf("wire: the keys of a %s are no texts", t))
	}
	elem, strict := makeShape(t.Elem()), isStrict(t.Elem())
	return func(s *Scanner, p unsafe.Pointer) *FieldError {
		if s.Peek() != '{' {
			return s.noMembers(t)
		}
		into := reflect.NewAt(t, p).Elem()
		if into.IsNil() {
			into.Set(reflect.MakeMap(t))
		}
		s.maps++
		defer func() { s.maps-- }()
		value, n := reflect.New(t.Elem()), 0
		for more := s.Open('{'); more; more = s.Next('{') {
			key := reflect.ValueOf(s.Key()).Convert(t.Key())
			from, depth, unread, broken := s.at, s.depth, len(s.unread), len(s.broken)
			value.Elem().SetZero()
			if err := elem.read(s, value.UnsafePointer()); err != nil {
				if err.firm || strict {
					return &FieldError{joined("*", err.Path), err.Problem, true}
				}
				if elem.kind != isDecimal { // which has its text
					value.Elem().SetZero()
				}
				s.unread, s.broken, s.lost = s.unread[:unread], s.broken[:broken], true
				s.back(from, depth)
				s.Skip()
				s.spoilt = OfNoKind
			}
			s.beside(broken, "*", n, from, s.at)
			n++
			into.SetMapIndex(key, value.Elem())
		}
		if into.Len() < n {
			s.spoilt, s.lost = Repeated, true
		}
		return nil
	}
}

// noMembers passes over a null or an empty array, for a map: some languages write an empty map
// so.
func (s *Scanner) noMembers(t reflect.Type) *FieldError {
	if s.Peek() != '[' || !s.isEmpty() {
		return s.orNull(t)
	}
	s.Skip()
	return nil
}

// arrayOf reads an array of a fixed length. It passes over elements beyond that.
func arrayOf(t reflect.Type) reader {
	elem, size := makeShape(t.Elem()), t.Elem().Size()
	return func(s *Scanner, p unsafe.Pointer) *FieldError {
		if s.Peek() != '[' {
			return s.orNull(t)
		}
		n := 0
		for more := s.Open('['); more; more = s.Next('[') {
			if n++; n > t.Len() {
				s.Skip()
				continue
			}
			if err := elem.read(s, unsafe.Add(p, uintptr(n-1)*size)); err != nil {
				return err.within(fmt.Sprintf("[%d]", n-1))
			}
		}
		return nil
	}
}
