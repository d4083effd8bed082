package peer

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestWait(t *testing.T) {
	const floor = 250 * time.Millisecond
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	stamp := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	unix := func(d time.Duration) string { return strconv.FormatInt(now.Add(d).Unix(), 10) }
	for _, c := range []struct {
		name   string
		header map[string]string
		wait   time.Duration
		known  bool
	}{
		{"nothing", nil, 0, false},
		{"seconds", map[string]string{"Retry-After": "7"}, 7 * time.Second, true},
		{"zero", map[string]string{"Retry-After": "0"}, 0, true},
		{"blanks", map[string]string{"Retry-After": " 7 "}, 7 * time.Second, true},
		{"a fraction is rounded up", map[string]string{"Retry-After": "1.2"}, 2 * time.Second, true},
		{"a small fraction", map[string]string{"Retry-After": "0.001"}, time.Second, true},
		{"a day", map[string]string{"Retry-After": "86400"}, 24 * time.Hour, true},
		{"negative", map[string]string{"Retry-After": "-5"}, 0, false},
		{"not a number", map[string]string{"Retry-After": "NaN"}, 0, false},
		{"infinity", map[string]string{"Retry-After": "Inf"}, Far, true},
		{"minus infinity", map[string]string{"Retry-After": "-1e400"}, 0, false},
		{"beyond a float", map[string]string{"Retry-After": "1e400"}, Far, true},
		{"beyond a duration", map[string]string{"Retry-After": "9223372037"}, Far, true},
		{"20 digits", map[string]string{"Retry-After": "99999999999999999999"}, Far, true},
		{"words", map[string]string{"Retry-After": "soon"}, 0, false},
		{"a date", map[string]string{"Retry-After": stamp(90 * time.Second)}, 90 * time.Second, true},
		{"a date in the past", map[string]string{"Retry-After": stamp(-time.Hour)}, floor, true},
		{"a date by the service's clock", map[string]string{"Retry-After": stamp(10*time.Minute + 5*time.Second), "Date": stamp(10 * time.Minute)}, 5 * time.Second, true},
		{"reset in the future", map[string]string{"X-RateLimit-Reset": unix(30 * time.Second)}, 30 * time.Second, true},
		{"reset under its other name", map[string]string{"x-rate-limit-reset": unix(30 * time.Second)}, 30 * time.Second, true},
		{"reset in the past", map[string]string{"X-RateLimit-Reset": unix(-time.Minute)}, floor, true},
		{"reset in the past by the service's clock", map[string]string{"X-RateLimit-Reset": unix(time.Minute), "Date": stamp(2 * time.Minute)}, floor, true},
		{"clock 10 minutes behind, Date", map[string]string{"X-RateLimit-Reset": unix(10*time.Minute + 20*time.Second), "Date": stamp(10 * time.Minute)}, 20 * time.Second, true},
		{"clock 10 minutes behind, no Date", map[string]string{"X-RateLimit-Reset": unix(10*time.Minute + 20*time.Second)}, 10*time.Minute + 20*time.Second, true},
		{"clock 10 minutes ahead, Date", map[string]string{"X-RateLimit-Reset": unix(-10*time.Minute + 20*time.Second), "Date": stamp(-10 * time.Minute)}, 20 * time.Second, true},
		{"clock 10 minutes ahead, no Date", map[string]string{"X-RateLimit-Reset": unix(-10*time.Minute + 20*time.Second)}, floor, true},
		{"a Date that is none", map[string]string{"X-RateLimit-Reset": unix(20 * time.Second), "Date": "yesterday"}, 20 * time.Second, true},
		{"reset of 20 digits", map[string]string{"X-RateLimit-Reset": "99999999999999999999"}, Far, true},
		{"reset that is garbage", map[string]string{"X-RateLimit-Reset": "x"}, 0, false},
		{"both, the longer", map[string]string{"Retry-After": "5", "X-RateLimit-Reset": unix(30 * time.Second)}, 30 * time.Second, true},
		{"both, one garbled", map[string]string{"Retry-After": "NaN", "X-RateLimit-Reset": unix(30 * time.Second)}, 30 * time.Second, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := http.Header{}
			for name, value := range c.header {
				h.Set(name, value)
			}
			wait, known := Wait(h, now, floor)
			assert.Equal(t, c.wait, wait)
			assert.Equal(t, c.known, known)
		})
	}
}

func FuzzWait(f *testing.F) {
	for _, text := range []string{"", "1", "-1", "1e400", "9223372037", "NaN", "Mon, 02 Jan 2006 15:04:05 GMT", "0x1p-2", "1_0"} {
		f.Add(text, text, text)
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, after, reset, date string) {
		h := http.Header{"Retry-After": {after}, "X-Ratelimit-Reset": {reset}, "Date": {date}}
		wait, known := Wait(h, now, time.Second)
		if wait < 0 || wait > Far || !known && wait != 0 {
			t.Fatal(wait, known)
		}
		if now.Add(wait).Before(now) {
			t.Fatal("a time that wrapped")
		}
	})
}

// TestDate: an answer out of a cache is older than its Date by its Age.
func TestDate(t *testing.T) {
	const date = "Fri, 02 Jan 2026 03:04:05 GMT"
	sent := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for age, later := range map[string]time.Duration{"": 0, "0": 0, "90": 90 * time.Second, "86400": 24 * time.Hour} {
		got, ok := Date(http.Header{"Date": {date}, "Age": {age}})
		assert.True(t, ok, age)
		assert.Equal(t, sent.Add(later), got, age)
	}
	for _, h := range []http.Header{
		{}, {"Age": {"0"}}, {"Date": {"noon"}}, {"Date": {date}, "Age": {"old"}}, {"Date": {date}, "Age": {"-1"}}, {"Date": {date}, "Age": {"99999999999"}},
	} {
		_, ok := Date(h)
		assert.False(t, ok, h)
	}
	wait, known := Wait(http.Header{"Date": {date}, "Age": {"30"}, "Retry-After": {"Fri, 02 Jan 2026 03:05:05 GMT"}}, sent, 0)
	assert.True(t, known)
	assert.Equal(t, 30*time.Second, wait)
}
