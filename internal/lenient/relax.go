package lenient

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strconv"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/jsontext"
)

// relaxer rewrites a valid body so that it fits a Go type, if the difference is
// one by which live services differ from their documents:
//
//   - a number or bool for a text is quoted;
//   - a number or bool in quotes loses them; 0 and 1 are bools; 5.0 and 1e2
//     are integers, 1.5 is not;
//   - an empty text for a number or bool, an empty array for an object, and an
//     empty object for an array are null, which leaves the zero value;
//   - a value that does not fit at all is null in the field or the map where it
//     is, unless that is strict: see strict.go. The nearest struct around it that
//     has a field Raw gets its JSON there.
//   - an element that cannot be read, of a list tagged wire:"records", is left out
//     and reported;
//   - of a member that comes in more than one case, only the one that is written
//     as declared stays.
//
// A type with an UnmarshalJSON of its own gets its bytes untouched: documents
// go back to the service as they came. A walletfi.Amount is as strict here as
// anywhere, but for an empty text.
type relaxer struct {
	jsontext.Patch
	path   []hop // to the value that is looked at
	around *keeper
	kept   []keeper
	unread []*walletfi.RecordError

	takesAll bool // see decodeAll
	trusts   bool // what a type reads by itself from an object or a list is not tried
}

var (
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	amountType      = reflect.TypeFor[walletfi.Amount]()
	documentType    = reflect.TypeFor[walletfi.Document]()
	jsonNumber      = reflect.TypeFor[json.Number]()
	null            = []byte("null")
)

// value handles the value at src[i] for type t and returns the index after
// it. target is the Go value if it exists already, else invalid. f is the
// field that the value is of, nil for an element or a map's value.
func (r *relaxer) value(i int, t reflect.Type, target reflect.Value, f *field) (int, error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
		target = reflect.Value{}
	}
	first := r.Src[i]
	quoted := f != nil && f.quoted
	switch {
	case first == 'n' || t.Kind() == reflect.Interface || t == jsonNumber && !quoted && first != '"':
		return jsontext.ValueEnd(r.Src, i), nil
	case reflect.PointerTo(t).Implements(jsonUnmarshaler):
		return r.custom(i, t, quoted)
	case t.Kind() == reflect.Struct && first == '{' && !reflect.PointerTo(t).Implements(textUnmarshaler):
		return r.object(i, t, target)
	case t.Kind() == reflect.Map && first == '{':
		return r.mapping(i, t)
	case isList(t) && first == '[' && f != nil && f.records:
		return r.records(i, t, f.name)
	case isList(t) && first == '[':
		return jsontext.Elements(r.Src, i, func(n, at int) (int, error) {
			end, err := r.at(hop{element: n}, at, t.Elem())
			if err != nil {
				err = within("["+strconv.Itoa(n)+"]", err)
			}
			return end, err
		})
	}
	return r.token(i, t, quoted)
}

// at is value for a part of the value that is looked at.
func (r *relaxer) at(s hop, i int, t reflect.Type) (int, error) {
	r.path = append(r.path, s)
	end, err := r.value(i, t, reflect.Value{}, nil)
	r.path = r.path[:len(r.path)-1]
	return end, err
}

func isList(t reflect.Type) bool { return t.Kind() == reflect.Slice || t.Kind() == reflect.Array }

func (r *relaxer) object(i int, t reflect.Type, target reflect.Value) (int, error) {
	known := fieldsOf(t)
	exact, twice, err := shadowed(r.Src, i, known)
	if err != nil && !r.takesAll {
		return 0, err
	}
	outer := r.around
	r.keepIn(known, i)
	defer r.keepEnds(outer)
	var said uint64
	end, err := jsontext.Members(r.Src, i, func(from, to, at int) (int, error) {
		n, isExact := known.find(jsontext.Unquote(r.Src[from:to]))
		switch {
		case n < 0:
			return jsontext.ValueEnd(r.Src, at), nil
		case exact.has(n) && !isExact, twice.has(n): // with takesAll, which of the two is right is not known
			r.Replace(from, to, []byte(`""`)) // no field has this name
			return jsontext.ValueEnd(r.Src, at), nil
		}
		if n < maxMarks && !saysNothing(r.Src, at) {
			said |= 1 << n
		}
		return r.member(at, &known.list[n], target)
	})
	if err == nil && !r.takesAll {
		err = known.lacks(said)
	}
	return end, err
}

// member handles the value of a field.
func (r *relaxer) member(at int, f *field, target reflect.Value) (int, error) {
	before, step := r.mark(), hop{field: f.index}
	if !f.records {
		step.name = f.name
	}
	r.path = append(r.path, step)
	end, err := r.value(at, held(target, f), reflect.Value{}, f)
	r.path = r.path[:len(r.path)-1]
	if err == nil {
		return end, nil
	}
	if f.required || !r.takesAll && (f.strict || f.records || isFirm(err)) {
		return 0, firmly(within(f.name, err))
	}
	return r.lose(before, at), nil
}

func (r *relaxer) mapping(i int, t reflect.Type) (int, error) {
	return jsontext.Members(r.Src, i, func(_, _, at int) (int, error) {
		before := r.mark()
		end, err := r.at(hop{inMap: true}, at, t.Elem())
		switch {
		case err == nil:
			return end, nil
		case isFirm(err) || isStrict(t.Elem()):
			return 0, firmly(within("*", err))
		}
		return r.lose(before, at), nil
	})
}

// held is the type that encoding/json decodes field f of target into: the type
// that the pointer in an interface points to, if the caller put one there, else
// the field's own.
func held(target reflect.Value, f *field) reflect.Type {
	if f.typ.Kind() != reflect.Interface || !target.IsValid() {
		return f.typ
	}
	v, err := target.FieldByIndexErr(f.index)
	if err != nil || v.IsNil() || v.Elem().Kind() != reflect.Pointer || v.Elem().IsNil() {
		return f.typ
	}
	return v.Elem().Type()
}

// custom tries the type's own UnmarshalJSON, only to learn the path of a value
// that it refuses.
func (r *relaxer) custom(i int, t reflect.Type, quoted bool) (int, error) {
	end := jsontext.ValueEnd(r.Src, i)
	token := r.Src[i:end]
	isText := token[0] == '"'
	switch {
	case isText && len(token) == 2 && (quoted || t == amountType):
		r.Replace(i, end, null)
		return end, nil
	case quoted && isText:
		token = token[1 : len(token)-1]
	case quoted:
		r.Replace(i, end, quote(token))
	}
	if r.trusts && !isText && (token[0] == '{' || token[0] == '[') {
		return end, nil
	}
	err := reflect.New(t).Interface().(json.Unmarshaler).UnmarshalJSON(token)
	if err == nil {
		return end, nil
	}
	if inner, ok := describe(err).(*FieldError); ok && inner.Path != "" {
		return 0, inner
	}
	return 0, &FieldError{"", jsontext.Kind(token) + " does not fit " + t.String(), false}
}

func quote(token []byte) []byte {
	quoted := append(make([]byte, 0, len(token)+2), '"')
	return append(append(quoted, token...), '"')
}

func within(name string, err error) error {
	if e, ok := err.(*FieldError); ok {
		return e.within(name)
	}
	return err
}

// isFirm reports an error that no field around it takes back: the value is of a
// strict field.
func isFirm(err error) bool {
	e, ok := err.(*FieldError)
	return ok && e.firm
}

func firmly(err error) error {
	if e, ok := err.(*FieldError); ok {
		return &FieldError{e.Path, e.Problem, true}
	}
	return err
}
