package swap

import (
	"fmt"
	"net/url"
	"strconv"

	"github.com/walletfi/walletfi-go/internal/check"
)

// Slippage is how far a price may move between the quote and the trade, in
// basis points, or the service's own choice. The zero value sends nothing.
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

// FixedSlippage is a tolerance of bps basis points, 0 to 10,000.
func FixedSlippage(bps int) Slippage { return Slippage{bps, slippageFixed} }

// AutoSlippage lets the service choose the tolerance.
func AutoSlippage() Slippage { return Slippage{form: slippageAuto} }

// IsZero reports whether nothing is sent.
func (s Slippage) IsZero() bool { return s.form == slippageUnset }

// Bps returns the tolerance, and false if it is not a number.
func (s Slippage) Bps() (int, bool) { return s.bps, s.form == slippageFixed }

// String returns the query value: digits, "auto", or nothing.
func (s Slippage) String() string {
	switch s.form {
	case slippageFixed:
		return strconv.Itoa(s.bps)
	case slippageAuto:
		return "auto"
	}
	return ""
}

// EncodeValues writes the query parameter.
func (s Slippage) EncodeValues(key string, v *url.Values) error {
	if !s.IsZero() {
		v.Set(key, s.String())
	}
	return nil
}

func (s Slippage) problem(field string) error {
	ok := s.form != slippageFixed || 0 <= s.bps && s.bps <= maxBps
	return check.That(ok, field, fmt.Sprintf("must be auto or 0 to %d", maxBps))
}
