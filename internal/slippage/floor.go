package slippage

import (
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/echo"
)

// Stated is an amount of an answer, by the name that it has there.
type Stated struct {
	Field  string
	Amount walletfi.Amount
}

// Floors holds the floors of an answer, of which 0 states none, against least, which the
// request allows: no floor may be lower, and if least is more than 0, there must be one.
// None may be above what is quoted. An answer that quotes no output at all is refused
// whatever is allowed.
func Floors(quoted Stated, least walletfi.Amount, floors ...Stated) error {
	highest := floors[0]
	var low []error
	for _, f := range floors {
		if f.Amount > highest.Amount {
			highest = f
		}
		if f.Amount > 0 {
			low = append(low, floor(f, least))
		}
	}
	none := echo.That(quoted.Amount > 0, quoted.Field, "more than 0", quoted.Amount)
	if highest.Amount == 0 {
		return echo.All(none, floor(highest, least))
	}
	if none == nil {
		none = Ordered(highest, quoted)
	}
	return echo.All(append(low, none)...)
}

// Ordered holds two amounts of one answer against each other: an estimated output is not
// below its own floor, an estimated input not above its own ceiling.
func Ordered(low, high Stated) error {
	most := "at most " + high.Field + " " + high.Amount.String()
	return echo.That(low.Amount <= high.Amount, low.Field, most, low.Amount)
}

func floor(f Stated, least walletfi.Amount) error {
	return echo.That(f.Amount >= least, f.Field, "at least "+least.String(), f.Amount)
}

// Ceiling holds an amount that an answer says is taken against the most that the request
// allows.
func Ceiling(taken Stated, most walletfi.Amount) error {
	return echo.That(taken.Amount <= most, taken.Field, "at most "+most.String(), taken.Amount)
}
