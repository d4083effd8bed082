package walletfi

import (
	"bytes"
	"fmt"
	"net/url"
	"strconv"
)

// Slippage is how far a price may move between the quote and the trade: basis
// points (50 is 0.5 %), or the service's own choice. The zero value states none; a
// tolerance of 0 is SlippageBps(0). Each request says which of the three it takes.
type Slippage struct {
	bps  int
	form slippageForm
}

type slippageForm uint8

const (
	slippageUnset slippageForm = iota
	slippageFixed
	slippageAuto
)

// SlippageBps is a tolerance of n basis points, 0 to 10,000. A request with
// another number fails before it is sent.
func SlippageBps(n int) Slippage { return Slippage{n, slippageFixed} }

// AutoSlippage lets the service choose the tolerance.
func AutoSlippage() Slippage { return Slippage{form: slippageAuto} }

// IsZero reports whether no tolerance is stated.
func (s Slippage) IsZero() bool { return s.form == slippageUnset }

// Bps returns the basis points, and false if the tolerance is not a number.
func (s Slippage) Bps() (int, bool) { return s.bps, s.form == slippageFixed }

// String returns the basis points in digits, "auto", or nothing.
func (s Slippage) String() string {
	switch s.form {
	case slippageFixed:
		return strconv.Itoa(s.bps)
	case slippageAuto:
		return "auto"
	}
	return ""
}

// EncodeValues writes the query parameter, if a tolerance is stated.
func (s Slippage) EncodeValues(key string, v *url.Values) error {
	if !s.IsZero() {
		v.Set(key, s.String())
	}
	return nil
}

// MarshalJSON writes a number, "auto", or null.
func (s Slippage) MarshalJSON() ([]byte, error) {
	switch s.form {
	case slippageFixed:
		return strconv.AppendInt(nil, int64(s.bps), 10), nil
	case slippageAuto:
		return []byte(`"auto"`), nil
	}
	return []byte("null"), nil
}

// UnmarshalJSON reads an integer, bare or quoted, "auto", or null.
func (s *Slippage) UnmarshalJSON(b []byte) error {
	text := string(bytes.Trim(b, `"`))
	switch text {
	case "null", "":
		*s = Slippage{}
		return nil
	case "auto":
		*s = AutoSlippage()
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return fmt.Errorf("walletfi: a slippage must be basis points or auto: %w", ErrDecode)
	}
	*s = SlippageBps(n)
	return nil
}
