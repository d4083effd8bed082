package peer

import (
	"bytes"
	"iter"
	"slices"
	"unicode/utf8"
)

// span is a secret that was found.
type span struct{ from, to int }

// matches yields the secrets that begin before limit, in order. A text of
// nothing but escapes, or one that repeats the beginning of a secret, could
// take long: what was not searched when the work allowed for the text's length
// is done counts as a secret.
func (m *Mask) matches(text []byte, limit int) iter.Seq[span] {
	return func(yield func(span) bool) {
		s := search{mask: m, text: text, limit: limit, left: len(text) + len(text)/4 + 8<<10}
		if blind := s.candidates(); blind > 0 && !yield(span{0, blind}) {
			return
		}
		for _, c := range slices.Backward(s.found) {
			found := s.compare(c)
			if s.left < 0 {
				found.to = len(text)
			}
			if found.to > found.from && !yield(found) || s.left < 0 {
				return
			}
		}
	}
}

// compare returns the longest secret at a candidate, which is empty if there
// is none.
func (s *search) compare(c candidate) span {
	found := span{c.at, 0}
	for _, secret := range s.mask.heads[c.head] {
		if c.head&shortSecret != 0 {
			found = span{c.at + 1, max(found.to, quotedEnd(s.text, c.at, secret))}
			continue
		}
		found.to = max(found.to, c.at+s.spelledBy(c.by, s.text[c.at:], secret))
	}
	return found
}

// spelledBy is spelled for the reader of a candidate and for those that agree
// with it in the first bytes.
func (s *search) spelledBy(by reader, text, secret []byte) (longest int) {
	for r := by; r < readers; r++ {
		if r == by || s.used&(1<<r) != 0 && agrees[r]&(1<<by) != 0 {
			longest = max(longest, spelled(text, secret, r, &s.left))
		}
	}
	return longest
}

// agrees holds the parents of each reader, and theirs, as bits.
var agrees = func() (all [readers]uint16) {
	for r := inJSON; r < readers; r++ {
		all[r] = all[parent[r]] | 1<<parent[r]
	}
	return all
}()

// spelled returns how many bytes of text spell secret, 0 if they do not. A
// text that ends within the secret counts, if it spells enough of it to matter.
func spelled(text, secret []byte, by reader, left *int) int {
	if by == asIs {
		*left -= len(secret)/8 + 1
		return spelledAsIs(text, secret)
	}
	n, matched := 0, 0
	for matched < len(secret) {
		if n == len(text) {
			break
		}
		*left--
		p := by.at(text[n:])
		if !p.prefixes(secret[matched:]) {
			if cutEscape(text[n:], p) {
				n = len(text)
				break
			}
			return 0
		}
		n, matched = n+int(p.size), matched+int(p.n)
	}
	if matched < min(minSecret, len(secret)) {
		return 0
	}
	return n
}

func spelledAsIs(text, secret []byte) int {
	n := min(len(text), len(secret))
	if n < min(minSecret, len(secret)) || !bytes.Equal(text[:n], secret[:n]) {
		return 0
	}
	return n
}

// cutEscape reports whether rest, the end of a text, is the start of an escape
// that the end cut off: it spells what begins an escape.
func cutEscape(rest []byte, p piece) bool {
	return len(rest) < longestEscape && p.n == 1 && escapes[byte(p.bytes)] != 0 && p.bytes != '+' &&
		!bytes.ContainsFunc(rest, func(r rune) bool {
			return r >= utf8.RuneSelf || escapes[byte(r)] == 0 && !wordByte(byte(r))
		})
}

// quotedEnd returns the end of a short secret whose opening quote is text[at],
// 0 if it does not fill the string.
func quotedEnd(text []byte, at int, quoted []byte) int {
	n, secret := at+1, quoted[:len(quoted)-1]
	for len(secret) > 0 && n < len(text) {
		p := inJSON.at(text[n:])
		if !p.prefixes(secret) {
			return 0
		}
		n, secret = n+int(p.size), secret[p.n:]
	}
	if len(secret) > 0 || n == len(text) || text[n] != '"' {
		return 0
	}
	return n
}
