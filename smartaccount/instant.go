package smartaccount

import (
	"time"

	"github.com/walletfi/walletfi-go/internal/check"
)

// wireTime returns t in UTC, rounded down to the millisecond, so that nothing
// ends later than t.
func wireTime(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC().Truncate(time.Millisecond)
}

// writable refuses a time whose year does not have four digits in ISO 8601.
func writable(field string, t time.Time) error {
	year := t.UTC().Year()
	return check.That(0 <= year && year <= 9999, field, "must be in a year of four digits")
}
