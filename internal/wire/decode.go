package wire

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/walletfi/walletfi-go"
)

// Decode reads b into v, a pointer to a zero value. Its errors name fields and never
// content. If some records of a list cannot be read, the error is a
// [*walletfi.UnreadError], and v holds the others. It is for what was stored too, and says
// nothing of opaque texts: whoever stored them was told.
func Decode(b []byte, v any) error {
	s, err := scan(b)
	if err != nil {
		return err
	}
	return s.decode(v)
}

// DecodeFields is [Decode] that reads an object into the fields of v, whatever decoder
// its type has: for that decoder. It lets the breaches through which waive does, unless it
// is nil.
func DecodeFields[T any](b []byte, v *T, waive func(Breach) bool) error {
	s, err := scan(b)
	if err != nil {
		return err
	}
	if waive != nil {
		s.report = waiver(waive)
	}
	return s.ended(objectOf(reflect.TypeFor[T]()).read(s, unsafe.Pointer(v)))
}

// A Reporter gets a member of the body's object, or of an object within it: the names
// that lead to it, the bounds of its value, and whether the members of that were reported
// too. It keeps no path. It also gets each [Breach], of objects at any depth.
type Reporter interface {
	Member(path []string, from, to int, inside bool)
	// Breach reports whether a breach is let through.
	Breach(Breach) bool
}

// Read is [Decode] of a body that does not change from here on: what is kept of it is
// not copied. It calls report, unless that is nil, for each member of the body's object,
// and of the objects within it that it reads, as deep as watch. It returns whether those
// of the body were all reported, and each of the others once.
func Read(body []byte, v any, watch int, report Reporter) (reported bool, err error) {
	s, err := scan(body)
	if err != nil {
		return false, err
	}
	s.owned, s.tells, s.report, s.watch, s.path = true, true, report, watch, s.names[:0]
	isObject := s.Peek() == '{'
	err = s.decode(v)
	return !s.doubted && (s.reported || !isObject && Usable(err)), err
}

// Unmarshal is [Decode] of what comes to a client outside of a call: a message of a
// feed, a webhook's delivery, a part that a type decodes on its own. Its errors are
// walletfi.ErrDecode, and it holds v to be complete: see [Missing].
func Unmarshal(data []byte, v any) error { return UnmarshalWaiving(data, v, nil) }

// UnmarshalWaiving is [Unmarshal] that lets the breaches through which waive does, unless
// it is nil.
func UnmarshalWaiving(data []byte, v any, waive func(Breach) bool) error {
	s, err := scan(data)
	if err == nil {
		s.tells = true
		if waive != nil {
			s.report = waiver(waive)
		}
		err = s.decode(v)
	}
	if Usable(err) {
		err = cmp.Or(Missing(v), err)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", walletfi.ErrDecode, err)
	}
	return nil
}

// waiver is a Reporter of breaches alone.
type waiver func(Breach) bool

func (waiver) Member([]string, int, int, bool) {}
func (w waiver) Breach(b Breach) bool          { return w(b) }

// DecodeCreated is [Decode] for what a call created: once its id is read, no other
// member can make an error of the creation. A value that does not fit, or that comes
// twice, leaves its field at zero, even if the field is strict.
func DecodeCreated(b []byte, v any) error {
	s, err := scan(b)
	if err != nil {
		return err
	}
	s.takesAll = true
	return s.decode(v)
}

// DecodeList reads a list element by element, for the UnmarshalJSON of a type. It
// leaves out the elements that cannot be read: then the error is a
// [*walletfi.UnreadError].
func DecodeList[T any](b []byte, list *[]T) error {
	*list = nil
	s, err := scan(b)
	if err != nil {
		return err
	}
	s.tells = true
	return s.decode((*recordList[T])(list))
}

// recordList is a list of which each element is read on its own.
type recordList[T any] []T

// ReadWire reads the list.
func (r *recordList[T]) ReadWire(s *Scanner) error { return ReadRecords(s, (*[]T)(r)) }

// Records is an answer that is a list itself.
type Records[T any] struct{ All []T }

// ReadWire reads the list.
func (r *Records[T]) ReadWire(s *Scanner) error { return ReadRecords(s, &r.All) }

// Keep returns a copy of b: for the UnmarshalJSON of a type that also holds its
// JSON as it came.
func Keep(b []byte) walletfi.Document { return slices.Clone(b) }

func (s *Scanner) decode(v any) error {
	target := reflect.ValueOf(v)
	if target.Kind() != reflect.Pointer || target.IsNil() {
		return fmt.Errorf("wire: a %T cannot be read into", v)
	}
	return s.ended(shapeOf(target.Type().Elem()).read(s, target.UnsafePointer()))
}

// ended is the error of a decoder that has read the body's value, with wrong.
func (s *Scanner) ended(wrong *FieldError) error {
	if wrong != nil {
		if err := syntaxError(s.body); err != nil {
			return err
		}
		return wrong
	}
	if err := s.end(); err != nil {
		return err
	}
	for _, fault := range s.broken {
		if fault.firm {
			return fault
		}
	}
	s.beside(0, "", 0, 0, len(s.body))
	return s.unreadError()
}

