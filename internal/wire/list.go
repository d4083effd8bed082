package wire

import (
	"errors"
	"reflect"
	"slices"
	"strconv"
	"unsafe"

	"github.com/walletfi/walletfi-go"
)

// list is the compiled reader of a slice.
type list struct {
	typ  reflect.Type // of the slice
	elem *shape
	size uintptr // of an element

	identity identity // of a record, nil if no two can be told to be one
}

// slice has the layout of any slice in memory.
type slice struct {
	data     unsafe.Pointer
	len, cap int
}

func makeList(t reflect.Type) *list {
	return &list{typ: t, elem: makeShape(t.Elem()), size: t.Elem().Size(), identity: identityOf(t.Elem())}
}

// read reads an array. What it sets is never nil.
func (l *list) read(s *Scanner, p unsafe.Pointer) *FieldError {
	if s.Peek() != '[' {
		return s.orNull(l.typ)
	}
	g := s.grow(l)
	from, elem := s.at, l.elem
	for more := s.Open('['); more; more = s.Next('[') {
		broken := len(s.broken)
		if elem.fields != nil && s.Peek() == 'n' {
			s.judgeAbsent(elem.fields, elem.fields.expects)
		}
		if err := elem.value(s, g.next(s, from)); err != nil {
			g.room.busy, g.room.free = false, slice{} // what was begun in it is not zero
			return err.within("[" + strconv.Itoa(g.len-1) + "]")
		}
		if len(s.broken) > broken {
			s.nameBroken(broken, "["+strconv.Itoa(g.len-1)+"]")
		}
	}
	*(*slice)(p) = g.end()
	return nil
}

// orNull passes over a null, for a list. An empty object is no list: it says nothing of how
// many elements there are.
func (s *Scanner) orNull(t reflect.Type) *FieldError {
	if s.Peek() != 'n' {
		return misfit(s.text[s.at:], t)
	}
	s.Skip()
	return nil
}

var errNullRecord = errors.New("null in place of a record")

// recordsOf reads a list of type t element by element. It leaves out those that cannot
// be read.
func recordsOf(t reflect.Type) reader {
	l := makeList(t)
	return func(s *Scanner, p unsafe.Pointer) *FieldError {
		if s.Peek() != '[' {
			return s.orNull(t)
		}
		g := s.grow(l)
		from, n := s.at, 0
		for more := s.Open('['); more; more = s.Next('[') {
			s.record(&g, from, n)
			n++
		}
		*(*slice)(p) = g.end()
		return nil
	}
}

// Many is a value that holds an array of records, a single record or null.
type Many[T any] struct{ items []T }

// Items returns the records.
func (m *Many[T]) Items() []T { return m.items }

// A selfCompiler is a type of this package that makes its own reader.
type selfCompiler interface{ compiled() reader }

func (Many[T]) compiled() reader {
	t := reflect.TypeFor[[]T]()
	several, single := recordsOf(t), makeList(t)
	return func(s *Scanner, p unsafe.Pointer) *FieldError {
		if s.Peek() != '{' {
			return several(s, p)
		}
		one := s.one(single)
		*(*slice)(p) = slice{one, 1, 1}
		from, broken := s.at, len(s.broken)
		err := single.elem.value(s, one)
		s.beside(broken, "", 0, from, s.at)
		return err
	}
}

// record reads the element n of a list of records.
func (s *Scanner) record(g *growth, start, n int) {
	from, depth, unread, broken, lost := s.at, s.depth, len(s.unread), len(s.broken), s.lost
	var problem error
	if s.Peek() == 'n' {
		problem = errNullRecord
	} else if err := g.list.elem.value(s, g.next(s, start)); err != nil {
		problem = err
		g.drop()
	} else if g.repeats() {
		problem = ErrRepeated
		g.drop()
	}
	if problem == nil {
		for _, record := range s.unread[unread:] {
			record.List = joined("["+strconv.Itoa(n)+"]", record.List)
		}
		s.beside(broken, "", n, from, s.at)
		return
	}
	s.unread, s.broken, s.lost = s.unread[:unread], s.broken[:broken], lost
	s.back(from, depth)
	s.Skip()
	if !s.failed {
		raw := slices.Clone(s.body[from:s.at])
		s.unread = append(s.unread, &walletfi.RecordError{Index: n, Raw: raw, Err: problem})
	}
}
