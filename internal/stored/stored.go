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
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
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

	Origin
	// Fields is the member answer, which [Form.Read] sets.
	Fields walletfi.Document `json:"-"`

	KeepsRaw bool `json:"-"` // Raw is never left out
	built    bool // Intent is never left out
}

// Origin is where the typed fields come from, if the service's bytes are in the
// words of a deployment. Those that are read from the stored answer are held against the
// bytes before these go back.
type Origin struct {
	Live  bool   `json:"live,omitempty"`  // the bytes are in a deployment's words: Answer is restored
	Whole string `json:"whole,omitempty"` // the whole answer, if Raw does not say all that it says
	Fresh bool   `json:"-"`               // a client of this process has decoded it
}

// MarshalJSON refuses bytes that are not UTF-8, because JSON text cannot hold them.
func (f Form) MarshalJSON() ([]byte, error) {
	if !utf8.ValidString(f.Raw + f.Whole) {
		return nil, fmt.Errorf("%s: cannot be stored: the service's bytes are not UTF-8", f.Type)
	}
	type fields Form
	return json.Marshal(fields(f))
}

// Read reads b into the form, of which Answer and Request point to where they go.
// It returns the bytes of the answer, Raw before Answer, and nil if b is not a
// stored form of this type. What names the type is held to it: a member that is
// missing or cannot be read is [walletfi.ErrDecode], because the form without it
// would be taken for an answer that asks for nothing.
func (f *Form) Read(b []byte) (walletfi.Document, error) {
	typ, _ := json.Marshal(f.Type)
	if !bytes.HasPrefix(bytes.TrimLeft(b, " \t\r\n"), []byte("{")) || !bytes.Contains(b, typ) {
		return nil, nil
	}
	form, err := wire.Members(b)
	if !bytes.Equal(form["type"], typ) {
		return nil, nil
	}
	if err != nil {
		return nil, f.unread("form", err)
	}
	for _, name := range f.mustSay() {
		if form[name].IsZero() || string(form[name]) == "null" {
			return nil, f.unread(name, errMissing)
		}
	}
	for _, member := range []struct {
		name string
		into any
	}{{"raw", &f.Raw}, {"request", f.Request}, {"intent", &f.Intent}, {"receivedAt", &f.ReceivedAt},
		{"live", &f.Live}, {"whole", &f.Whole}} {
		from := form[member.name]
		if from.IsZero() || member.into == nil {
			continue
		}
		if err := wire.OnceInAnyCase(from); err != nil {
			return nil, f.unread(member.name, err)
		}
		if err := json.Unmarshal(from, member.into); err != nil {
			return nil, f.unread(member.name, err)
		}
	}
	f.Fields = form["answer"]
	if f.Raw != "" {
		return walletfi.Document(f.Raw), nil
	}
	return form["answer"], nil
}

// mustSay returns the members without which a form of this type is not whole.
func (f *Form) mustSay() []string {
	must := []string{"answer"}
	if f.KeepsRaw {
		must = append(must, "raw")
	}
	if f.built {
		must = append(must, "intent")
	}
	return must
}

var errMissing = errors.New("missing")

func (f *Form) unread(member string, err error) error {
	return fmt.Errorf("%s: stored %s: %w: %w", f.Type, member, err, walletfi.ErrDecode)
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

// ReadBuilt reads what [Built] wrote, or a service's answer, into fields. A service's
// answer has no intent, and leaves that which is there.
func ReadBuilt[T any](typ string, b []byte, intent *walletfi.Intent, fields *T) error {
	return readBuilt(Form{Type: typ, built: true}, b, intent, func(b []byte, _ func(wire.Breach) bool) error {
		return wire.DecodeFields(b, fields, nil)
	})
}

// ReadKept is [ReadBuilt] for a type that keeps the service's bytes and has a decoder
// of its own.
func ReadKept(typ string, b []byte, intent *walletfi.Intent, decode decoder) error {
	return readBuilt(Form{Type: typ, KeepsRaw: true, built: true}, b, intent, decode)
}

// A decoder reads a service's answer. It lets the breaches through which waive does, unless
// it is nil, as for what was stored.
type decoder = func(b []byte, waive func(wire.Breach) bool) error

func readBuilt(f Form, b []byte, intent *walletfi.Intent, decode decoder) error {
	answer, err := f.Read(b)
	if err != nil {
		return err
	}
	if answer == nil {
		return decode(b, nil)
	}
	if err := decode(answer, nil); err != nil {
		return err
	}
	*intent = *f.Intent
	return nil
}

// Kept is Built for a type that keeps the service's bytes: without them it fails.
func Kept(typ string, fields any, raw walletfi.Document, intent walletfi.Intent) ([]byte, error) {
	if raw.IsZero() {
		return nil, ErrMade(typ)
	}
	return Built(typ, fields, raw, intent)
}

// BuiltLive is [Built] for bytes that go back to a service.
func BuiltLive(typ string, fields any, raw walletfi.Document, intent walletfi.Intent, from Origin) ([]byte, error) {
	return json.Marshal(Form{Type: typ, Answer: fields, Raw: string(raw), Intent: &intent, Origin: from})
}

// ReadLive is [ReadKept] for bytes that go back to a service. decode reads the fields, and
// gets the bytes too.
func ReadLive(
	typ string, b []byte, intent *walletfi.Intent, from *Origin, decode func(fields, raw []byte) error,
) error {
	f := Form{Type: typ, KeepsRaw: true, built: true}
	raw, err := f.Read(b)
	if err != nil {
		return err
	}
	if raw == nil {
		*from = Origin{}
		return decode(b, b)
	}
	fields := raw
	if f.Live {
		fields = f.Fields
	}
	if err := decode(fields, raw); err != nil {
		return err
	}
	*intent, *from = *f.Intent, f.Origin
	return nil
}

// Same holds restored fields against those that the bytes say. The fields of a form
// that is not live were read from the bytes.
func Same(field string, from Origin, restored, said any) error {
	if !from.Live {
		return nil
	}
	a, err := json.Marshal(restored)
	if err != nil {
		return err
	}
	b, err := json.Marshal(said)
	if err == nil && !bytes.Equal(a, b) {
		err = &walletfi.MismatchError{Field: field, Asked: string(a), Answered: string(b)}
	}
	return err
}
