package lenient

import (
	"reflect"
	"sync"
)

// shape is what a walk over the text of JSON needs to know of the type that it is
// for. A nil shape stands for a type in which no name matters: a scalar, an
// interface, a type with an UnmarshalJSON of its own.
type shape struct {
	fields  *structFields // of a struct, else nil
	inner   []*shape      // of each of the fields
	elem    *shape        // of a map or a list
	elemFit fit
	isMap   bool
	isList  bool
}

var (
	shapes    sync.Map   // reflect.Type -> *shape
	shapeLock sync.Mutex // held while shapes are made, which may lead to each other
)

// shapeOf returns the shape of t.
func shapeOf(t reflect.Type) *shape {
	if known, ok := shapes.Load(t); ok {
		return known.(*shape)
	}
	shapeLock.Lock()
	defer shapeLock.Unlock()
	made := map[reflect.Type]*shape{}
	s := makeShape(t, made)
	for t, one := range made {
		shapes.LoadOrStore(t, one)
	}
	shapes.LoadOrStore(t, s)
	return s
}

// makeShape returns the shape of t. made has those that are under way, for types
// that hold themselves.
func makeShape(t reflect.Type, made map[reflect.Type]*shape) *shape {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if s, ok := made[t]; ok {
		return s
	}
	if !isNested(t) || reflect.PointerTo(t).Implements(jsonUnmarshaler) {
		return nil
	}
	s := &shape{}
	made[t] = s
	switch {
	case t.Kind() == reflect.Struct:
		s.fields = fieldsOf(t)
		for _, f := range s.fields.list {
			s.inner = append(s.inner, makeShape(f.typ, made))
		}
	case t.Kind() == reflect.Map:
		s.isMap, s.elem, s.elemFit = true, makeShape(t.Elem(), made), fitOf(t.Elem(), false)
	default:
		s.isList, s.elem, s.elemFit = true, makeShape(t.Elem(), made), fitOf(t.Elem(), false)
	}
	return s
}

func isNested(t reflect.Type) bool {
	return t.Kind() == reflect.Struct || t.Kind() == reflect.Map || isList(t)
}
