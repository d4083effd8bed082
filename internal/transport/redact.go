package transport

import (
	"bytes"
	"encoding/base64"
	"slices"
	"unicode/utf8"
)

const (
	masking = "[secret]"
	// maxExcerpt bounds what an error keeps of a body.
	maxExcerpt = 4 << 10
	// minSecret is the shortest secret that is looked for anywhere in a text. A
	// shorter one would hit words and numbers that have nothing to do with it,
	// and is masked only where it is a whole JSON string.
	minSecret = 6
)

// redactor masks secrets in what a service or the network says: as they are,
// escaped as in a URL, in JSON or in HTML, and in base64.
type redactor struct {
	whole   [][]byte  // looked for anywhere
	encoded [][]byte  // base64 of those, unpadded, in the standard alphabet
	short   [][]byte  // looked for between quotes
	starts  [256]bool // bytes that a match can start with
}

// newRedactor returns nil where there is nothing to mask.
func newRedactor(secrets []string) *redactor {
	r := &redactor{}
	for _, s := range secrets {
		switch {
		case s == "":
		case len(s) < minSecret:
			r.short = append(r.short, []byte(s))
			r.starts['"'] = true
		case !slices.ContainsFunc(r.whole, func(b []byte) bool { return string(b) == s }):
			r.add(s)
		}
	}
	if len(r.whole)+len(r.short) == 0 {
		return nil
	}
	return r
}

func (r *redactor) add(secret string) {
	encoded := base64.RawStdEncoding.AppendEncode(nil, []byte(secret))
	r.whole, r.encoded = append(r.whole, []byte(secret)), append(r.encoded, encoded)
	for _, first := range []byte{secret[0], encoded[0], '%', '\\', '&'} {
		r.starts[first] = true
	}
	if secret[0] == ' ' {
		r.starts['+'] = true
	}
	if encoded[0] == '+' || encoded[0] == '/' {
		r.starts['-'], r.starts['_'] = true, true
	}
}

// mask replaces every secret in text.
func mask(text string, secrets []string) string {
	r := newRedactor(secrets)
	if r == nil || text == "" {
		return text
	}
	return string(r.mask([]byte(text), len(text)))
}

// excerpt is the start of body that an error keeps: at most 4 KiB, masked
// before it is cut, and not cut within a character.
func excerpt(body []byte, secrets []string) []byte {
	limit := min(len(body), maxExcerpt)
	if limit == 0 {
		return nil
	}
	kept := body[:limit]
	if r := newRedactor(secrets); r != nil {
		kept = r.mask(body, limit)
	}
	return slices.Clone(wholeRunes(kept[:min(len(kept), maxExcerpt)], len(kept) > maxExcerpt || limit < len(body)))
}

// wholeRunes drops the first bytes of a character that a cut left at the end.
func wholeRunes(b []byte, cut bool) []byte {
	for n := 1; cut && n < utf8.UTFMax && n <= len(b); n++ {
		if tail := b[len(b)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return b[:len(b)-n]
			}
			break
		}
	}
	return b
}

// mask returns text up to limit, with each secret that starts before limit
// replaced, also where it ends beyond. Secrets that overlap are replaced
// together, so that no part of one is left.
func (r *redactor) mask(text []byte, limit int) []byte {
	var out []byte
	copied, end := 0, 0 // text before copied is in out; a secret reaches to end
	for i := range limit {
		if !r.starts[text[i]] {
			continue
		}
		from, to := r.match(text, i)
		if to <= end {
			continue
		}
		if from >= end {
			out = append(append(out, text[copied:from]...), masking...)
		}
		end, copied = to, to
	}
	if copied >= limit {
		return out
	}
	return append(out, text[copied:limit]...)
}

// match returns the bounds of the longest secret at text[i], 0 and 0 where
// there is none.
func (r *redactor) match(text []byte, i int) (from, to int) {
	longest := func(n int) {
		if n > 0 {
			from, to = i, max(to, i+n)
		}
	}
	for _, s := range r.whole {
		if !plausible(text[i:], s) {
			continue
		}
		for _, next := range escapes {
			longest(prefix(text[i:], s, next))
		}
	}
	for _, s := range r.encoded {
		longest(prefix(text[i:], s, eitherAlphabet))
	}
	if to == 0 && text[i] == '"' {
		for _, s := range r.short {
			n := prefix(text[i+1:], s, unescapeJSON)
			if n > 0 && i+1+n < len(text) && text[i+1+n] == '"' {
				return i + 1, i + 1 + n
			}
		}
	}
	return from, to
}

// plausible rules out most places by their first two bytes, each of which is
// the secret's own or starts an escape.
func plausible(text, secret []byte) bool {
	for i := range min(2, len(text)) {
		switch text[i] {
		case '%', '\\', '&', '+':
			return true
		case secret[i]:
		default:
			return false
		}
	}
	return true
}

// prefix returns how many bytes of text spell secret, 0 where they do not. A
// text that ends within the secret, but after enough of it to matter, counts.
func prefix(text, secret []byte, next reader) int {
	n, matched := 0, 0
	for matched < len(secret) {
		if n == len(text) {
			if matched < minSecret {
				return 0
			}
			return n
		}
		p, size := next(text[n:])
		if !bytes.HasPrefix(secret[matched:], p.bytes[:p.n]) {
			return 0
		}
		n, matched = n+size, matched+p.n
	}
	return n
}
