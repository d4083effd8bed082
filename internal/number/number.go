// Package number finds the end of a JSON number in a text, and computes with
// numbers as texts, exactly.
package number

import "math/bits"

// End returns the length of the JSON number that s begins with, 0 if s begins
// with no number. A page of 5,000 candles takes ten times as long through
// encoding/json.
func End(s string) int {
	start := 0
	if s != "" && s[0] == '-' {
		start = 1
	}
	end := digitsEnd(s, start)
	switch {
	case end == start:
		return 0
	case s[start] == '0':
		end = start + 1
	}
	if end < len(s) && s[end] == '.' {
		if fraction := digitsEnd(s, end+1); fraction > end+1 {
			end = fraction
		}
	}
	if end < len(s) && s[end]|0x20 == 'e' {
		exponent := end + 1
		if exponent < len(s) && (s[exponent] == '+' || s[exponent] == '-') {
			exponent++
		}
		if last := digitsEnd(s, exponent); last > exponent {
			end = last
		}
	}
	return end
}

// Whole returns how many digits, from the first that is not 0 on, stand before the point
// of a JSON number that has neither sign nor exponent. It is not plain if s is anything
// else, or longer than MaxDigits.
func Whole(s string) (digits int, isPlain bool) {
	end := digitsEnd(s, 0)
	switch {
	case end == 0 || len(s) > MaxDigits || s[0] == '0' && end > 1:
		return 0, false
	case s[0] != '0':
		digits = end
	}
	if end == len(s) {
		return digits, true
	}
	return digits, s[end] == '.' && end+1 < len(s) && digitsEnd(s, end+1) == len(s)
}

const zeros, tops = 0x3030303030303030, 0x8080808080808080

// digitsEnd returns the index of the first byte from s[i] on that is no digit.
func digitsEnd(s string, i int) int {
	if i > len(s) {
		return i
	}
	rest := s[i:]
	for len(rest) >= 8 {
		// The compiler makes one load of the eight.
		v := uint64(rest[0]) | uint64(rest[1])<<8 | uint64(rest[2])<<16 | uint64(rest[3])<<24 |
			uint64(rest[4])<<32 | uint64(rest[5])<<40 | uint64(rest[6])<<48 | uint64(rest[7])<<56
		v ^= zeros
		// A byte above 9 has its top bit set now or when 0x76 is added. A carry can
		// mark only bytes above one that is marked.
		if others := (v + 0x7676767676767676 | v) & tops; others != 0 {
			return len(s) - len(rest) + bits.TrailingZeros64(others)/8
		}
		rest = rest[8:]
	}
	for rest != "" && rest[0]-'0' <= 9 {
		rest = rest[1:]
	}
	return len(s) - len(rest)
}
