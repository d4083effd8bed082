package lenient

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
	"github.com/walletfi/walletfi-go/internal/jsontext"
)

var (
	ErrEmpty     = errors.New("the answer is empty")
	ErrTruncated = errors.New("the answer's JSON ends early")
	ErrSyntax    = errors.New("the answer is not JSON")
	ErrUTF8      = errors.New("the answer is not valid UTF-8")
)

// IsJSON reports whether err, of a text that could not be read, says something else
// than that the text is no JSON.
func IsJSON(err error) bool {
	for _, no := range []error{ErrEmpty, ErrTruncated, ErrSyntax, ErrUTF8} {
		if errors.Is(err, no) {
			return false
		}
	}
	return true
}

// FieldError names the field that a value does not fit. It names fields of our
// own types and never what the service sent, which may be a secret.
type FieldError struct {
	Path    string // such as "data.items[3].mint"; a map's keys are shown as *
	Problem string
	firm    bool // the value is of a strict field
}

// Error names the field, if there is one, and says what is wrong with it.
func (e *FieldError) Error() string {
	if e.Path == "" {
		return e.Problem
	}
	return "field " + e.Path + ": " + e.Problem
}

// within puts the name of an enclosing field, or an index, before the path.
func (e *FieldError) within(name string) *FieldError {
	switch {
	case e.Path == "" || name == "":
		name += e.Path
	case e.Path[0] == '[':
		name += e.Path
	default:
		name += "." + e.Path
	}
	return &FieldError{name, e.Problem, e.firm}
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
		err = cmp.Or(Missing(v), err)
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
func decode(body []byte, v any) error { return decodeWalked(body, v, new(Walk)) }

func decodeWalked(body []byte, v any, w *Walk) error {
	if len(body) == 0 {
		return ErrEmpty
	}
	if !utf8.Valid(body) {
		// encoding/json would put U+FFFD in place of what it cannot read.
		return ErrUTF8
	}
	w.over(body, reflect.TypeOf(v))
	if w.misfit || !w.isTidy() {
		if unread, ok := decodeDrifted(body, v); ok {
			return unread
		}
	}
	err := json.Unmarshal(body, v)
	if err == nil && w.isTidy() || err != nil && Usable(err) {
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

// decodeDrifted reads a body that looks as if it did not fit v as it is. It rewrites it
// first, so that it is decoded once, and types that decode themselves once at each
// depth. It returns false, and v as it was, if anything else is wrong; else the records
// that could not be read.
func decodeDrifted(body []byte, v any) (unread error, ok bool) {
	target := reflect.ValueOf(v)
	if target.Kind() != reflect.Pointer || target.IsNil() || !json.Valid(body) {
		return nil, false
	}
	target = target.Elem()
	r := &relaxer{Patch: jsontext.Patch{Src: body}, trusts: true}
	_, err := r.value(jsontext.SkipSpace(r.Src, 0), target.Type(), target, nil)
	if err != nil || !r.Changed() {
		return nil, false
	}
	if json.Unmarshal(r.Bytes(), v) != nil {
		empty(target)
		return nil, false
	}
	r.settle(target)
	return unreadError(r.unread), true
}

func decodeRelaxed(body []byte, v any, strict error) error {
	return (&relaxer{Patch: jsontext.Patch{Src: body}}).decode(v, strict)
}

// decodeAll is decodeRelaxed that takes no field for strict but those that are
// required.
func decodeAll(body []byte, v any, strict error) error {
	return (&relaxer{Patch: jsontext.Patch{Src: body}, takesAll: true}).decode(v, strict)
}

func (r *relaxer) decode(v any, strict error) error {
	target := reflect.ValueOf(v).Elem()
	if _, err := r.value(jsontext.SkipSpace(r.Src, 0), target.Type(), target, nil); err != nil {
		return err
	}
	if !r.Changed() && strict != nil && !r.takesAll {
		return describe(strict)
	}
	empty(target)
	if err := json.Unmarshal(r.Bytes(), v); err != nil {
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
		return ErrEmpty
	}
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	switch {
	case !ok:
		return ErrSyntax
	case syntax.Offset >= int64(len(body)) && strings.Contains(syntax.Error(), "unexpected end"):
		return ErrTruncated
	}
	return fmt.Errorf("%w (byte %d of %d)", ErrSyntax, syntax.Offset, len(body))
}

// describe makes a FieldError of what encoding/json says, whose own text may
// quote the body.
func describe(err error) error {
	if own, ok := errors.AsType[*FieldError](err); ok {
		return own
	}
	if mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		got, _, _ := strings.Cut(mismatch.Value, " ")
		return &FieldError{mismatch.Field, got + " does not fit " + typeName(mismatch.Type), false}
	}
	return &FieldError{"", "a value does not fit its type", false}
}

func typeName(t reflect.Type) string {
	if t == nil {
		return "its type"
	}
	return t.String()
}
