package walletfi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go/internal/instant"
)

// Clock is the time of a client, for tests that do not wait: a sandbox's moves by
// hand, and what is due on the way happens at its time. It is safe for concurrent
// use.
type Clock interface {
	// Now is the clock's time.
	Now() time.Time
	// AfterFunc calls f once, in a goroutine of its own, when d has passed on the
	// clock; at once if d is 0 or less. stop keeps it from being called, and reports
	// whether it did.
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

// Time is an instant in a response. The zero value means that the service sent
// null or nothing, or what could not be read. It marshals to RFC 3339.
type Time struct{ time.Time }

// UnmarshalJSON reads the date-times of ISO 8601, in the extended and the basic
// form, with any offset or none (UTC); a bare date (midnight UTC); and Unix
// seconds, milliseconds or microseconds, bare or quoted, with or without a
// fraction. The size of the number tells them apart: seconds reach to the end of
// the year 9999, which is 253402300799. What is later than that year is an error.
func (t *Time) UnmarshalJSON(b []byte) error {
	if bytes.Equal(b, []byte("null")) || bytes.Equal(b, []byte(`""`)) {
		*t = Time{}
		return nil
	}
	text, read := string(b), instant.Unix[string]
	if b[0] == '"' {
		if err := json.Unmarshal(b, &text); err != nil {
			return err
		}
		read = instant.Parse[string]
	}
	parsed, ok := read(text)
	if !ok {
		return fmt.Errorf("walletfi: %.40q is not a time", text)
	}
	t.Time = parsed
	return nil
}

// MarshalJSON writes RFC 3339, null for the zero value. A time outside of the
// years 0 to 9999 is an error: nothing would read it as the same time.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	if text, err := t.Time.MarshalJSON(); err == nil {
		return text, nil
	}
	return t.UTC().MarshalJSON() // its offset is one that RFC 3339 does not have
}
