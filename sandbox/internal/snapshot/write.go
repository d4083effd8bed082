package snapshot

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"time"
	"unsafe"
)

// writer writes values one after another.
type writer struct {
	*types
	out     []byte
	objects map[object]uint64
	met     uint64
	inside  map[object]bool // structs that are a part of something else
}

// object is the end of a pointer. A struct and its first field share an address.
type object struct {
	at  unsafe.Pointer
	typ reflect.Type
}

// entry is one of a map.
type entry struct {
	key   []byte
	value reflect.Value
}

// Write writes the state. It fails on a value of a type that it does not know, and on a
// pointer into the middle of something.
func (s State) Write() (raw []byte, err error) {
	w := &writer{types: s.types(), objects: map[object]uint64{}, inside: map[object]bool{}}
	defer w.caught(&err)
	for i, root := range s.Roots {
		v := reflect.ValueOf(root)
		w.objects[object{v.UnsafePointer(), v.Type().Elem()}] = uint64(i)
		w.met++
	}
	for _, root := range s.Roots {
		w.fieldsOf(reflect.ValueOf(root).Elem())
	}
	for o := range w.objects {
		if w.inside[o] {
			return nil, fmt.Errorf("a pointer leads to a %s that is a part of something else", o.typ)
		}
	}
	return w.out, nil
}

// failure is an error with which a writer or a reader panics.
type failure struct{ error }

func (*types) fail(format string, args ...any) { panic(failure{fmt.Errorf(format, args...)}) }

// caught makes a failure, or a panic over a snapshot that somebody made up, an error.
func (*types) caught(err *error) {
	switch p := recover().(type) {
	case nil:
	case failure:
		*err = p.error
	case error:
		*err = p
	default:
		*err = errors.New(fmt.Sprint(p))
	}
}

func (w *writer) number(n uint64) { w.out = binary.AppendUvarint(w.out, n) }

func (w *writer) text(b []byte) {
	w.number(uint64(len(b)))
	w.out = append(w.out, b...)
}

// open is a field's value, whether or not the field is exported.
func open(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}

// placed is a value at an address of its own.
func placed(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

func (w *writer) fieldsOf(v reflect.Value) {
	for _, f := range w.of[v.Type()] {
		field := open(v.FieldByIndex(f.Index))
		if field.Kind() == reflect.Struct && field.Type().Size() > 0 {
			w.inside[object{field.Addr().UnsafePointer(), field.Type()}] = true
		}
		w.value(field)
	}
}

func (w *writer) value(v reflect.Value) {
	w.enter()
	switch v.Kind() {
	case reflect.Bool:
		w.out = append(w.out, 0)
		if v.Bool() {
			w.out[len(w.out)-1] = 1
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.out = binary.AppendVarint(w.out, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.number(v.Uint())
	case reflect.Float32, reflect.Float64:
		w.out = binary.BigEndian.AppendUint64(w.out, math.Float64bits(v.Float()))
	case reflect.String:
		w.text([]byte(v.String()))
	case reflect.Array:
		w.list(placed(v))
	case reflect.Slice:
		w.slice(v)
	case reflect.Map:
		w.mapping(v)
	case reflect.Pointer:
		w.pointer(v)
	case reflect.Interface:
		w.dynamic(v)
	case reflect.Struct:
		w.structure(placed(v))
	default:
		w.fail("a %s is no data", v.Type())
	}
	w.depth--
}

func (w *writer) slice(v reflect.Value) {
	if v.IsNil() {
		w.number(0)
		return
	}
	w.number(uint64(v.Len()) + 1)
	w.list(v)
}

func (w *writer) list(v reflect.Value) {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		w.out = append(w.out, v.Bytes()...)
		return
	}
	for i := range v.Len() {
		item := v.Index(i)
		if item.Kind() == reflect.Struct && item.Type().Size() > 0 {
			w.inside[object{item.Addr().UnsafePointer(), item.Type()}] = true
		}
		w.value(item)
	}
}

// mapping writes the entries in the order of their written keys.
func (w *writer) mapping(v reflect.Value) {
	if v.IsNil() {
		w.number(0)
		return
	}
	w.number(uint64(v.Len()) + 1)
	all := make([]entry, 0, v.Len())
	key := &writer{types: w.types, inside: w.inside} // without objects: a pointer in a key has no order
	for it := v.MapRange(); it.Next(); {
		start := len(key.out)
		key.value(it.Key())
		all = append(all, entry{key.out[start:len(key.out):len(key.out)], it.Value()})
	}
	slices.SortFunc(all, byBytes)
	for _, e := range all {
		w.out = append(w.out, e.key...)
		w.value(e.value)
	}
}

// pointer writes what it leads to where it is met first, and from then on its number.
func (w *writer) pointer(v reflect.Value) {
	if v.IsNil() {
		w.number(0)
		return
	}
	if w.objects == nil {
		w.fail("a key of a map has a pointer, a %s", v.Type())
	}
	o := object{v.UnsafePointer(), v.Type().Elem()}
	id, known := w.objects[o]
	if known && o.typ.Size() > 0 {
		w.number(id + 1)
		return
	}
	id = w.met
	w.met++
	w.objects[o] = id
	w.number(id + 1)
	w.value(v.Elem())
}

func (w *writer) dynamic(v reflect.Value) {
	if v.IsNil() {
		w.number(0)
		return
	}
	inner := v.Elem()
	name := inner.Type().String()
	if w.known[name] != inner.Type() {
		w.fail("a %s is in the state, which snapshot.Keep was not told of", name)
	}
	w.number(1)
	w.text([]byte(name))
	w.value(inner)
}

func (w *writer) structure(v reflect.Value) {
	switch v.Type() {
	case timeType:
		t := v.Interface().(time.Time)
		w.out = binary.AppendVarint(w.out, t.Unix())
		w.number(uint64(t.Nanosecond()))
	case bigType:
		n := v.Addr().Interface().(*big.Int)
		w.out = binary.AppendVarint(w.out, int64(n.Sign()))
		w.text(n.Bytes())
	default:
		w.fieldsOf(v)
	}
}
