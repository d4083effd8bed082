package walletfi

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// Secret holds an API key, a token or a shared secret and never prints it:
// every fmt verb, slog and String show a mask, from an unexported field and
// as a map key too, since the text lies behind a pointer. Marshalling it to
// JSON is an error, because a mask that is stored in place of a key is a loss.
//
// Two Secrets of the same text are not ==; compare what Reveal returns.
type Secret struct {
	// fmt follows a pointer to a struct where a verb does not fit (%s of an
	// unexported field), and never one to a string.
	text *string
}

const mask = "[secret]"

// NewSecret wraps text. An empty text gives the zero Secret.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{&text}
}

// Reveal returns the text, empty for the zero Secret.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// IsZero reports whether there is no secret.
func (s Secret) IsZero() bool { return s.text == nil }

// String returns a mask.
func (s Secret) String() string { return mask }

// GoString returns a mask.
func (s Secret) GoString() string { return mask }

// Format writes a mask for every verb.
func (s Secret) Format(f fmt.State, _ rune) { io.WriteString(f, mask) }

// LogValue gives slog a mask.
func (s Secret) LogValue() slog.Value { return slog.StringValue(mask) }

// MarshalJSON always fails.
func (s Secret) MarshalJSON() ([]byte, error) {
	return nil, errors.New("walletfi: a Secret is not marshalled; take Reveal where that is meant")
}

// MarshalText always fails, which keeps a Secret out of JSON map keys, XML and
// YAML.
func (s Secret) MarshalText() ([]byte, error) { return s.MarshalJSON() }
