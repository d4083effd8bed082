package predictmeta

import (
	"strconv"
	"time"
)

// TimeFormat writes the bounds of a period in a request.
type TimeFormat func(t time.Time) string

// UnixSeconds writes whole seconds since 1970, such as "1735689600", and cuts off
// the rest.
func UnixSeconds(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }

// UnixMilliseconds writes milliseconds since 1970, such as "1735689600000".
func UnixMilliseconds(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }

// RFC3339 writes the time in UTC, such as "2025-01-01T00:00:00Z", with as many
// decimals as it has.
func RFC3339(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// period is the part of a query that bounds the time.
type period struct {
	Start string `url:"start_time,omitempty"`
	End   string `url:"end_time,omitempty"`
}

// period writes the bounds; a zero time leaves its side open.
func (c *Client) period(start, end time.Time) period {
	write := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return c.made().cfg.TimeFormat(t)
	}
	return period{write(start), write(end)}
}
