package transport

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// far is a wait that no policy grants. It is well under what a time.Duration
// and time.Time.Add hold.
const far = 100 * 365 * 24 * time.Hour

// serverWait is how long the service asks to wait after a 429 or 503: the
// longer of Retry-After and the rate limit's reset. A time that is not in the
// future by the service's own clock counts as floor.
func serverWait(h http.Header, now time.Time, floor time.Duration) (wait time.Duration, known bool) {
	after, okAfter := retryAfter(h, now, floor)
	reset, okReset := untilReset(h, now, floor)
	return max(after, reset), okAfter || okReset
}

// retryAfter reads Retry-After as seconds, with or without a fraction, or as
// an HTTP date. What is neither, or negative, is as if it were not there.
func retryAfter(h http.Header, now time.Time, floor time.Duration) (time.Duration, bool) {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if text == "" {
		return 0, false
	}
	if at, err := http.ParseTime(text); err == nil {
		return untilTime(at, h, now, floor), true
	}
	return seconds(text)
}

// untilReset reads the Unix second at which a rate limit resets.
func untilReset(h http.Header, now time.Time, floor time.Duration) (time.Duration, bool) {
	text := firstHeader(h, "X-RateLimit-Reset", "X-Rate-Limit-Reset")
	unix, ok := seconds(text)
	if !ok {
		return 0, false
	}
	if unix >= far {
		return far, true
	}
	return untilTime(time.Unix(0, int64(unix)), h, now, floor), true
}

// seconds reads a count of seconds and rounds it up to whole ones; what is
// beyond all measure is far.
func seconds(text string) (time.Duration, bool) {
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case math.IsNaN(f) || err != nil && !math.IsInf(f, 1) || f < 0:
		return 0, false
	case f >= far.Seconds():
		return far, true
	}
	return time.Duration(math.Ceil(f)) * time.Second, true
}

// untilTime reckons a time of the service's against the Date of its answer, so
// that a local clock that is off does no harm. Without a Date the local clock
// is all there is, and floor guards against one that is ahead.
func untilTime(at time.Time, h http.Header, now time.Time, floor time.Duration) time.Duration {
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return min(max(at.Sub(now), floor), far)
}

// remainingCount reads how many requests the service says are left.
func remainingCount(h http.Header) (int, bool) {
	n, err := strconv.Atoi(firstHeader(h, "X-RateLimit-Remaining", "X-Rate-Limit-Remaining"))
	return n, err == nil && n >= 0
}

func firstHeader(h http.Header, names ...string) string {
	for _, name := range names {
		if v := strings.TrimSpace(h.Get(name)); v != "" {
			return v
		}
	}
	return ""
}
