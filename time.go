package walletfi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"time"
)

// Time is an instant in a response. It unmarshals from RFC 3339, from a bare date
// and from Unix seconds. The zero value means that the service sent null or
// nothing. It marshals to RFC 3339, or to Unix seconds if RFC 3339 cannot express
// it, such as a year of five digits.
type Time struct{ time.Time }

// UnmarshalJSON reads RFC 3339, a date (midnight UTC) or Unix seconds, bare or
// quoted, with or without a fraction.
func (t *Time) UnmarshalJSON(b []byte) error {
	if bytes.Equal(b, []byte("null")) || bytes.Equal(b, []byte(`""`)) {
		*t = Time{}
		return nil
	}
	text := string(b)
	if b[0] == '"' {
		if err := json.Unmarshal(b, &text); err != nil {
			return err
		}
	}
	if isNumber(text) {
		return t.setSeconds(text)
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly, "2006-01-02T15:04:05.999999999"} {
		if parsed, err := time.Parse(layout, text); err == nil {
			t.Time = parsed
			return nil
		}
	}
	return fmt.Errorf("walletfi: %.40q is not a time", text)
}

func (t *Time) setSeconds(text string) error {
	if exponentTooLarge(text) {
		return fmt.Errorf("walletfi: %.40q is not a time", text)
	}
	seconds, ok := new(big.Rat).SetString(text)
	if !ok {
		return fmt.Errorf("walletfi: %.40q is not a time", text)
	}
	nanos := seconds.Mul(seconds, big.NewRat(1e9, 1))
	whole := new(big.Int).Quo(nanos.Num(), nanos.Denom())
	sec, nsec := new(big.Int).DivMod(whole, big.NewInt(1e9), new(big.Int))
	// time.Time counts from the year 1 and would wrap beyond these bounds.
	if !sec.IsInt64() || sec.Int64() > math.MaxInt64>>16 || sec.Int64() < math.MinInt64>>16 {
		return fmt.Errorf("walletfi: %.40q is not a time", text)
	}
	t.Time = time.Unix(sec.Int64(), nsec.Int64()).UTC()
	return nil
}

// MarshalJSON writes RFC 3339, null for the zero value. A time after the year
// 9999 is written as Unix seconds.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	if text, err := t.Time.MarshalJSON(); err == nil {
		return text, nil
	}
	nanos := new(big.Int).Mul(big.NewInt(t.Unix()), big.NewInt(1e9))
	nanos.Add(nanos, big.NewInt(int64(t.Nanosecond())))
	seconds := new(big.Rat).SetFrac(nanos, big.NewInt(1e9))
	if seconds.IsInt() {
		return []byte(seconds.Num().String()), nil
	}
	return []byte(seconds.FloatString(9)), nil
}
