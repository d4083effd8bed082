package smartaccount

import (
	"time"

	"github.com/walletfi/walletfi-go/internal/check"
)

// wireTime is t in UTC to the millisecond, rounded down: what is said to end
// at t never ends later.
func wireTime(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC().Truncate(time.Millisecond)
}

// writable refuses a time that ISO 8601 has no four digits for.
func writable(field string, t time.Time) error {
	year := t.UTC().Year()
	return check.That(0 <= year && year <= 9999, field, "must lie in a year of four digits")
}
