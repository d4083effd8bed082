package wire

import (
	"encoding"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"sync"
	"unsafe"

	"github.com/walletfi/walletfi-go"
)

// reader reads the value that is next into the Go value at an address. If the value
// does not fit, it returns the reason, and may be anywhere in the value.
type reader func(s *Scanner, p unsafe.Pointer) *FieldError

// shape is the compiled reader of a type.
type shape struct {
	read  reader
	typ   reflect.Type
	kind  kind // what is quick to read is, without read
	blank byte // see blankOf

	object *object // its reader, if that is one and keeps nothing
	fields *object // its reader, if that is one
}

// value reads a value.
func (h *shape) value(s *Scanner, p unsafe.Pointer) *FieldError {
	switch {
	case h.object != nil && s.Peek() == '{':
		return h.object.members(s, p)
	case h.kind.quick(s, p):
		return nil
	}
	return h.read(s, p)
}

// The compiled readers by type. They are made under the lock, since they lead to each
// other, and none is seen before all that it leads to are made.
var (
	shapes  sync.Map // reflect.Type -> *shape
	objects sync.Map // reflect.Type -> *object
	records sync.Map // reflect.Type -> reader

	identities sync.Map // reflect.Type -> identity

	making sync.Mutex
	unmade map[reflect.Type]*shape
)

// made returns what is in a cache for a type, and makes it if it is not there.
func made[T any](cache *sync.Map, t reflect.Type, make func(reflect.Type) T) T {
	if known, ok := cache.Load(t); ok {
		return known.(T)
	}
	making.Lock()
	defer making.Unlock()
	unmade = map[reflect.Type]*shape{}
	one := make(t)
	for t, shape := range unmade {
		shapes.LoadOrStore(t, shape)
	}
	known, _ := cache.LoadOrStore(t, one)
	return known.(T)
}

// shapeOf returns the shape of t.
func shapeOf(t reflect.Type) *shape { return made(&shapes, t, makeShape) }

// makeShape returns the shape of t. unmade has those that are being made, for types
// that hold themselves.
func makeShape(t reflect.Type) *shape {
	if known, ok := shapes.Load(t); ok {
		return known.(*shape)
	}
	if s, ok := unmade[t]; ok {
		return s
	}
	s := &shape{typ: t, kind: kindOf(t), blank: blankOf(t)}
	unmade[t] = s
	if readsFields(t) {
		*s = *objectShape(makeObject(t))
	} else {
		s.read = readerOf(t)
	}
	return s
}

func objectShape(m *object) *shape {
	s := &shape{typ: m.typ, kind: kindOf(m.typ), blank: blankOf(m.typ), read: m.read, fields: m}
	if m.keeps == keepsNothing {
		s.object = m
	}
	return s
}

// readsFields reports whether t is a struct that is read member by member.
func readsFields(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && own[t] == nil && !t.Implements(selfCompiling) &&
		!reflect.PointerTo(t).Implements(selfReading) && (keeps(t) || !readsItself(t))
}

var (
	selfReading     = reflect.TypeFor[selfReader]()
	selfCompiling   = reflect.TypeFor[selfCompiler]()
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	documentType    = reflect.TypeFor[walletfi.Document]()
)

// standard are the readers of types by name.
var standard = map[reflect.Type]reader{
	reflect.TypeFor[walletfi.Decimal]():  readDecimal,
	reflect.TypeFor[walletfi.Amount]():   readAmount,
	reflect.TypeFor[walletfi.Time]():     readTime,
	reflect.TypeFor[walletfi.Document](): readDocument,

	reflect.TypeFor[walletfi.Base64Transaction](): transactionOf[walletfi.Base64Transaction](isBase64),
	reflect.TypeFor[walletfi.Base58Transaction](): transactionOf[walletfi.Base58Transaction](isBase58),
}

