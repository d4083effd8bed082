package deployment

import (
	"maps"
	"net/textproto"
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

// asksAsSecret guesses from a parameter's name whether it holds a credential. It may be a
// token of the ledger.
func asksAsSecret(name string) bool {
	name = strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(name))
	for _, part := range []string{"authorization", "apikey", "secret", "accesstoken", "authtoken", "password"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return name == "key" || name == "auth"
}

// isReserved reports whether a header is the connection's, or decides what a repeated
// request does.
func isReserved(name string) bool {
	return slices.Contains([]string{
		"Host", "Content-Length", "Transfer-Encoding", "Trailer", "Te", "Connection",
		"Keep-Alive", "Upgrade", "Proxy-Connection",
		"Idempotency-Key", "X-Idempotency-Key",
	}, textproto.CanonicalMIMEHeaderKey(name))
}

// isOfBody reports whether a header is one that the SDK sets of itself, for bodies and for
// the program's name: no other may become it.
func isOfBody(name string) bool {
	return slices.Contains([]string{
		"Accept", "Accept-Encoding", "Content-Encoding", "Content-Type", "User-Agent",
	}, textproto.CanonicalMIMEHeaderKey(name))
}
