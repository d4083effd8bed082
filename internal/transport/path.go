package transport

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/walletfi/walletfi-go"
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

// escaped returns the path for the wire; word translates the template's own
// segments and never a value.
func (t Target) escaped(word func(string) string) (string, error) {
	var b strings.Builder
	b.Grow(len(t.template) + 64)
	next := 0
	for segment := range strings.SplitSeq(strings.TrimPrefix(t.template, "/"), "/") {
		b.WriteByte('/')
		if !strings.HasPrefix(segment, "{") {
			b.WriteString(word(segment))
			continue
		}
		if next == len(t.values) {
			return "", fmt.Errorf("transport: path %s lacks a value for %s", t.template, segment)
		}
		text, err := segmentText(strings.Trim(segment, "{}"), t.values[next])
		if err != nil {
			return "", err
		}
		b.WriteString(text)
		next++
	}
	if next != len(t.values) {
		return "", fmt.Errorf("transport: path %s has %d values too many", t.template, len(t.values)-next)
	}
	return b.String(), nil
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
