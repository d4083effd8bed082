package jsonscan

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"unsafe"
)

// Shape reads objects into a struct, as the struct's json tags say. A tag is
// the only place that names a member: a field that is added is read from then
// on, or New panics because it has no reader for the field's type.
//
//	var poolShape = jsonscan.New[Pool]()
//	...
//	poolShape.Read(s, &pool)
type Shape[T any] struct{ *members }

// New makes the shape of T. A reader in options is used for the fields of its
// type, in T and in the structs within T.
//
// It panics if a field's type has no reader. Shapes are package variables, so
// that no program starts with such a field.
func New[T any](options ...Option) *Shape[T] {
	var o settings
	for _, option := range options {
		option(&o)
	}
	m := membersOf(reflect.TypeFor[T](), &o)
	for _, alias := range o.aliases {
		m.alias(alias[0], alias[1])
	}
	if o.whole {
		m.due = m.bits
	}
	return &Shape[T]{m}
}

// Read reads an object into what into points to. It fails on a name that comes
// twice.
func (h *Shape[T]) Read(s *Scanner, into *T) { h.read(s, unsafe.Pointer(into)) }

// List reads an array of objects. What it sets is never nil.
func (h *Shape[T]) List(s *Scanner, into *[]T) {
	list := []T{}
	for more := s.Open('['); more; more = s.Next('[') {
		list = Extend(list)
		h.Read(s, &list[len(list)-1])
	}
	*into = list
}

// Option changes how New makes a shape.
type Option func(*settings)

type settings struct {
	readers map[reflect.Type]reader
	refused []string
	aliases [][2]string
	whole   bool
}

// Reader gives fields of type F a reader of their own.
func Reader[F any](read func(*Scanner, *F)) Option {
	return func(o *settings) {
		if o.readers == nil {
			o.readers = map[reflect.Type]reader{}
		}
		o.readers[reflect.TypeFor[F]()] = typed(read)
	}
}

// Refuse makes a shape fail on a member that T does not have.
func Refuse(names ...string) Option {
	return func(o *settings) { o.refused = append(o.refused, names...) }
}

// Alias reads a member of that name into the field of another member of T. The scan
// fails if both of them say something.
func Alias(name, of string) Option {
	return func(o *settings) { o.aliases = append(o.aliases, [2]string{name, of}) }
}

// Whole makes a shape fail on an object that lacks a member of T, or whose value is
// null.
func Whole() Option { return func(o *settings) { o.whole = true } }

// members are the members of one struct, in a hash table.
type members struct {
	table   [tableSize]member
	names   []string // all of them, and the refused ones
	isLower bool     // no name has an upper-case letter
	bits    uint64   // of all members
	due     uint64   // of those that an object must have
	first   place    // of the member that came first in the latest object
}

type member struct {
	name   string
	text   string // the name in quotes, and the colon
	offset uintptr
	kind   kind
	read   reader
	bit    uint64 // of its place in the table
	next   place  // of the member that came after it in the latest object
}

// place is an index of the table. Objects of a body have their members in the same
// order as a rule, so that each tells which one to expect.
type place struct{ atomic.Uint32 }

func (p *place) set(at uint32) {
	if p.Load() != at {
		p.Store(at)
	}
}

// tableSize leaves half of the places free.
const tableSize = 64

// reader reads a value into the field at an address.
type reader func(s *Scanner, field unsafe.Pointer)

func typed[F any](read func(*Scanner, *F)) reader {
	return func(s *Scanner, field unsafe.Pointer) { read(s, (*F)(field)) }
}

func (m *members) read(s *Scanner, object unsafe.Pointer) {
	var seen uint64
	expected := &m.first
	for more := s.Open('{'); more; more = s.Next('{') {
		own := &m.table[expected.Load()]
		if !s.take(own.text) {
			name := s.Key()
			at, known := m.find(name)
			if !known {
				m.other(s, name)
				continue
			}
			expected.set(at)
			own = &m.table[at]
		}
		expected = &own.next
		if seen&own.bit != 0 {
			s.Fail()
		}
		seen |= own.bit
		if m.due != 0 && s.Peek() == 'n' {
			s.Fail()
		}
		field := unsafe.Add(object, own.offset)
		switch own.kind {
		case isDecimal:
			s.Decimal((*decimal)(field))
		case isText:
			s.String((*string)(field))
		default:
			own.read(s, field)
		}
	}
	if seen&m.due != m.due {
		s.Fail()
	}
}

// other passes over a member that is not the struct's.
func (m *members) other(s *Scanner, name string) {
	if m.isLower {
		s.OtherLower(name, m.names...)
		return
	}
	s.Other(name, m.names...)
}

// find returns the place of the member of that name, false if there is none.
func (m *members) find(name string) (at uint32, known bool) {
	for at = slot(name); ; at++ {
		own := &m.table[at%tableSize]
		if own.name == name && own.kind != 0 {
			return at % tableSize, true
		}
		if own.kind == 0 {
			return 0, false
		}
	}
}

// slot is where the search for a name begins.
func slot(name string) uint32 {
	n := uint32(len(name))
	if n == 0 {
		return 0
	}
	mixed := uint32(name[0]) | uint32(name[n/2])<<8 | uint32(name[n-1])<<16 | n<<24
	return mixed * 2654435761 >> 26 // by the golden ratio: the highest bits depend on all
}

// membersOf makes the table of a struct type.
func membersOf(t reflect.Type, o *settings) *members {
	if t.NumField() > tableSize/2 {
		panic(fmt.Sprintf("jsonscan: %s has more than %d fields", t, tableSize/2))
	}
	m := &members{names: slices.Clone(o.refused)}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, tagged := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" && !tagged || !f.IsExported() && !f.Anonymous {
			continue
		}
		if name == "" || strings.Contains(options, "string") {
			panic(fmt.Sprintf("jsonscan: %s.%s needs a json tag with a name and without options", t, f.Name))
		}
		kind, read := readerOf(f.Type, o)
		if kind == 0 {
			panic(fmt.Sprintf("jsonscan: %s.%s: a %s has no reader", t, f.Name, f.Type))
		}
		m.bits |= m.add(name, f.Offset, kind, read)
	}
	joined := strings.Join(m.names, "")
	m.isLower = joined == strings.ToLower(joined) && len(o.refused) == 0
	return m
}

// alias gives a member a second name. Its reader fails if the field was set before.
func (m *members) alias(name, of string) {
	at, known := m.find(of)
	if !known || m.table[at].kind != isText {
		panic(fmt.Sprintf("jsonscan: an alias of %s, which is no text", of))
	}
	m.add(name, m.table[at].offset, isText, nil)
	m.isLower = m.isLower && name == strings.ToLower(name)
}

// add puts a member into the first free place after its name's slot, and returns its
// bit.
func (m *members) add(name string, offset uintptr, kind kind, read reader) uint64 {
	at := slot(name) % tableSize
	for m.table[at].kind != 0 {
		at = (at + 1) % tableSize
	}
	m.table[at] = member{name: name, text: `"` + name + `":`, offset: offset, kind: kind, read: read, bit: 1 << at}
	m.names = append(m.names, name)
	return m.table[at].bit
}
