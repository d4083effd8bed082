package jsonscan

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// Shape reads objects into a struct, as the struct's json tags say. A tag is
// the only place that names a member: a field that is added is read from then
// on, or New panics because it has no reader for the field's type.
//
//	var poolShape = jsonscan.New[Pool]()
//	...
//	poolShape.Read(s, &pool)
type Shape[T any] struct{ members }

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
	return &Shape[T]{*m}
}

// Read reads an object into what into points to. It fails on a name that comes
// twice.
func (h *Shape[T]) Read(s *Scanner, into *T) { h.read(s, unsafe.Pointer(into)) }

// Option changes how New makes a shape.
type Option func(*settings)

type settings struct {
	readers map[reflect.Type]reader
	refused []string
	aliases [][2]string
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

// members are the members of one struct, in a hash table.
type members struct {
	table   [tableSize]member
	names   []string // all of them, and the refused ones
	isLower bool     // no name has an upper-case letter
}

type member struct {
	name   string
	offset uintptr
	kind   kind
	read   reader
	bit    uint64 // of its place in the table
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
	for more := s.Open('{'); more; more = s.Next('{') {
		name := s.Key()
		own := m.find(name)
		if own == nil {
			m.other(s, name)
			continue
		}
		if seen&own.bit != 0 {
			s.Fail()
		}
		seen |= own.bit
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
}

// other passes over a member that is not the struct's.
func (m *members) other(s *Scanner, name string) {
	if m.isLower {
		s.OtherLower(name, m.names...)
		return
	}
	s.Other(name, m.names...)
}

// find returns the member of that name, nil if there is none.
func (m *members) find(name string) *member {
	for at := slot(name); ; at++ {
		own := &m.table[at%tableSize]
		if own.name == name && own.kind != 0 {
			return own
		}
		if own.kind == 0 {
			return nil
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
		own := member{name: name, offset: f.Offset}
		own.kind, own.read = readerOf(f.Type, o)
		if own.kind == 0 {
			panic(fmt.Sprintf("jsonscan: %s.%s: a %s has no reader", t, f.Name, f.Type))
		}
		m.place(own)
		m.names = append(m.names, name)
	}
	joined := strings.Join(m.names, "")
	m.isLower = joined == strings.ToLower(joined) && len(o.refused) == 0
	return m
}

// alias gives a member a second name. Its reader fails if the field was set before.
func (m *members) alias(name, of string) {
	own := m.find(of)
	if own == nil || own.kind != isText {
		panic(fmt.Sprintf("jsonscan: an alias of %s, which is no text", of))
	}
	second := *own
	second.name = name
	m.place(second)
	m.names = append(m.names, name)
	m.isLower = m.isLower && name == strings.ToLower(name)
}

// place puts a member into the first free place after its slot.
func (m *members) place(own member) {
	at := slot(own.name)
	for m.table[at%tableSize].kind != 0 {
		at++
	}
	own.bit = 1 << (at % tableSize)
	m.table[at%tableSize] = own
}
