// Package stored is the form in which an answer is kept between two requests of a
// program's own: what the service sent, and what the request asked for, which the
// answer does not say.
//
//	{"type": "swap.Quote", "answer": {...}, "raw": "...", "request": {...}}
//
// A type's UnmarshalJSON reads this form beside the service's own. A service cannot
// forge it to its gain: a client sets all that the request asked for after it has
// decoded an answer.
package stored

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go"
)

// Form is a stored answer.
type Form struct {
	Type string `json:"type"` // package and name, such as swap.Quote
	// Answer is the typed fields, for programs in other languages to read.
	Answer any `json:"answer"`
	// Raw is the service's bytes. It is text, because json.Marshal would change
	// them. It is empty if the type does not keep them: then Answer is restored.
	Raw        string           `json:"raw,omitempty"`
	Request    any              `json:"request,omitempty"` // what was asked for
	Intent     *walletfi.Intent `json:"intent,omitempty"`  // of what was built
	ReceivedAt time.Time        `json:"receivedAt,omitzero"`
}

// MarshalJSON refuses bytes that are not UTF-8, because JSON text cannot hold them.
func (f Form) MarshalJSON() ([]byte, error) {
	if !utf8.ValidString(f.Raw) {
		return nil, fmt.Errorf("%s: cannot be stored: the service's bytes are not UTF-8", f.Type)
	}
	type fields Form
	return json.Marshal(fields(f))
}

// Read reads b into the form, of which Answer and Request point to where they go.
// It returns the bytes of the answer, Raw before Answer, and nil if b is not a
// stored form of this type.
func (f *Form) Read(b []byte) (walletfi.Document, error) {
	typ, _ := json.Marshal(f.Type)
	if !bytes.HasPrefix(bytes.TrimLeft(b, " \t\r\n"), []byte("{")) || !bytes.Contains(b, typ) {
		return nil, nil
	}
	var form struct {
		Type       string            `json:"type"`
		Answer     walletfi.Document `json:"answer"`
		Raw        string            `json:"raw"`
		Request    walletfi.Document `json:"request"`
		Intent     *walletfi.Intent  `json:"intent"`
		ReceivedAt time.Time         `json:"receivedAt"`
	}
	if json.Unmarshal(b, &form) != nil || form.Type != f.Type || form.Answer.IsZero() {
		return nil, nil
	}
	f.Intent, f.Raw, f.ReceivedAt = form.Intent, form.Raw, form.ReceivedAt
	if f.Request != nil && !form.Request.IsZero() {
		if err := json.Unmarshal(form.Request, f.Request); err != nil {
			return nil, err
		}
	}
	if form.Raw != "" {
		return walletfi.Document(form.Raw), nil
	}
	return form.Answer, nil
}

// ErrMade refuses to store what did not come from the service, because the bytes
// that must go back to it are missing.
func ErrMade(typ string) error {
	return fmt.Errorf("%s: cannot be stored: it did not come from the service", typ)
}

// Built marshals what a builder returned: its fields, its bytes if it keeps them,
// and its intent.
func Built(typ string, fields any, raw walletfi.Document, intent walletfi.Intent) ([]byte, error) {
	return json.Marshal(Form{Type: typ, Answer: fields, Raw: string(raw), Intent: &intent})
}

// ReadBuilt reads what [Built] wrote, or a service's answer, with decode. Without
// a stored intent, intent stays as it is.
func ReadBuilt(typ string, b []byte, intent *walletfi.Intent, decode func([]byte) error) error {
	f := Form{Type: typ}
	answer, err := f.Read(b)
	if err != nil {
		return err
	}
	if answer == nil {
		return decode(b)
	}
	if err := decode(answer); err != nil {
		return err
	}
	if f.Intent != nil {
		*intent = *f.Intent
	}
	return nil
}
