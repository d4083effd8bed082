package dialect

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go/deployment"
)

// numeral is a number as JSON writes it.
var numeral = regexp.MustCompile(`^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$`)

// shift multiplies a number by ten to a power, by its digits alone. ok is false if the
// text is no number.
func shift(text string, power int) (shifted string, ok bool) {
	parts := numeral.FindStringSubmatch(text)
	if parts == nil {
		return text, false
	}
	sign, whole, fraction := parts[1], parts[2], parts[3]
	if parts[4] != "" {
		exponent, err := strconv.Atoi(parts[4])
		if err != nil || exponent > 400 || exponent < -400 {
			return text, false
		}
		power += exponent
	}
	digits, point := whole+fraction, len(whole)+power
	if point < 0 {
		digits, point = strings.Repeat("0", -point)+digits, 0
	}
	if point > len(digits) {
		digits += strings.Repeat("0", point-len(digits))
	}
	whole, fraction = strings.TrimLeft(digits[:point], "0"), strings.TrimRight(digits[point:], "0")
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	return sign + whole + fraction, true
}

// sayNumber writes a documented scalar in its live form. What is no number stays.
func sayNumber(form deployment.Number, raw []byte) []byte {
	text, quoted, ok := digitsOf(raw)
	if !ok {
		return raw
	}
	if form.Scale != 0 {
		if text, ok = shift(text, -form.Scale); !ok {
			return raw
		}
	} else if !numeral.MatchString(text) {
		return raw
	}
	switch liveType(form) {
	case deployment.JSONString:
		quoted = true
	case deployment.JSONNumber:
		quoted = false
	}
	if quoted {
		return quote(form.Prefix + text + form.Suffix)
	}
	return []byte(text)
}

// hearNumber reads a live scalar. What is no number stays.
func hearNumber(form deployment.Number, raw []byte) (documented []byte, problem string) {
	text, quoted, ok := digitsOf(raw)
	if !ok || text == "" && quoted {
		return raw, ""
	}
	plain, problem := hearDigits(form, text, quoted)
	if problem != "" {
		return raw, problem
	}
	switch {
	case !numeral.MatchString(plain): // such as auto
		return raw, ""
	case liveType(form) == deployment.JSONString && !quoted:
		return raw, "is a number, where the deployment has a string"
	case form.Live == deployment.JSONNumber && quoted:
		return raw, "is a string, where the deployment has a number"
	}
	switch form.Neutral {
	case deployment.JSONString:
		quoted = true
	case deployment.JSONNumber:
		quoted = false
	}
	if quoted {
		return quote(plain), ""
	}
	return []byte(plain), ""
}

// liveType is the live type of a form: a prefix or a suffix implies a string.
func liveType(form deployment.Number) deployment.JSONType {
	if form.Prefix+form.Suffix != "" {
		return deployment.JSONString
	}
	return form.Live
}

// hearDigits takes the affixes of a live text off and moves its point.
func hearDigits(form deployment.Number, text string, affixed bool) (plain, problem string) {
	plain = text
	if affixed && form.Prefix+form.Suffix != "" {
		if numeral.MatchString(text) {
			return text, "lacks the prefix or suffix of the deployment"
		}
		bare, before := strings.CutPrefix(text, form.Prefix)
		bare, after := strings.CutSuffix(bare, form.Suffix)
		if !before || !after {
			return text, ""
		}
		plain = bare
	}
	if form.Scale == 0 {
		return plain, ""
	}
	shifted, ok := shift(plain, form.Scale)
	if !ok {
		return text, ""
	}
	if form.Scale > 0 && strings.Contains(shifted, ".") {
		return text, "has more digits than its scale"
	}
	return shifted, ""
}

// digitsOf is the text of a scalar that may be a number.
func digitsOf(raw []byte) (text string, quoted, ok bool) {
	switch raw[0] {
	case '"':
		err := json.Unmarshal(raw, &text)
		return text, true, err == nil
	case '{', '[', 't', 'f', 'n':
		return "", false, false
	}
	return string(raw), false, true
}
