package wire

import (
	"fmt"
	"math/bits"
	"reflect"
	"strings"
	"sync/atomic"
)

// object is the compiled reader of a struct: its members in a hash table.
type object struct {
	typ     reflect.Type
	table   []member
	shift   uint32 // of a hash, so that it is an index of the table
	names   []string
	isLower bool    // no name has an upper-case letter
	must    uint64  // a bit for each member that must be present
	decides uint64  // for each that decides
	judged  uint64  // for those, for each time and for each with bounds
	expects uint64  // for each of those that every answer has and that may be missing
	raw     uintptr // the offset of Raw
	keeps   uint8
	first   place // of the member that came first in the latest object
}

// What a struct keeps in a field Raw.
const (
	keepsNothing uint8 = iota
	keepsLoss          // its JSON, if a value in it was lost
	keepsAll           // its JSON
)

type member struct {
	name    string
	opens   prefix // the name in quotes, and the colon
	offset  uintptr
	kind    kind // of its shape, 0 in a free place of the table
	shape   *shape
	bit     uint64
	strict  bool // a value that does not fit is an error
	firm    bool // even in DecodeCreated
	once    bool // an error if it comes twice
	records bool // of Tag
	opaque  bool // of Tag
	null    bool // of Tag
	picky   bool // see isPicky
	checks  bool // see isValid
	bounds  *bounds
	bytes   int // that a text in hex has, 0 for any
	quantity
	next place // of the member that came after it in the latest object
}

// place leads to a member. Objects of a body have their members in the same order as a
// rule, so that each tells which one to expect.
type place struct{ atomic.Pointer[member] }

func (p *place) set(own *member) {
	if p.Load() != own {
		p.Store(own)
	}
}

// find returns the member of that name, nil if there is none.
func (m *object) find(name string) *member {
	for at := m.slot(name); ; at = (at + 1) % uint32(len(m.table)) {
		switch own := &m.table[at]; {
		case own.kind == 0:
			return nil
		case own.name == name:
			return own
		}
	}
}

// slot is where the search for a name begins.
func (m *object) slot(name string) uint32 {
	n := uint32(len(name))
	if n == 0 {
		return 0
	}
	mixed := uint32(name[0]) | uint32(name[n/2])<<8 | uint32(name[n-1])<<16 | n<<24
	return mixed * 2654435761 >> m.shift // by the golden ratio: the highest bits depend on all
}

// maxMembers is how many members a struct may have: a bit each, but for looked.
const maxMembers = 63

// objectOf returns the reader of the fields of t, a struct.
func objectOf(t reflect.Type) *object { return made(&objects, t, makeObject) }

// makeObject makes the table of a struct type.
func makeObject(t reflect.Type) *object {
	fields := fieldsOf(t)
	if len(fields) > maxMembers {
		panic(fmt.Sprintf("wire: %s has more than %d members", t, maxMembers))
	}
	size := 1 << bits.Len(uint(2*len(fields)))
	m := &object{typ: t, table: make([]member, size), shift: uint32(32 - bits.Len(uint(size-1)))}
	if raw, ok := t.FieldByName("Raw"); ok && raw.Type == documentType && raw.Tag.Get("json") == "-" {
		m.keeps, m.raw = keepsLoss, offsetOf(t, raw.Index)
		if TagOf(raw).Raw {
			m.keeps = keepsAll
		}
	}
	m.first.set(&member{opens: prefixOf("no member")})
	last := &m.first
	for i, f := range fields {
		own := m.add(f, 1<<i)
		last.set(own)
		last = &own.next
		last.set(own)
	}
	joined := strings.Join(m.names, "")
	m.isLower = joined == strings.ToLower(joined)
	return m
}

// keeps reports whether a struct type has a field Raw tagged wire:"raw".
func keeps(t reflect.Type) bool {
	raw, ok := t.FieldByName("Raw")
	return ok && TagOf(raw).Raw
}

// add puts a member into the first free place after its name's slot.
func (m *object) add(f field, bit uint64) *member {
	at := m.slot(f.name)
	for m.table[at].kind != 0 {
		at = (at + 1) % uint32(len(m.table))
	}
	own := &m.table[at]
	own.name, own.opens = f.name, prefixOf(`"`+f.name+`":`)
	own.offset, own.bit = offsetOf(m.typ, f.index), bit
	own.strict, own.firm, own.once = f.strict || f.tag.Records, f.tag.Required, f.once
	own.bounds, own.quantity = boundsOf(f.tag), quantityOf(f.typ, f.tag)
	own.bytes = int(f.tag.Hex.Float64())
	own.records, own.opaque, own.null = f.tag.Records, f.tag.Opaque, f.tag.Null
	own.shape = makeShape(f.typ)
	if f.tag.Records {
		own.shape = &shape{read: recordsOf(f.typ), typ: f.typ, kind: isOther}
	}
	if own.bounds != nil && readsFields(f.typ) {
		own.shape, own.bounds = objectShape(boundedBy(own.bounds, f.typ)), nil
	}
	own.kind = own.shape.kind
	own.checks = f.typ.Kind() == reflect.String && f.typ.Implements(reflect.TypeFor[validating]())
	own.picky = own.isPicky()
	if f.tag.Present {
		m.must |= bit
	}
	if f.tag.Decides {
		m.decides |= bit
	}
	if f.tag.Decides || own.quantity == aTime || own.bounds != nil {
		m.judged |= bit
	}
	if f.tag.Said && !f.tag.Required {
		m.expects |= bit
	}
	m.names = append(m.names, f.name)
	return own
}

// boundedBy is a struct whose decimals have all the same bounds.
func boundedBy(b *bounds, t reflect.Type) *object {
	m := makeObject(t)
	for i := range m.table {
		if own := &m.table[i]; own.kind == isDecimal {
			own.bounds, m.judged = b, m.judged|own.bit
			own.picky = own.isPicky()
		}
	}
	return m
}

// offsetOf is where in a struct of type t a field is.
func offsetOf(t reflect.Type, index []int) (offset uintptr) {
	for _, i := range index {
		if t.Kind() == reflect.Pointer {
			panic(fmt.Sprintf("wire: a *%s is embedded", t.Elem()))
		}
		f := t.Field(i)
		offset, t = offset+f.Offset, f.Type
	}
	return offset
}
