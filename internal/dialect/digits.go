package dialect

import (
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go/internal/jsontext"
)

// decimal is a number taken apart: 0.digits times ten to the power of point. digits
// neither begin nor end with a zero.
type decimal struct {
	negative bool
	digits   string
	point    int
}

// mostPlain is how many digits are written out; a longer number has an exponent.
const mostPlain = 1000

// readNumber reads a number as JSON writes it, or with a plus, with zeros before it,
// or without digits on one side of the point.
func readNumber(text string) (n decimal, ok bool) {
	switch {
	case strings.HasPrefix(text, "-"):
		n.negative, text = true, text[1:]
	case strings.HasPrefix(text, "+"):
		text = text[1:]
	}
	exponent := 0
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		var err error
		if exponent, err = strconv.Atoi(text[i+1:]); err != nil || exponent > 1<<30 || exponent < -1<<30 {
			return n, false
		}
		text = text[:i]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	all := whole + fraction
	if all == "" || strings.ContainsFunc(all, func(r rune) bool { return r < '0' || r > '9' }) {
		return n, false
	}
	n.digits = strings.TrimLeft(all, "0")
	n.point = len(whole) + exponent - (len(all) - len(n.digits))
	n.digits = strings.TrimRight(n.digits, "0")
	return n, true
}

// plus is n times ten to the power of scale.
func (n decimal) plus(scale int) decimal {
	n.point += scale
	return n
}

func (n decimal) isInteger() bool { return n.digits == "" || n.point >= len(n.digits) }

// shifted writes n, the value of text, times ten to the power of scale. A
// number that is not moved stays as it is written, if that is JSON.
func (n decimal) shifted(text string, scale int) string {
	if scale == 0 && jsontext.IsNumber([]byte(text)) {
		return text
	}
	return n.plus(scale).String()
}

// String writes n as JSON does.
func (n decimal) String() string {
	text := n.unsigned()
	if n.negative {
		return "-" + text
	}
	return text
}

func (n decimal) unsigned() string {
	size := len(n.digits)
	switch {
	case size == 0:
		return "0"
	case n.point > mostPlain || n.point < -mostPlain:
		return n.digits + "e" + strconv.Itoa(n.point-size)
	case n.point >= size:
		return n.digits + strings.Repeat("0", n.point-size)
	case n.point > 0:
		return n.digits[:n.point] + "." + n.digits[n.point:]
	}
	return "0." + strings.Repeat("0", -n.point) + n.digits
}
