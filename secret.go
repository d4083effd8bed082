package walletfi

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// Secret holds an API key, a token or a shared secret and never prints it: every
// fmt verb, slog and String show a mask, even for an unexported field or a map
// key. Marshalling it to JSON is an error, because storing a mask instead of the
// key would lose the key.
//
// Two Secrets with the same text are not ==; compare the results of
// [Secret.Reveal].
type Secret struct {
	// A pointer to a string: fmt prints a string in an unexported field and
	// follows a pointer to a struct, but never a pointer to a string.
	text *string
}

const mask = "[secret]"

// NewSecret returns a Secret that holds text; the zero Secret if text is empty.
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
	return nil, errors.New("walletfi: a Secret does not marshal; call Reveal to marshal its text")
}

// MarshalText always fails, which keeps a Secret out of JSON map keys, XML and
// YAML.
func (s Secret) MarshalText() ([]byte, error) { return s.MarshalJSON() }
