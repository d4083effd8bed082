package walletfi

import (
	"bytes"
	"encoding/json"
	"errors"
)

// Document is the JSON of a response, or of a part of it, whose shape is not
// documented.
type Document []byte

// Decode reads the document into v as encoding/json does. Numbers in an
// interface value become json.Number, so that no amount passes through a
// float.
func (d Document) Decode(v any) error {
	dec := json.NewDecoder(bytes.NewReader(d))
	dec.UseNumber()
	return dec.Decode(v)
}

// IsZero reports whether the service sent nothing.
func (d Document) IsZero() bool { return len(d) == 0 }

// String returns the text as it came.
func (d Document) String() string { return string(d) }

// MarshalJSON returns the bytes as they came, null for an empty document.
func (d Document) MarshalJSON() ([]byte, error) {
	if len(d) == 0 {
		return []byte("null"), nil
	}
	return d, nil
}

// UnmarshalJSON stores a copy of b.
func (d *Document) UnmarshalJSON(b []byte) error {
	if d == nil {
		return errors.New("walletfi: UnmarshalJSON on a nil *Document")
	}
	*d = append((*d)[:0], b...)
	return nil
}