func readerOf(t reflect.Type) reader {
	if read := own[t]; read != nil {
		return read
	}
	if read := standard[t]; read != nil {
		return read
	}
	pointer := reflect.PointerTo(t)
	switch k := t.Kind(); {
	case t.Implements(selfCompiling):
		return reflect.Zero(t).Interface().(selfCompiler).compiled()
	case pointer.Implements(selfReading):
		return func(s *Scanner, p unsafe.Pointer) *FieldError {
			from := s.at
			return s.byItself(t, from, reflect.NewAt(t, p).Interface().(selfReader).ReadWire(s))
		}
	case pointer.Implements(jsonUnmarshaler):
		return unmarshalerOf(t)
	case pointer.Implements(textUnmarshaler):
		return textOf(t)
	case k == reflect.Interface:
		return func(s *Scanner, p unsafe.Pointer) *FieldError {
			return s.unmarshal(t, func(value []byte) error { return json.Unmarshal(value, reflect.NewAt(t, p).Interface()) })
		}
	case k == reflect.String:
		return stringOf(t)
	case k == reflect.Bool:
		return boolOf(t)
	case k >= reflect.Int && k <= reflect.Float64:
		return numberOf(t)
	case k == reflect.Pointer:
		return pointerOf(t)
	case k == reflect.Map:
		return mapOf(t)
	case k == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return bytesOf(t)
	case k == reflect.Slice:
		return makeList(t).read
	case k == reflect.Array:
		return arrayOf(t)
	}
	return func(s *Scanner, _ unsafe.Pointer) *FieldError { return misfit(s.text[s.at:], t) }
}

// pointerOf allocates what it reads.
func pointerOf(t reflect.Type) reader {
	elem := makeShape(t.Elem())
	list := &list{typ: reflect.SliceOf(t.Elem()), elem: elem, size: t.Elem().Size()}
	return func(s *Scanner, p unsafe.Pointer) *FieldError {
		at := *(*unsafe.Pointer)(p)
		isNull := s.Peek() == 'n' || elem.blank != 0 && s.isBlank(elem)
		if at == nil || isNull {
			at = s.one(list)
		}
		err := elem.value(s, at)
		if isNull {
			at = nil
		}
		if err == nil {
			*(*unsafe.Pointer)(p) = at
		}
		return err
	}
}

// isBlank reports whether a value is next that is as good as a null for a type.
func (s *Scanner) isBlank(h *shape) bool {
	if s.Peek() != h.blank {
		return false
	}
	if h.blank == '"' {
		return strings.HasPrefix(s.text[s.at:], `""`)
	}
	return s.isEmpty()
}

// blankOf is how a value begins that says nothing if it is empty, 0 if there is none.
func blankOf(t reflect.Type) byte {
	switch k := t.Kind(); {
	case t == reflect.TypeFor[walletfi.Amount]():
		return '"'
	case readsItself(t):
		return 0
	case k >= reflect.Bool && k <= reflect.Float64:
		return '"'
	case k == reflect.Struct, k == reflect.Map:
		return '['
	case k == reflect.Pointer:
		return blankOf(t.Elem())
	}
	return 0
}

// unmarshalerOf leaves the value to the type's UnmarshalJSON.
func unmarshalerOf(t reflect.Type) reader {
	return func(s *Scanner, p unsafe.Pointer) *FieldError {
		return s.unmarshal(t, reflect.NewAt(t, p).Interface().(json.Unmarshaler).UnmarshalJSON)
	}
}

// unmarshal leaves a value to a decoder of its type.
func (s *Scanner) unmarshal(t reflect.Type, decode func([]byte) error) *FieldError {
	from := s.at
	s.Skip()
	if s.failed {
		return nil
	}
	err := decode(s.body[from:s.at:s.at])
	if unread, ok := errors.AsType[*walletfi.UnreadError](err); ok {
		s.unread = append(s.unread, unread.Records...)
		return nil
	}
	if err != nil {
		return describe(err, s.text[from:], t)
	}
	return nil
}
