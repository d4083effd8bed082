package sandbox

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// smartAccountAmount is an amount in smallest units, written as a string of
// digits.
type smartAccountAmount uint64

// UnmarshalJSON takes a string of digits, no number.
func (a *smartAccountAmount) UnmarshalJSON(raw []byte) error {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || strconv.FormatUint(n, 10) != text {
		return fmt.Errorf("%q is no amount", text)
	}
	*a = smartAccountAmount(n)
	return nil
}

// MarshalJSON writes the digits as a string.
func (a smartAccountAmount) MarshalJSON() ([]byte, error) { return json.Marshal(a.String()) }

// String is the digits.
func (a smartAccountAmount) String() string { return strconv.FormatUint(uint64(a), 10) }

// smartAccountTime is an instant, written in ISO 8601 with its zone.
type smartAccountTime struct{ time.Time }

// UnmarshalJSON takes what names an instant.
func (t *smartAccountTime) UnmarshalJSON(raw []byte) error {
	return smartAccountParse(&t.Time, raw, time.RFC3339)
}

// smartAccountDate is a bare date.
type smartAccountDate struct{ time.Time }

// UnmarshalJSON takes a date without a time.
func (t *smartAccountDate) UnmarshalJSON(raw []byte) error {
	return smartAccountParse(&t.Time, raw, time.DateOnly)
}

func smartAccountParse(into *time.Time, raw []byte, layout string) error {
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
