package predictmeta

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// instant is a start_time or an end_time. How it is written is not
// documented: Unix seconds, Unix milliseconds, RFC 3339 and dates are understood.
type instant int64

// millis is the number from which on milliseconds are meant: as
// seconds it lies in the year 5138.
const millis = 100_000_000_000

// UnmarshalText reads any of the forms.
func (t *instant) UnmarshalText(text []byte) error {
	if n, err := strconv.ParseInt(string(text), 10, 64); err == nil && kit.IsInteger(string(text)) {
		if n >= millis {
			n /= 1000
		}
		*t = instant(n)
		return nil
	}
	at, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		at, err = time.Parse(time.DateOnly, string(text))
	}
	if err != nil {
		return fmt.Errorf("is no timestamp")
	}
	*t = instant(at.Unix())
	return nil
}

// window is the span from start up to, but without, end, which is no
// later than the present second's; fallback is how long it is if no start is given
// where it starts.
func window(start, end *instant, now, fallback int64) (from, to int64) {
	to = now + 1
	if end != nil {
		to = min(int64(*end), to)
	}
	from = to - 1 - fallback
	if start != nil {
		from = int64(*start)
	}
	kit.BadIf(start != nil && end != nil && *start > *end, "start_time is after end_time")
	return max(from, 0), to
}

// interval is the span of a market's candle. Its values are an open
// set: a count with a unit, or bare minutes.
type interval string

// seconds returns the length: an hour if there is none to be read.
func (i interval) seconds() int64 {
	const hour = 3600
	if i == "" {
		return hour
	}
	unit, digits := int64(60), string(i)
	if u, ok := map[byte]int64{'m': 60, 'h': 3600, 'd': day, 'w': 7 * day}[i[len(i)-1]]; ok {
		unit, digits = u, digits[:len(digits)-1]
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 1 || n > math.MaxInt32 {
		return hour
	}
	return n * unit
}
