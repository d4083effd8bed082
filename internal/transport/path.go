package transport

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/dialect"
)

// Target is a request path, made by Path.
type Target struct {
	template string
	values   []any
}

// Path fills the placeholders of a template such as "/v1/account/{wallet}"
// with values in order: a string is one escaped segment, a []string is one
// segment whose escaped items are joined by commas. A value that is empty or
// "." or "..", or that climbs with ".." between slashes, is refused when the
// call is made, so that no value leaves its place in the path, even if a
// proxy takes an escaped slash for a slash.
func Path(template string, values ...any) Target {
	return Target{template, values}
}

// escaped returns the path for the wire.
func (t Target) escaped() (string, error) {
	var b strings.Builder
	b.Grow(len(t.template) + 64)
	next := 0
	for segment := range strings.SplitSeq(strings.TrimPrefix(t.template, "/"), "/") {
		b.WriteByte('/')
		if !strings.HasPrefix(segment, "{") {
			b.WriteString(segment)
			continue
		}
		text, err := t.value(next, segment)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
		next++
	}
	return b.String(), t.whole(next)
}

// value escapes the value of placeholder n.
func (t Target) value(n int, placeholder string) (string, error) {
	if n >= len(t.values) {
		return "", fmt.Errorf("transport: path %s lacks a value for %s", t.template, placeholder)
	}
	return segmentText(strings.Trim(placeholder, "{}"), t.values[n])
}

// whole refuses values that no placeholder has taken.
func (t Target) whole(taken int) error {
	if taken != len(t.values) {
		return fmt.Errorf("transport: path %s has %d values too many", t.template, len(t.values)-taken)
	}
	return nil
}

// named returns the values with the names of their placeholders.
func (t Target) named() (values []dialect.Value, err error) {
	for segment := range strings.SplitSeq(t.template, "/") {
		if !strings.HasPrefix(segment, "{") {
			continue
		}
		n := len(values)
		escaped, err := t.value(n, segment)
		if err != nil {
			return nil, err
		}
		plain, _ := t.values[n].(string)
		if list, ok := t.values[n].([]string); ok {
			plain = strings.Join(list, ",")
		}
		values = append(values, dialect.Value{Name: strings.Trim(segment, "{}"), Escaped: escaped, Plain: plain})
	}
	return values, t.whole(len(values))
}

func segmentText(name string, value any) (string, error) {
	switch v := value.(type) {
	case string:
		return escapeSegment(name, v)
	case []string:
		if len(v) == 0 {
			return "", &walletfi.ValidationError{Field: name, Problem: "must not be empty"}
		}
		items := make([]string, len(v))
		for i, item := range v {
			text, err := escapeSegment(name, item)
			if err != nil {
				return "", err
			}
			items[i] = text
		}
		return strings.Join(items, ","), nil
	}
	return "", fmt.Errorf("transport: path value %s is a %T", name, value)
}

func escapeSegment(name, value string) (string, error) {
	switch value {
	case "":
		return "", &walletfi.ValidationError{Field: name, Problem: "must not be empty"}
	case ".", "..":
		return "", &walletfi.ValidationError{Field: name, Problem: "must not be " + value}
	}
	isSlash := func(r rune) bool { return r == '/' || r == '\\' }
	for part := range strings.FieldsFuncSeq(value, isSlash) {
		if part == ".." {
			return "", &walletfi.ValidationError{Field: name, Problem: "must not climb with .. between slashes"}
		}
	}
	return url.PathEscape(value), nil
}
