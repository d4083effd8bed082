// Package instant reads points in time in every form in which services write
// them.
package instant

import "time"

// Text is the input of Parse.
type Text interface{ ~string | ~[]byte }

// Parse reads an ISO 8601 date or date-time, or a Unix time. It returns false for
// any other text, and for a time outside of the years 0 to 9999.
//
// A date-time may be in the extended or the basic form, with T, t or a space in the
// middle, without minutes or seconds, with a fraction of the seconds, and with an
// offset of hours or of hours and minutes. Without an offset it is UTC. A Unix time
// is a JSON number of seconds, milliseconds or microseconds; see Unix. A
// text of eight digits that is a date is not taken for seconds.
func Parse[T Text](text T) (time.Time, bool) {
	if t, ok := UTC(text); ok {
		return t, true
	}
	if t, ok := iso(string(text)); ok {
		return t, true
	}
	return unix(string(text))
}

// UTC reads the most frequent form, such as 2026-01-02T15:04:05.678Z, faster than
// Parse.
func UTC[T Text](text T) (time.Time, bool) {
	const form = "0000-00-00T00:00:00"
	n := len(text) - 1
	if n < len(form) || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':' ||
		text[n] != 'Z' {
		return time.Time{}, false
	}
	nanos := 0
	if n > len(form) {
		if nanos = fraction(text[len(form):n]); nanos < 0 {
			return time.Time{}, false
		}
	}
	century, year, month, day := two(text, 0), two(text, 2), two(text, 5), two(text, 8)
	hour, minute, second := two(text, 11), two(text, 14), two(text, 17)
	if century > 99 || year > 99 || hour > 23 || minute > 59 || second > 59 || month < 1 || month > 12 || day < 1 {
		return time.Time{}, false
	}
	if year += century * 100; day > 28 && day > lastDay(year, month) {
		return time.Time{}, false
	}
	seconds := int64(daysSince1970(year, month, day))*(24*60*60) + int64((hour*60+minute)*60+second)
	return time.Unix(seconds, int64(nanos)).UTC(), true
}

// two reads two digits. It returns 100 if there are none.
func two[T Text](text T, i int) int {
	tens, units := text[i]-'0', text[i+1]-'0'
	if tens > 9 || units > 9 {
		return 100
	}
	return int(tens)*10 + int(units)
}

// fraction reads a point and one to nine digits as nanoseconds. It returns -1 for
// anything else.
func fraction[T Text](text T) int {
	const digits = 9
	if text[0] != '.' || len(text) < 2 || len(text) > 1+digits {
		return -1
	}
	nanos := 0
	for i := 1; i < len(text); i++ {
		c := text[i] - '0'
		if c > 9 {
			return -1
		}
		nanos = nanos*10 + int(c)
	}
	for range 1 + digits - len(text) {
		nanos *= 10
	}
	return nanos
}

func lastDay(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// daysSince1970 counts in years that begin in March, so that the leap day is
// the last of its year.
func daysSince1970(year, month, day int) int {
	month -= 3
	if month < 0 {
		month += 12
		year--
	}
	year += 400 // so that no division is of a negative year
	const from400BC = 719468 + 146097
	return year*365 + year/4 - year/100 + year/400 + (month*153+2)/5 + day - 1 - from400BC
}
