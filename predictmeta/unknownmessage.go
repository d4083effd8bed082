package predictmeta

import (
	"encoding/json"
	"errors"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go"
)

// storedUnknown is an UnknownMessage in JSON. Its message may be no JSON, so that
// Raw is text, or base64 if it is no text either.
type storedUnknown struct {
	Type     string  `json:"type,omitempty"`
	Raw      *string `json:"raw,omitempty"`
	RawBytes []byte  `json:"rawBytes,omitempty"`
	Err      *string `json:"error,omitempty"`
}

// MarshalJSON writes the message, whatever its bytes are, and the text of the error.
func (m UnknownMessage) MarshalJSON() ([]byte, error) {
	s := storedUnknown{Type: m.Type}
	if text := string(m.Raw); utf8.ValidString(text) {
		if m.Raw != nil {
			s.Raw = &text
		}
	} else {
		s.RawBytes = m.Raw
	}
	if m.Err != nil {
		why := m.Err.Error()
		if record, ok := errors.AsType[*walletfi.RecordError](m.Err); ok && record.Err != nil {
			why = record.Err.Error()
		}
		s.Err = &why
	}
	return json.Marshal(s)
}

// UnmarshalJSON reads what MarshalJSON wrote. Err is a [*walletfi.RecordError] again.
func (m *UnknownMessage) UnmarshalJSON(b []byte) error {
	var s storedUnknown
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	*m = UnknownMessage{Type: s.Type, Raw: s.RawBytes}
	if s.Raw != nil {
		m.Raw = walletfi.Document(*s.Raw)
	}
	if s.Err != nil {
		m.Err = &walletfi.RecordError{Raw: m.Raw, Err: errors.New(*s.Err)}
	}
	return nil
}
