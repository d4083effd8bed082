// Package snapshot writes the state of a sandbox as bytes and reads it back. It knows
// no service: it follows the fields of Go values from a list of roots, and each field
// that it meets is in the snapshot unless a list of exceptions names it.
package snapshot

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"time"
)

// State describes the content of a snapshot.
type State struct {
	// Roots are pointers to structs. The program that reads a snapshot has the same, in
	// the same order, and they stay where they are: only their fields change. Pointers to
	// them may be anywhere in the state.
	Roots []any
	// Left says why a field is in no snapshot. Its name is that of the type, with its
	// package, and its own: "kit.Core.mu".
	Left map[string]string
}

// kept are the types that are found in interfaces and in no field.
var kept []reflect.Type

// Keep makes a snapshot know the types of these values, which are found in interfaces
// only. It is called while the program is initialized.
func Keep(values ...any) bool {
	for _, v := range values {
		kept = append(kept, reflect.TypeOf(v))
	}
	return true
}

// Kept lists the types that Keep was called with.
func Kept() []reflect.Type { return slices.Clone(kept) }

var _ = Keep("", false, 0, int64(0), uint64(0), 0.0, []any{}, map[string]any{}, map[string]string{}, []string{})

var (
	timeType = reflect.TypeFor[time.Time]()
	bigType  = reflect.TypeFor[big.Int]()
)

// types are all types that the state has, by name.
type types struct {
	State
	known    map[string]reflect.Type
	of       map[reflect.Type][]reflect.StructField // those of a struct that are in a snapshot
	form     []string
	left     map[string]bool // the exceptions that were met
	problems []string
	depth    int // of the value that is read or written
}

// types follows the roots' types.
func (s State) types() *types {
	t := &types{
		State: s, known: map[string]reflect.Type{}, of: map[reflect.Type][]reflect.StructField{}, left: map[string]bool{},
	}
	for _, root := range s.Roots {
		t.visit(reflect.TypeOf(root), "a root")
	}
	for _, k := range kept {
		t.visit(k, "what is kept")
	}
	return t
}

// Problems lists what could not be written: fields of a type that is no data and is not
// excepted, and exceptions of fields that there are not.
func (s State) Problems() []string {
	t := s.types()
	for _, name := range slices.Sorted(maps.Keys(t.known)) {
		if typ := t.known[name]; typ.Kind() == reflect.Interface && !t.implemented(typ) {
			t.problems = append(t.problems, "of nothing in the state it is known that it is a "+name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Left)) {
		if !t.left[name] {
			t.problems = append(t.problems, name+" is excepted and is no field of the state")
		}
	}
	return t.problems
}

// implemented reports whether an interface can have a value.
func (t *types) implemented(typ reflect.Type) bool {
	for _, k := range t.known {
		if k.Kind() != reflect.Interface && k.Implements(typ) {
			return true
		}
	}
	return false
}

// Form is a hash of all types of the state: of two programs with another form, one
// cannot read what the other writes.
func (s State) Form() [sha256.Size]byte {
	t := s.types()
	slices.Sort(t.form)
	return sha256.Sum256([]byte(strings.Join(t.form, "\n")))
}

func (t *types) visit(typ reflect.Type, place string) {
	name := typ.String()
	if other, seen := t.known[name]; seen {
		if other != typ {
			t.problems = append(t.problems, "two types are called "+name)
		}
		return
	}
	t.known[name] = typ
	if typ == timeType || typ == bigType {
		return
	}
	switch typ.Kind() {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr, reflect.Complex64, reflect.Complex128:
		delete(t.known, name) // each field of such a type is a problem
		t.problems = append(t.problems, fmt.Sprintf("%s is a %s, which is no data", place, typ))
	case reflect.Struct:
		t.visitStruct(typ, place)
	case reflect.Map:
		t.visit(typ.Key(), place)
		t.visit(typ.Elem(), place)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		t.visit(typ.Elem(), place)
	case reflect.Interface:
	default:
		t.form = append(t.form, name+" is "+typ.Kind().String())
	}
}

func (t *types) visitStruct(typ reflect.Type, place string) {
	if pkg := typ.PkgPath(); pkg == "sync" || pkg == "sync/atomic" || strings.HasPrefix(pkg, "net") {
		delete(t.known, typ.String())
		t.problems = append(t.problems, fmt.Sprintf("%s is a %s, which is no data", place, typ))
		return
	}
	var form []string
	generic, _, _ := strings.Cut(typ.String(), "[") // the arguments of a generic type do not matter
	for f := range typ.Fields() {
		name := generic + "." + f.Name
		if _, left := t.Left[name]; left {
			t.left[name] = true
			continue
		}
		if f.Name != "_" {
			form = append(form, f.Name+" "+f.Type.String())
			t.of[typ] = append(t.of[typ], f)
			t.visit(f.Type, name)
		}
	}
	t.form = append(t.form, typ.String()+" {"+strings.Join(form, "; ")+"}")
}

// byBytes compares two entries of a map by their written keys.
func byBytes(a, b entry) int { return cmp.Compare(string(a.key), string(b.key)) }
