package peer

import (
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

// UntilReset reads the Unix second at which a rate limit resets.
func UntilReset(h http.Header, now time.Time, floor time.Duration) (time.Duration, bool) {
	unix, ok := number(first(h, "X-Ratelimit-Reset", "X-Rate-Limit-Reset"))
	switch {
	case !ok:
		return 0, false
	case unix > lastSecond:
		return Far, true
	}
	return untilTime(time.Unix(int64(math.Ceil(unix)), 0), h, now, floor), true
}

// lastSecond is the end of the year 9999. A later reset is no time.
const lastSecond = 253402300799

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
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return min(max(at.Sub(now), floor), Far)
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
