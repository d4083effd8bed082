package transport

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go"
)

var (
	errEmpty     = errors.New("the answer is empty")
	errTruncated = errors.New("the answer's JSON ends early")
	errSyntax    = errors.New("the answer is not JSON")
	errUTF8      = errors.New("the answer is not valid UTF-8")
)

// fieldError names the field that a value does not fit. It names fields of our
// own types and never what the service sent, which may be a secret.
type fieldError struct {
	path    string // such as "data.items[3].mint"; a map's keys are shown as *
	problem string
	firm    bool // the value is of a strict field
}

func (e *fieldError) Error() string {
	if e.path == "" {
		return e.problem
	}
	return "field " + e.path + ": " + e.problem
}

// within puts the name of an enclosing field, or an index, before the path.
func (e *fieldError) within(name string) *fieldError {
	switch {
	case e.path == "" || name == "":
		name += e.path
	case e.path[0] == '[':
		name += e.path
	default:
		name += "." + e.path
	}
	return &fieldError{name, e.problem, e.firm}
}

// Unmarshal reads what comes to a client outside of a call (a message of a
// feed, a webhook's delivery, a part that a type decodes on its own) as an
// answer is read: leniently, but strict on fields tagged wire:"required". Its
// errors are walletfi.ErrDecode and hold no content.
//
// A value that does not fit leaves its field at zero, unless the field is strict:
// see relaxer. Elements that cannot be read, of a list tagged wire:"records", are
// left out: the error is then a [*walletfi.UnreadError], and v holds the rest.
func Unmarshal(data []byte, v any) error {
	err := decode(data, v)
	if Usable(err) {
		err = cmp.Or(missing(v), err)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", walletfi.ErrDecode, err)
	}
	return nil
}

// decode reads body into v as encoding/json does. If a value does not fit its Go
// type, or a member comes twice, the body is read a second time with the harmless
// differences undone: see relaxer. v must be zero, but for a field Raw, and for
// pointers that its interfaces hold.
func decode(body []byte, v any) error {
	if len(body) == 0 {
		return errEmpty
	}
	if !utf8.Valid(body) {
		// encoding/json would put U+FFFD in place of what it cannot read.
		return errUTF8
	}
	err := json.Unmarshal(body, v)
	if err == nil && tidy(body, reflect.TypeOf(v)) || err != nil && Usable(err) {
		return err
	}
	if _, wrong := err.(*json.InvalidUnmarshalError); wrong {
		return err
	}
	if !json.Valid(body) {
		return syntaxError(body, err)
	}
	return decodeRelaxed(body, v, err)
}

func decodeRelaxed(body []byte, v any, strict error) error {
	return (&relaxer{patch: patch{src: body}}).decode(v, strict)
}

// decodeAll is decodeRelaxed that takes no field for strict but those that are
// required.
func decodeAll(body []byte, v any, strict error) error {
	return (&relaxer{patch: patch{src: body}, takesAll: true}).decode(v, strict)
}

func (r *relaxer) decode(v any, strict error) error {
	target := reflect.ValueOf(v).Elem()
	if _, err := r.value(skipSpace(r.src, 0), target.Type(), target, nil); err != nil {
		return err
	}
	if r.out == nil && strict != nil {
		return describe(strict)
	}
	empty(target)
	if err := json.Unmarshal(r.bytes(), v); err != nil {
		return describe(err)
	}
	r.settle(target)
	return unreadError(r.unread)
}

// empty makes v zero, but for a field Raw, and for the pointers that its
// interfaces hold: it makes zero what they point to.
func empty(v reflect.Value) {
	stay := map[int]reflect.Value{}
	if v.Kind() == reflect.Struct {
		for i := range v.NumField() {
			f := v.Field(i)
			if f.Kind() == reflect.Interface && f.CanSet() && !f.IsNil() && f.Elem().Kind() == reflect.Pointer && !f.Elem().IsNil() {
				f.Elem().Elem().SetZero()
				stay[i] = f.Elem()
			}
		}
	}
	raw := rawOf(v)
	v.SetZero()
	for i, value := range stay {
		v.Field(i).Set(value)
	}
	if len(raw) > 0 {
		v.FieldByIndex(fieldsOf(v.Type()).raw).SetBytes(raw)
	}
}

// rawOf returns what is in the field Raw of v, nil if it has none.
func rawOf(v reflect.Value) []byte {
	if v.Kind() != reflect.Struct || fieldsOf(v.Type()).raw == nil {
		return nil
	}
	raw, err := v.FieldByIndexErr(fieldsOf(v.Type()).raw)
	if err != nil {
		return nil
	}
	return raw.Bytes()
}

func syntaxError(body []byte, err error) error {
	if len(bytes.TrimSpace(body)) == 0 {
		return errEmpty
	}
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	switch {
	case !ok:
		return errSyntax
	case syntax.Offset >= int64(len(body)) && strings.Contains(syntax.Error(), "unexpected end"):
		return errTruncated
	}
	return fmt.Errorf("%w (byte %d of %d)", errSyntax, syntax.Offset, len(body))
}

// describe makes a fieldError of what encoding/json says, whose own text may
// quote the body.
func describe(err error) error {
	if own, ok := errors.AsType[*fieldError](err); ok {
		return own
	}
	if mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		got, _, _ := strings.Cut(mismatch.Value, " ")
		return &fieldError{mismatch.Field, got + " does not fit " + typeName(mismatch.Type), false}
	}
	return &fieldError{"", "a value does not fit its type", false}
}

func typeName(t reflect.Type) string {
	if t == nil {
		return "its type"
	}
	return t.String()
}
