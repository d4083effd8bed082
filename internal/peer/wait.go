package peer

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
)

// Far is a wait that no policy grants. It is well under what a time.Duration
// and time.Time.Add hold.
const Far = 100 * 365 * 24 * time.Hour

// Wait returns how long a peer asks to wait: the longer of Retry-After and the
// rate limit's reset. now is when the answer arrived. A time that is not in the
// future by the peer's own clock counts as floor.
func Wait(h http.Header, now time.Time, floor time.Duration) (wait time.Duration, known bool) {
	after, okAfter := RetryAfter(h, now, floor)
	reset, okReset := UntilReset(h, now, floor)
	return max(after, reset), okAfter || okReset
}

// TooLong returns the error for a wait that is longer than a policy or a
// deadline allows. The caller can come back later, as after a rate limit.
func TooLong(wait time.Duration) error {
	return fmt.Errorf("%w: the service asks to wait %v", walletfi.ErrRateLimited, wait)
}

// RetryAfter reads the header of that name as seconds, with or without a
// fraction, or as an HTTP date. Any other value, and a negative one, is ignored.
func RetryAfter(h http.Header, now time.Time, floor time.Duration) (time.Duration, bool) {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if text == "" {
		return 0, false
	}
	if at, err := http.ParseTime(text); err == nil {
		return untilTime(at, h, now, floor), true
	}
	return seconds(text)
}

// UntilReset reads the Unix second at which a rate limit resets, or the millisecond.
func UntilReset(h http.Header, now time.Time, floor time.Duration) (time.Duration, bool) {
	unix, _, ok := resetOf(h)
	switch {
	case !ok:
		return 0, false
	case unix > lastSecond:
		return Far, true
	}
	return untilTime(time.Unix(int64(math.Ceil(unix)), 0), h, now, floor), true
}

// OddReset names the header of a reset and what is odd about it: it is stated in
// milliseconds, or has passed. odd is "" if nothing is. It has passed if it was more than
// a second ago by the peer's own clock, which states whole seconds.
func OddReset(h http.Header, now time.Time) (name, odd string) {
	unix, inMillis, ok := resetOf(h)
	switch {
	case inMillis:
		odd = "in milliseconds"
	case ok && unix < float64(peerNow(h, now).Unix()-1):
		odd = "in the past"
	}
	return "X-RateLimit-Reset", odd
}

// resetOf reads the Unix second of a reset, which some peers state in milliseconds.
func resetOf(h http.Header) (unix float64, inMillis, ok bool) {
	unix, ok = number(first(h, "X-Ratelimit-Reset", "X-Rate-Limit-Reset"))
	if unix >= firstMilli && unix <= lastSecond*1000 {
		return unix / 1000, true, ok
	}
	return unix, false, ok
}

const (
	// lastSecond is the end of the year 9999. A later reset is no time.
	lastSecond = 253402300799
	// firstMilli is where milliseconds begin: in 1973, or as seconds in 5138.
	firstMilli = 100_000_000_000
)

// Remaining reads how many requests the peer says are left.
func Remaining(h http.Header) (int, bool) {
	text := first(h, "X-Ratelimit-Remaining", "X-Rate-Limit-Remaining")
	if text == "" {
		return 0, false // spares the error that Atoi would make for most answers
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0
}

// seconds reads a count of seconds and rounds it up to whole ones. A count
// that no time.Duration holds is Far.
func seconds(text string) (time.Duration, bool) {
	f, ok := number(text)
	if ok && f >= Far.Seconds() {
		return Far, true
	}
	return time.Duration(math.Ceil(f)) * time.Second, ok
}

// number reads a number that is not negative. Too large a one is infinite.
func number(text string) (float64, bool) {
	if text == "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	if math.IsNaN(f) || err != nil && !math.IsInf(f, 1) || f < 0 {
		return 0, false
	}
	return f, true
}

// untilTime compares a time of the peer's with the Date of its answer, so
// that a local clock that is off does no harm. Without a Date the local clock
// is all there is, and floor guards against one that is ahead.
func untilTime(at time.Time, h http.Header, now time.Time, floor time.Duration) time.Duration {
	return min(max(at.Sub(peerNow(h, now)), floor), Far)
}

func peerNow(h http.Header, now time.Time) time.Time {
	if date, ok := Date(h); ok {
		return date
	}
	return now
}

// Date is the peer's time when its answer was sent. One out of a cache is as old as its Age says.
func Date(h http.Header) (date time.Time, ok bool) {
	date, err := http.ParseTime(h.Get("Date"))
	age, noAge := strconv.ParseUint(cmp.Or(h.Get("Age"), "0"), 10, 31)
	return date.Add(time.Duration(age) * time.Second), err == nil && noAge == nil
}

// first returns the first header that is set. The names are canonical, since
// http.Header.Get allocates for others.
func first(h http.Header, names ...string) string {
	for _, name := range names {
		if v := strings.TrimSpace(h.Get(name)); v != "" {
			return v
		}
	}
	return ""
}
