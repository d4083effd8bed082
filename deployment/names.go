package deployment

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// inOrder returns the keys of a map in order, so that errors come in one.
func inOrder[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func set(names []string) map[string]bool {
	s := make(map[string]bool, len(names))
	for _, name := range names {
		s[name] = true
	}
	return s
}

// index is the name of a list's element in a path.
func index(i int) string { return "[" + strconv.Itoa(i) + "]" }

// isToken reports whether text can be the name of a header.
func isToken(text string) bool {
	const characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
	return text != "" && strings.Trim(text, characters) == ""
}

// isPlain reports whether text has no control character.
func isPlain(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// looksSecret guesses from a header's name whether it holds a credential.
func looksSecret(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "authorization") || strings.HasSuffix(name, "key") ||
		strings.HasSuffix(name, "token") || strings.HasSuffix(name, "secret")
}
