package snapshot

import (
	"reflect"
)

// deepest is how many values may be inside one another: more than JSON's decoder takes, and
// far fewer than the stack, whose overflow nothing could catch.
const deepest = 1 << 16

// enter counts a value inside others, until depth is counted down.
func (t *types) enter() {
	if t.depth++; t.depth > deepest {
		t.fail("values are nested more than %d deep", deepest)
	}
}

// emptiest bounds a list of values that take no bytes.
const emptiest = 1 << 20

// claim refuses n values of at least so many bytes each if the rest of the state, less what is
// claimed already, has no room for them. So whatever somebody made up, what is made for it
// before it is read is in proportion to its size. Each value is released before it is read.
func (r *reader) claim(n uint64, least int) int {
	switch room := uint64(max(len(r.rest)-r.claimed, 0)); {
	case least == 0 && n > emptiest, least > 0 && n > room/uint64(least):
		r.fail("the state ends early")
	}
	r.claimed += int(n) * least
	return int(n)
}

// least is how many bytes a value of a type takes at least.
func (r *reader) least(typ reflect.Type) (n int) {
	switch typ.Kind() {
	case reflect.Float32, reflect.Float64:
		return 8
	case reflect.Array:
		return typ.Len() * r.least(typ.Elem())
	case reflect.Struct:
		return r.leastOf(typ)
	}
	return 1
}

// leastOf is least of a struct.
func (r *reader) leastOf(typ reflect.Type) int {
	if typ == timeType || typ == bigType {
		return 2
	}
	n, known := r.leasts[typ]
	if !known {
		for _, f := range r.of[typ] {
			n += r.least(f.Type)
		}
		r.leasts[typ] = n
	}
	return n
}
