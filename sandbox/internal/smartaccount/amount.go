package smartaccount

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// amount is an amount in smallest units, written as a string of
// digits.
type amount uint64

// UnmarshalJSON takes a string of digits, no number.
func (a *amount) UnmarshalJSON(raw []byte) error {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || !kit.IsInteger(text) {
		return fmt.Errorf("%q is not an amount", text)
	}
	*a = amount(n)
	return nil
}

// MarshalJSON writes the digits as a string.
func (a amount) MarshalJSON() ([]byte, error) { return json.Marshal(a.String()) }

// String is the digits.
func (a amount) String() string { return strconv.FormatUint(uint64(a), 10) }

// instant is an instant, written in ISO 8601 with its zone.
type instant struct{ time.Time }

// UnmarshalJSON takes what names an instant.
func (t *instant) UnmarshalJSON(raw []byte) error { return parse(&t.Time, raw, time.RFC3339) }

// date is a bare date.
type date struct{ time.Time }

// UnmarshalJSON takes a date without a time.
func (t *date) UnmarshalJSON(raw []byte) error { return parse(&t.Time, raw, time.DateOnly) }

func parse(into *time.Time, raw []byte, layout string) error {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	t, err := time.Parse(layout, text)
	if err != nil {
		return err
	}
	*into = t.UTC()
	return nil
}
