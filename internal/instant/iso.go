package instant

import (
	"strings"
	"time"
)

// iso reads a date, or a date and a time of day, of ISO 8601. The two parts may
// differ in form: one basic, the other extended.
func iso(text string) (time.Time, bool) {
	r := reader{rest: text, ok: true}
	year, month, day := r.date()
	if r.rest == "" {
		return moment(year, month, day, clock{}, 0, r.ok)
	}
	if !r.any("Tt ") {
		return time.Time{}, false
	}
	of := r.clock()
	offset := r.offset()
	return moment(year, month, day, of, offset, r.ok && r.rest == "")
}

// clock is a time of day.
type clock struct{ hour, minute, second, nanos int }

// moment returns the time, unless a part of it is out of range.
func moment(year, month, day int, c clock, offset int, ok bool) (time.Time, bool) {
	endOfDay := c == clock{hour: 24}
	leap := c.second == 60
	if !ok || month < 1 || month > 12 || day < 1 || day > lastDay(year, month) ||
		c.hour > 23 && !endOfDay || c.minute > 59 || c.second > 59 && !leap {
		return time.Time{}, false
	}
	zone := time.UTC
	if offset != 0 {
		zone = time.FixedZone("", offset)
	}
	return ofOurs(time.Date(year, time.Month(month), day, c.hour, c.minute, c.second, c.nanos, zone))
}

// ofOurs refuses a time that no text of ISO 8601 can have.
func ofOurs(t time.Time) (time.Time, bool) {
	year := t.Year()
	return t, year >= 0 && year <= 9999
}

// reader reads a text part by part. After a part that does not fit, ok is false.
type reader struct {
	rest string
	ok   bool
}

func (r *reader) date() (year, month, day int) {
	year = r.digits(2)*100 + r.digits(2)
	extended := r.any("-")
	month = r.digits(2)
	if extended && !r.any("-") {
		r.ok = false
	}
	return year, month, r.digits(2)
}

func (r *reader) clock() (c clock) {
	c.hour = r.digits(2)
	if extended := r.any(":"); extended || r.digitNext() {
		c.minute = r.digits(2)
		if extended && r.any(":") || !extended && r.digitNext() {
			c.second = r.digits(2)
			c.nanos = r.fraction()
		}
	}
	return c
}

// fraction reads a fraction of a second, if there is one. Digits after the ninth
// are cut off.
func (r *reader) fraction() (nanos int) {
	if !r.any(".,") {
		return 0
	}
	n := 0
	for ; r.digitNext(); n++ {
		digit := r.digits(1)
		if n < 9 {
			nanos = nanos*10 + digit
		}
	}
	r.ok = r.ok && n > 0
	for ; n < 9; n++ {
		nanos *= 10
	}
	return nanos
}

// offset reads what follows the time of day and returns it in seconds.
func (r *reader) offset() int {
	blank := r.any(" ")
	switch word := strings.ToUpper(r.rest); {
	case word == "" && !blank, word == "Z", blank && (word == "UTC" || word == "GMT"):
		r.rest = ""
		return 0
	}
	west := strings.HasPrefix(r.rest, "-")
	if !r.any("+-") {
		r.ok = false
		return 0
	}
	seconds := r.digits(2) * 3600
	if r.any(":") || r.rest != "" {
		minutes := r.digits(2)
		r.ok = r.ok && minutes < 60
		seconds += minutes * 60
	}
	r.ok = r.ok && seconds <= 24*3600
	if west {
		return -seconds
	}
	return seconds
}

// any passes over one of the given characters if it is next.
func (r *reader) any(of string) bool {
	if r.rest == "" || strings.IndexByte(of, r.rest[0]) < 0 {
		return false
	}
	r.rest = r.rest[1:]
	return true
}

func (r *reader) digitNext() bool { return r.rest != "" && r.rest[0]-'0' <= 9 }

// digits reads a number of exactly n digits.
func (r *reader) digits(n int) (value int) {
	for range n {
		if !r.digitNext() {
			r.ok = false
			return 0
		}
		value = value*10 + int(r.rest[0]-'0')
		r.rest = r.rest[1:]
	}
	return value
}
