package snapshot

import (
	"encoding/binary"
	"math"
	"math/big"
	"reflect"
	"time"
)

// reader reads values one after another.
type reader struct {
	*types
	rest    []byte
	claimed int // bytes of rest that values are to come from
	leasts  map[reflect.Type]int
	objects []reflect.Value // pointers
}

// Read reads what Write wrote. Nothing changes until commit is called.
func (s State) Read(raw []byte) (commit func(), err error) {
	r := &reader{types: s.types(), rest: raw, leasts: map[reflect.Type]int{}}
	defer r.caught(&err)
	for _, root := range s.Roots {
		r.objects = append(r.objects, reflect.ValueOf(root))
	}
	var fields, values []reflect.Value
	for _, root := range s.Roots {
		v := reflect.ValueOf(root).Elem()
		for _, f := range r.of[v.Type()] {
			value := reflect.New(f.Type).Elem()
			r.value(value)
			fields, values = append(fields, open(v.FieldByIndex(f.Index))), append(values, value)
		}
	}
	if len(r.rest) > 0 {
		r.fail("%d bytes follow the state", len(r.rest))
	}
	return func() {
		for i, f := range fields {
			f.Set(values[i])
		}
	}, nil
}

func (r *reader) number() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.fail("the state ends early")
	}
	r.rest = r.rest[size:]
	return n
}

func (r *reader) signed() int64 {
	n, size := binary.Varint(r.rest)
	if size <= 0 {
		r.fail("the state ends early")
	}
	r.rest = r.rest[size:]
	return n
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.fail("the state ends early")
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

// nothing reports whether there is no value.
func (r *reader) nothing() bool {
	if len(r.rest) > 0 && r.rest[0] == 0 {
		r.rest = r.rest[1:]
		return true
	}
	return false
}

func (r *reader) value(v reflect.Value) {
	r.enter()
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.bytes(1)[0] == 1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(r.signed())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(r.number())
	case reflect.Float32, reflect.Float64:
		v.SetFloat(math.Float64frombits(binary.BigEndian.Uint64(r.bytes(8))))
	case reflect.String:
		v.SetString(string(r.bytes(r.number())))
	case reflect.Array:
		r.claim(uint64(v.Len()), r.least(v.Type().Elem()))
		r.list(v)
	case reflect.Struct:
		r.structure(v)
	default:
		if !r.nothing() {
			r.reference(v)
		}
	}
	r.depth--
}

// reference reads a value that may be nil and is not.
func (r *reader) reference(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		n := r.claim(r.number()-1, r.least(v.Type().Elem()))
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		r.list(v)
	case reflect.Map:
		r.mapping(v)
	case reflect.Pointer:
		r.pointer(v)
	case reflect.Interface:
		r.number()
		name := string(r.bytes(r.number()))
		typ, ok := r.known[name]
		if !ok || !typ.Implements(v.Type()) {
			r.fail("a %q where a %s is due", name, v.Type())
		}
		inner := reflect.New(typ).Elem()
		r.value(inner)
		v.Set(inner)
	default:
		r.fail("a %s is no data", v.Type())
	}
}

// list reads the elements of a slice or an array, which are claimed.
func (r *reader) list(v reflect.Value) {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		r.claimed -= v.Len()
		copy(v.Bytes(), r.bytes(uint64(v.Len())))
		return
	}
	least := r.least(v.Type().Elem())
	for i := range v.Len() {
		r.claimed -= least
		r.value(v.Index(i))
	}
}

func (r *reader) mapping(v reflect.Value) {
	least := r.least(v.Type().Key()) + r.least(v.Type().Elem())
	n := r.claim(r.number()-1, least)
	v.Set(reflect.MakeMapWithSize(v.Type(), n))
	for range n {
		r.claimed -= least
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		r.value(key)
		r.value(value)
		v.SetMapIndex(key, value)
	}
}

func (r *reader) pointer(v reflect.Value) {
	id := r.number() - 1
	switch {
	case id > uint64(len(r.objects)):
		r.fail("a pointer leads nowhere")
	case id < uint64(len(r.objects)):
		if r.objects[id].Type() != v.Type() {
			r.fail("a pointer to a %s where a %s is due", r.objects[id].Type(), v.Type())
		}
		v.Set(r.objects[id])
	default:
		least := r.least(v.Type().Elem())
		r.claim(1, least)
		r.claimed -= least
		v.Set(reflect.New(v.Type().Elem()))
		r.objects = append(r.objects, reflect.ValueOf(v.Interface()))
		r.value(v.Elem())
	}
}

func (r *reader) structure(v reflect.Value) {
	switch v.Type() {
	case timeType:
		second := r.signed()
		v.Set(reflect.ValueOf(time.Unix(second, int64(r.number())).UTC()))
	case bigType:
		sign := r.signed()
		n := v.Addr().Interface().(*big.Int).SetBytes(r.bytes(r.number()))
		if sign < 0 {
			n.Neg(n)
		}
	default:
		for _, f := range r.of[v.Type()] {
			r.value(open(v.FieldByIndex(f.Index)))
		}
	}
}
