package transport

import (
	"bytes"
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
	return &fieldError{name, e.problem}
}

// Unmarshal reads what comes to a client outside of a call (a message of a
// feed, a webhook's delivery, a part that a type decodes on its own) as an
// answer is read: leniently, but strict on fields tagged wire:"required". Its
// errors are walletfi.ErrDecode and hold no content.
func Unmarshal(data []byte, v any) error {
	err := decode(data, v)
	if err == nil {
		err = missing(v)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", walletfi.ErrDecode, err)
	}
	return nil
}

// decode reads body into v as encoding/json does. If a value does not fit
// its Go type, the body is read a second time with the harmless differences
// undone: see relax. It starts from what v holds, so v is best a zero value.
func decode(body []byte, v any) error {
	if len(body) == 0 {
		return errEmpty
	}
	if !utf8.Valid(body) {
		// encoding/json would put U+FFFD in place of what it cannot read.
		return errUTF8
	}
	err := json.Unmarshal(body, v)
	if err == nil {
		return nil
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
	relaxed, err := relax(body, v)
	switch {
	case err != nil:
		return err
	case relaxed == nil:
		return describe(strict)
	}
	if err := json.Unmarshal(relaxed, v); err != nil {
		return describe(err)
	}
	return nil
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
		return &fieldError{mismatch.Field, got + " does not fit " + typeName(mismatch.Type)}
	}
	return &fieldError{"", "a value does not fit its type"}
}

func typeName(t reflect.Type) string {
	if t == nil {
		return "its type"
	}
	return t.String()
}