func (s *Scanner) unreadError() error {
	if len(s.unread) == 0 {
		return nil
	}
	return &walletfi.UnreadError{Records: s.unread}
}

// A Wire type reads itself from a scanner, as a part of the one pass over the body. It
// has no json.Unmarshaler's disadvantage of being read twice.
type selfReader interface{ ReadWire(*Scanner) error }

// Reader makes the reader of a public type, which cannot have a method for it: read is
// called wherever a T is to be read, and T's UnmarshalJSON is not.
func Reader[T any](read func(*Scanner, *T) error) {
	t := reflect.TypeFor[T]()
	own[t] = func(s *Scanner, p unsafe.Pointer) *FieldError {
		from := s.at
		return s.byItself(t, from, read(s, (*T)(p)))
	}
}

// BytesReader makes the reader of a public type that is decoded from its bytes. decode lets
// the breaches through which waive does, unless it is nil.
func BytesReader[T any](decode func(v *T, b []byte, waive func(Breach) bool) error) {
	Reader(func(s *Scanner, v *T) error {
		from := s.at
		if s.Skip(); s.failed {
			return ErrSyntax
		}
		return decode(v, s.body[from:s.at:s.at], s.Waives)
	})
}

// own are the readers of types that have one of their own. It is filled before main.
var own = map[reflect.Type]reader{}

// Value reads a value of any type, as a part of the pass.
func Value[T any](s *Scanner, v *T) error {
	return s.result(shapeOf(reflect.TypeFor[T]()).read(s, unsafe.Pointer(v)))
}

// Fields reads an object into the fields of v, whatever decoder its type has.
func Fields[T any](s *Scanner, v *T) error {
	return s.result(objectOf(reflect.TypeFor[T]()).read(s, unsafe.Pointer(v)))
}

// KeptFields is [Fields] that keeps the object in raw too.
func KeptFields[T any](s *Scanner, v *T, raw *walletfi.Document) error {
	from := s.at
	err := Fields(s, v)
	if err == nil {
		*raw = s.Kept(from)
	}
	return err
}

// ReadRecords reads a list element by element. It leaves out those that cannot be read.
func ReadRecords[T any](s *Scanner, list *[]T) error {
	return s.result(made(&records, reflect.TypeFor[[]T](), recordsOf)(s, unsafe.Pointer(list)))
}

// Decimal reads a number, bare or quoted. It returns false, and leaves d as it is, if
// something else is there; it passes over that.
func (s *Scanner) Decimal(d *walletfi.Decimal) bool {
	if s.decimal(d) {
		return true
	}
	from, depth := s.at, s.depth
	if readDecimal(s, unsafe.Pointer(d)) == nil {
		return true
	}
	s.back(from, depth)
	s.Skip()
	return false
}

// Time reads a time that decides: what walletfi.Time reads, if it is one of an answer.
func (s *Scanner) Time(t *walletfi.Time) error {
	from := s.at
	err := readTime(s, unsafe.Pointer(t))
	if err == nil && !s.failed && (&member{quantity: aTime}).wrong(s.text[from:s.at]) != "" {
		err = misfit(s.text[from:], reflect.TypeFor[walletfi.Time]())
	}
	return s.result(err)
}

// Member returns the text of a member of the object that is next, without reading it.
func (s *Scanner) Member(name string) (text string) {
	if t, ok := s.find(name); ok {
		text, _ = t.ifPlain()
	}
	return text
}

// Has reports whether the object that is next has a member, be it null.
func (s *Scanner) Has(name string) bool {
	_, ok := s.find(name)
	return ok
}

// find returns a scanner at the value of a member of the object that is next.
func (s *Scanner) find(name string) (t Scanner, ok bool) {
	t = *s
	if t.Peek() != '{' {
		return t, false
	}
	for more := t.Open('{'); more; more = t.Next('{') {
		if t.Key() == name {
			return t, true
		}
		t.Skip()
	}
	return t, false
}

// Unread are the records that could not be read so far.
func (s *Scanner) Unread() []*walletfi.RecordError { return s.unread }

// result is err for a reader outside of this package. After a failure it is never nil.
func (s *Scanner) result(err *FieldError) error {
	if err != nil {
		return err
	}
	if s.failed {
		return ErrSyntax
	}
	return nil
}

// byItself takes the error of a type's own reader, of the value that begins at from.
func (s *Scanner) byItself(t reflect.Type, from int, err error) *FieldError {
	if err == nil || s.failed {
		return nil
	}
	if unread, ok := errors.AsType[*walletfi.UnreadError](err); ok {
		s.unread = append(s.unread, unread.Records...)
		return nil
	}
	if own, ok := err.(*FieldError); ok {
		return own
	}
	return describe(err, s.text[from:], t)
}
