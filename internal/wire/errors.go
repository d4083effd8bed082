package wire

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

// What is wrong with a text that is not JSON.
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

// WellFormed returns what is wrong with a body that is kept as JSON.
func WellFormed(body []byte) error {
	s, err := scan(body)
	if err != nil {
		return err
	}
	s.Skip()
	return s.end()
}

// syntaxError says why the body is not JSON, nil if it is.
func syntaxError(body []byte) error {
	var text json.RawMessage
	err := json.Unmarshal(body, &text)
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	switch {
	case err == nil:
		return nil
	case len(bytes.TrimSpace(body)) == 0:
		return ErrEmpty
	case !ok:
		return ErrSyntax
	case syntax.Offset >= int64(len(body)) && strings.Contains(syntax.Error(), "unexpected end"):
		return ErrTruncated
	}
	return fmt.Errorf("%w (byte %d of %d)", ErrSyntax, syntax.Offset, len(body))
}

// FieldError names the field that a value does not fit. It names fields of our
// own types and never what the service sent, which may be a secret.
type FieldError struct {
	Path    string // such as "data.items[3].mint"; a map's keys are shown as *
	Problem string
	firm    bool // the value is of a strict field: no field around it takes the error back
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
	return &FieldError{joined(name, e.Path), e.Problem, e.firm}
}

// joined is the path of what is at inner within outer.
func joined(outer, inner string) string {
	if outer == "" || inner == "" || inner[0] == '[' {
		return outer + inner
	}
	return outer + "." + inner
}

// describe makes a FieldError of what a type says that decodes itself. The text of
// another error may quote the body.
func describe(err error, value string, t reflect.Type) *FieldError {
	if own, ok := errors.AsType[*FieldError](err); ok && own.Path != "" {
		return own
	}
	if mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && mismatch.Field != "" {
		got, _, _ := strings.Cut(mismatch.Value, " ")
		return &FieldError{mismatch.Field, got + " does not fit " + mismatch.Type.String(), false}
	}
	return misfit(value, t)
}

func misfit(value string, t reflect.Type) *FieldError {
	return &FieldError{"", called(value) + " does not fit " + t.String(), false}
}

// called names what a value is.
func called(value string) string {
	switch {
	case value == "" || value[0] == '"':
		return "string"
	case value[0] == '{':
		return "object"
	case value[0] == '[':
		return "array"
	case value[0] == 't' || value[0] == 'f':
		return "bool"
	}
	return "number"
}

// Usable reports whether a decoded value can be used: err is nil, or all that is
// wrong is that some records of a list could not be read.
func Usable(err error) bool {
	_, ok := errors.AsType[*walletfi.UnreadError](err)
	return err == nil || ok
}

// scan returns a scanner at the body's value.
func scan(body []byte) (*Scanner, error) {
	if len(body) == 0 {
		return nil, ErrEmpty
	}
	simple := allPlain(body)
	if !simple && !utf8.Valid(body) {
		return nil, ErrUTF8 // encoding/json would put U+FFFD in place of what it cannot read
	}
	s := &Scanner{body: body, simple: simple}
	s.text, s.base = padded(body)
	s.space()
	return s, nil
}

// end is the error of a scan that is to have read the whole text.
func (s *Scanner) end() error {
	s.space()
	switch {
	case s.deep:
		return fmt.Errorf("%w: it nests deeper than %d", ErrSyntax, MaxDepth)
	case s.failed || s.at < len(s.text):
		if err := syntaxError(s.body); err != nil {
			return err
		}
		return ErrSyntax
	}
	return nil
}
