package transport

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestUrgentIsNotLockedOut: whatever one answer says, the next urgent call leaves after
// 10 s if no window of the class can mean it, and all others after the longest window.
func TestUrgentIsNotLockedOut(t *testing.T) {
	const probe = 10 * time.Second
	past := []string{"Date", "Mon, 01 Jan 1990 00:00:00 GMT"}
	for name, c := range map[string]struct {
		status    int
		remaining string
		reset     func() string
		beside    []string
		day       time.Duration // that an urgent call waits in a class with a window of a day
		minute    time.Duration // in one of a minute
	}{
		"a 429":                       {429, "", unixIn(26280 * time.Hour), nil, probe, probe},
		"in microseconds":             {429, "", text("946684830000000"), nil, probe, probe},
		"a Date of 1990":              {429, "", unixIn(time.Minute), past, probe, probe},
		"beside Retry-After":          {429, "", unixIn(26280 * time.Hour), []string{"Retry-After", "30"}, probe, probe},
		"a count of a 503":            {503, "0", unixIn(26280 * time.Hour), nil, probe, probe},
		"a count of a success":        {200, "0", unixIn(26280 * time.Hour), nil, probe, probe},
		"a count with a Date of 1990": {503, "0", unixIn(time.Minute), past, probe, probe},
		"the last one of a count":     {200, "1", unixIn(26280 * time.Hour), nil, 0, 0},
		"a day":                       {429, "", nil, []string{"Retry-After", "86400"}, probe, probe},
		"a count for half a day":      {200, "0", unixIn(12 * time.Hour), nil, probe, probe},
		"a count for half an hour":    {200, "0", unixIn(30 * time.Minute), nil, 30 * time.Minute, probe},
	} {
		for class, want := range map[int]time.Duration{1: c.minute, 5: c.day} {
			inBubble(name+"/"+waitClasses[class].name, t, func(t *testing.T) {
				first := func(r *http.Request) (*http.Response, error) {
					headers := c.beside
					if c.reset != nil {
						headers = append(headers, "X-RateLimit-Reset", c.reset())
					}
					if c.remaining != "" {
						headers = append(headers, "X-RateLimit-Remaining", c.remaining)
					}
					return reply(c.status, success, headers...)(r)
				}
				got := waitClasses[class].play(t, []bool{true}, []step{first, reply(200, success)})
				require.Equal(t, []time.Duration{0, want}, got[:2])
			})
		}
	}
}

// TestCountsUntilNoTime: a service whose every answer states a reset that no window can
// mean holds urgent calls for 10 s after its count is used up.
func TestCountsUntilNoTime(t *testing.T) {
	inBubble("", t, func(t *testing.T) {
		var steps []step
		for left := 3; left >= 0; left-- {
			steps = append(steps, reply(200, success, "X-RateLimit-Reset", "946684830000000",
				"X-RateLimit-Remaining", strconv.Itoa(left)))
		}
		class := waitClasses[5]
		got := class.playUntil(t, 5, []bool{true}, append(steps, reply(200, success)))
		require.Equal(t, []time.Duration{0, 0, 0, 0, 10 * time.Second}, got)
	})
}
