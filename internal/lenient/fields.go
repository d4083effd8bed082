package lenient

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// field is a JSON member of a struct type, its own or promoted.
type field struct {
	name     string
	index    []int // for reflect.Value.FieldByIndex
	typ      reflect.Type
	tagged   bool // has a name in its tag
	quoted   bool // json option ",string"
	required bool // wire:"required"
	present  bool // wire:"present": there and not null, but 0 is an answer; see present.go
	strict   bool // a value that does not fit is an error: see isStrict
	records  bool // wire:"records": a list of which each element is read on its own
	fit      fit
	once     bool // strict, a list of records, or wire:"once": an error if it comes twice
}

// structFields is what encoding/json sees of a struct type.
type structFields struct {
	list   []field
	byName map[string]int
	must   uint64 // a bit for each field that is tagged wire:"present"
	raw    []int  // the index of a field Raw that encoding/json does not see, nil if there is none
}

// find returns the number of the field that encoding/json would fill for key, -1
// if there is none: the exact name first, then one that differs in case.
func (s *structFields) find(key []byte) (n int, exact bool) {
	if i, ok := s.byName[string(key)]; ok {
		return i, true
	}
	for i := range s.list {
		// Names of ASCII are of one length in any case.
		if (len(s.list[i].name) == len(key) || !isASCII(key)) && bytes.EqualFold([]byte(s.list[i].name), key) {
			return i, false
		}
	}
	return -1, false
}

func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

var fieldCache sync.Map // reflect.Type -> *structFields

// fieldsOf lists the JSON members of struct type t.
func fieldsOf(t reflect.Type) *structFields {
	if known, ok := fieldCache.Load(t); ok {
		return known.(*structFields)
	}
	s := &structFields{byName: map[string]int{}}
	for _, level := range levels(t) {
		for name, same := range level {
			if _, hidden := s.byName[name]; hidden {
				continue
			}
			i := -1 // two of one name and depth hide each other
			if f, ok := dominant(same); ok {
				i = len(s.list)
				s.list = append(s.list, f)
			}
			s.byName[name] = i
		}
	}
	s.settle()
	if raw, ok := t.FieldByName("Raw"); ok && raw.Type == documentType && raw.Tag.Get("json") == "-" {
		s.raw = raw.Index
	}
	known, _ := fieldCache.LoadOrStore(t, s)
	return known.(*structFields)
}

// settle sorts the fields as declared, so that errors name the first.
func (s *structFields) settle() {
	slices.SortFunc(s.list, func(a, b field) int { return slices.Compare(a.index, b.index) })
	clear(s.byName)
	for i, f := range s.list {
		s.byName[f.name] = i
		if f.present && i < maxMarks {
			s.must |= 1 << i
		}
	}
}

func dominant(same []field) (field, bool) {
	if len(same) == 1 {
		return same[0], true
	}
	tagged := slices.DeleteFunc(slices.Clone(same), func(f field) bool { return !f.tagged })
	if len(tagged) == 1 {
		return tagged[0], true
	}
	return field{}, false
}

// embedded is a struct type whose fields are promoted to an outer one.
type embedded struct {
	typ   reflect.Type
	index []int
}

// levels collects the fields by depth of embedding and name.
func levels(t reflect.Type) []map[string][]field {
	var all []map[string][]field
	seen := map[reflect.Type]bool{}
	for next := []embedded{{typ: t}}; len(next) > 0; {
		var deeper []embedded
		level := map[string][]field{}
		for _, e := range next {
			if seen[e.typ] {
				continue
			}
			deeper = append(deeper, collect(e, level)...)
		}
		for _, e := range next {
			seen[e.typ] = true
		}
		all, next = append(all, level), deeper
	}
	return all
}

// collect puts the fields of one struct into level and returns the structs
// that it embeds.
func collect(e embedded, level map[string][]field) []embedded {
	var deeper []embedded
	for i := range e.typ.NumField() {
		sf := e.typ.Field(i)
		tag := sf.Tag.Get("json")
		if tag == "-" {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		index := append(slices.Clone(e.index), i)
		inner := sf.Type
		if inner.Name() == "" && inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if sf.Anonymous && name == "" && inner.Kind() == reflect.Struct {
			if sf.IsExported() || sf.Type.Kind() != reflect.Pointer {
				deeper = append(deeper, embedded{inner, index})
			}
			continue
		}
		if !sf.IsExported() {
			continue
		}
		f := field{
			name: name, index: index, typ: sf.Type, tagged: name != "",
			quoted:   slices.Contains(strings.Split(options, ","), "string") && isScalar(inner.Kind()),
			required: sf.Tag.Get("wire") == "required",
			present:  sf.Tag.Get("wire") == "present",
			records:  sf.Tag.Get("wire") == "records",
		}
		f.strict = f.required || f.present || sf.Tag.Get("wire") == "strict" || !f.records && isStrict(sf.Type)
		f.fit = fitOf(f.typ, f.quoted)
		f.once = f.strict || f.records || sf.Tag.Get("wire") == "once"
		if name == "" {
			f.name = sf.Name
		}
		level[f.name] = append(level[f.name], f)
	}
	return deeper
}

func isScalar(k reflect.Kind) bool {
	return k == reflect.Bool || k == reflect.String || isInteger(k) || isFloat(k)
}

func isInteger(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Uintptr }

func isFloat(k reflect.Kind) bool { return k == reflect.Float32 || k == reflect.Float64 }
