package leverage

import (
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"strconv"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// amount is a positive integer of smallest units, written as a string.
type amount uint64

// UnmarshalJSON reads an amount.
func (a *amount) UnmarshalJSON(raw []byte) error {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n == 0 || !kit.IsInteger(text) {
		return fmt.Errorf("%q is not a positive integer", text)
	}
	*a = amount(n)
	return nil
}

// share is n*numerator/denominator, rounded down. A result beyond
// uint64 is its largest value.
func share(n, numerator, denominator uint64) uint64 {
	hi, lo := bits.Mul64(n, numerator)
	if hi >= denominator {
		return math.MaxUint64
	}
	quotient, _ := bits.Div64(hi, lo, denominator)
	return quotient
}

// shareOf is a share in hundredths of a percent.
func shareOf(n, bps uint64) uint64 { return share(n, bps, 10_000) }

// less is a-b, or 0 if b is more.
func less(a, b uint64) uint64 { return a - min(a, b) }

// figure writes a computed number: in the one shape as a number, in
// the other as text.
func figure(x float64, shape int) any {
	if shape == 0 {
		return x
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// units writes an amount likewise.
func units(n uint64, shape int) any {
	if shape == 0 {
		return n
	}
	return strconv.FormatUint(n, 10)
}

// pageSize is how many records a page has by default.
const pageSize = 100
