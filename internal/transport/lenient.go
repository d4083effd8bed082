package transport

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"strconv"

	"github.com/walletfi/walletfi-go"
)

// relaxer rewrites a valid body so that it fits a Go type, if the difference is
// one by which live services differ from their documents:
//
//   - a number or bool for a text is quoted;
//   - a number or bool in quotes loses them; 0 and 1 are bools; 5.0 and 1e2
//     are integers, 1.5 is not;
//   - an empty text for a number or bool, an empty array for an object, and an
//     empty object for an array are null, which
//     leaves the zero value.
//
// A type with an UnmarshalJSON of its own gets its bytes untouched: documents
// go back to the service as they came. A walletfi.Amount is as strict here as
// anywhere, but for an empty text.
type relaxer struct{ patch }

var (
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	amountType      = reflect.TypeFor[walletfi.Amount]()
	jsonNumber      = reflect.TypeFor[json.Number]()
	null            = []byte("null")
)

// relax returns body rewritten for v, nil if there is nothing to rewrite.
// It fails on what no rewriting makes fit.
func relax(body []byte, v any) ([]byte, error) {
	r := &relaxer{patch{src: body}}
	target := reflect.ValueOf(v).Elem()
	if _, err := r.value(skipSpace(body, 0), target.Type(), target, false); err != nil {
		return nil, err
	}
	if r.out == nil {
		return nil, nil
	}
	return r.bytes(), nil
}

// value handles the value at src[i] for type t and returns the index after
// it. target is the Go value if it exists already, else invalid.
func (r *relaxer) value(i int, t reflect.Type, target reflect.Value, quoted bool) (int, error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
		target = reflect.Value{}
	}
	first := r.src[i]
	switch {
	case first == 'n' || t.Kind() == reflect.Interface || t == jsonNumber && !quoted && first != '"':
		return valueEnd(r.src, i), nil
	case reflect.PointerTo(t).Implements(jsonUnmarshaler):
		return r.custom(i, t, quoted)
	case t.Kind() == reflect.Struct && first == '{' && !reflect.PointerTo(t).Implements(textUnmarshaler):
		return r.object(i, t, target)
	case t.Kind() == reflect.Map && first == '{':
		return members(r.src, i, func(_, _, at int) (int, error) {
			end, err := r.value(at, t.Elem(), reflect.Value{}, false)
			return end, within("*", err)
		})
	case isList(t) && first == '[':
		return elements(r.src, i, func(n, at int) (int, error) {
			end, err := r.value(at, t.Elem(), reflect.Value{}, false)
			return end, within("["+strconv.Itoa(n)+"]", err)
		})
	}
	return r.token(i, t, quoted)
}

func within(name string, err error) error {
	if e, ok := err.(*fieldError); ok {
		return e.within(name)
	}
	return err
}

func isList(t reflect.Type) bool { return t.Kind() == reflect.Slice || t.Kind() == reflect.Array }

func (r *relaxer) object(i int, t reflect.Type, target reflect.Value) (int, error) {
	known := fieldsOf(t)
	return members(r.src, i, func(from, to, at int) (int, error) {
		f := known.find(plain(r.src[from:to]))
		if f == nil {
			return valueEnd(r.src, at), nil
		}
		end, err := r.value(at, held(target, f), reflect.Value{}, f.quoted)
		return end, within(f.name, err)
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
	end := valueEnd(r.src, i)
	token := r.src[i:end]
	isText := token[0] == '"'
	switch {
	case isText && len(token) == 2 && (quoted || t == amountType):
		r.replace(i, end, null)
		return end, nil
	case quoted && isText:
		token = token[1 : len(token)-1]
	case quoted:
		r.replace(i, end, quote(token))
	}
	err := reflect.New(t).Interface().(json.Unmarshaler).UnmarshalJSON(token)
	if err == nil {
		return end, nil
	}
	if inner, ok := describe(err).(*fieldError); ok && inner.path != "" {
		return 0, inner
	}
	return 0, &fieldError{"", tokenKind(token) + " does not fit " + t.String()}
}

func quote(token []byte) []byte { return append(append([]byte{'"'}, token...), '"') }

// token handles what is a scalar, or should be one.
func (r *relaxer) token(i int, t reflect.Type, quoted bool) (int, error) {
	end := valueEnd(r.src, i)
	token := r.src[i:end]
	fit, ok := fitted(token, t, quoted)
	if !ok {
		return 0, &fieldError{"", fmt.Sprintf("%s does not fit %s", tokenKind(token), t)}
	}
	if !bytes.Equal(fit, token) {
		r.replace(i, end, fit)
	}
	return end, nil
}

// fitted returns token as encoding/json takes it for type t.
func fitted(token []byte, t reflect.Type, quoted bool) ([]byte, bool) {
	isText, isNest := token[0] == '"', token[0] == '{' || token[0] == '['
	k := t.Kind()
	switch {
	case k == reflect.String && t != jsonNumber, reflect.PointerTo(t).Implements(textUnmarshaler):
		if isText || isNest {
			return token, isText
		}
		return quote(token), true
	case k == reflect.Struct, k == reflect.Map, isList(t):
		if isNest && isEmptyNest(token) {
			return null, true
		}
		return token, isText && isList(t) && t.Elem().Kind() == reflect.Uint8
	case isNest:
		return nil, false
	case isText && len(token) == 2:
		return null, true
	}
	text := token
	if isText {
		text = token[1 : len(token)-1]
	}
	fit, ok := fittedScalar(text, k)
	if quoted && ok {
		fit = quote(fit)
	}
	return fit, ok
}

// fittedScalar returns text as a JSON literal of kind k.
func fittedScalar(text []byte, k reflect.Kind) ([]byte, bool) {
	switch {
	case k == reflect.Bool:
		switch string(text) {
		case "true", "1":
			return []byte("true"), true
		case "false", "0":
			return []byte("false"), true
		}
		return nil, false
	case isInteger(k):
		return integral(text)
	}
	return text, isNumber(text)
}

// integral writes a number without fraction or exponent if that is exact.
func integral(text []byte) ([]byte, bool) {
	// No integer that fits is longer, even with a fraction of zeros. The bound
	// on the exponent keeps 1e999999999 from becoming that many digits.
	const longest, longestExponent = 64, len("+99")
	if !isNumber(text) || len(text) > longest {
		return nil, false
	}
	if !bytes.ContainsAny(text, ".eE") && string(text) != "-0" {
		return text, true
	}
	if _, exponent, _ := bytes.Cut(bytes.ToLower(text), []byte("e")); len(exponent) > longestExponent {
		return nil, false
	}
	r, ok := new(big.Rat).SetString(string(text))
	if !ok || !r.IsInt() {
		return nil, false
	}
	return []byte(r.Num().String()), true
}

func isNumber(text []byte) bool {
	return len(text) > 0 && (text[0] == '-' || text[0] >= '0' && text[0] <= '9') && json.Valid(text)
}

// tokenKind names what token is.
func tokenKind(token []byte) string {
	switch {
	case len(token) == 0 || token[0] == '"':
		return "string"
	case token[0] == '{':
		return "object"
	case token[0] == '[':
		return "array"
	case token[0] == 't' || token[0] == 'f':
		return "bool"
	}
	return "number"
}
