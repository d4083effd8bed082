package wire

import (
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/instant"
	"github.com/walletfi/walletfi-go/internal/number"
)

// bounds are those of a member, nil if it has none.
type bounds struct {
	min, max walletfi.Decimal
	// A number that is written plainly is within both if it has so many digits before
	// the point, as number.Whole counts them.
	fewest, most int
}

func boundsOf(t Tag) *bounds {
	if t.Min.IsZero() && t.Max.IsZero() {
		return nil
	}
	b := &bounds{min: t.Min, max: t.Max, most: number.MaxDigits}
	for !t.Min.IsZero() && b.fewest <= number.MaxDigits && leastOf(b.fewest).Cmp(t.Min) < 0 {
		b.fewest++
	}
	for !t.Max.IsZero() && b.most >= 0 && leastOf(b.most+1).Cmp(t.Max) > 0 {
		b.most--
	}
	return b
}

// leastOf is the least number with so many digits before the point.
func leastOf(digits int) walletfi.Decimal {
	if digits == 0 {
		return walletfi.MustDecimal("0")
	}
	return walletfi.MustDecimal("1" + strings.Repeat("0", digits-1))
}

// holdAll reports whether both hold whatever number has so many digits before the point.
func (b *bounds) holdAll(digits int) bool { return b == nil || b.fewest <= digits && digits <= b.most }

func (b *bounds) hold(n walletfi.Decimal) bool {
	return (b.min.IsZero() || n.Cmp(b.min) >= 0) && (b.max.IsZero() || n.Cmp(b.max) <= 0)
}

// The instants that a time of an answer can be. Before the first one there was no chain;
// a number after the last one counts something else than the units of a time.
var (
	firstTime = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	lastTime  = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)
)

// isRecent reports whether a plain number is a Unix time in seconds from 2001 on and before 2192,
// without reading it.
func isRecent(text string, digits int) bool {
	return digits == 10 && len(text) == digits && text[0] < '7'
}

// timeFault returns what is wrong with the text of a time of an answer.
func timeFault(text string, isNumber bool) Fault {
	switch t, ok := instant.Parse(text); {
	case !ok:
		return OfNoKind
	case t.Before(firstTime) || isNumber && !t.Before(lastTime):
		return OutOfRange
	}
	return ""
}
