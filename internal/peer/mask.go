package peer

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/mr-tron/base58"
)

const (
	masking = "[secret]"
	// MaxExcerpt bounds what an error keeps of a body.
	MaxExcerpt = 4 << 10
	// MaxFailure bounds what is read of a failure's body: 64 KiB hold every
	// envelope that a service documents.
	MaxFailure = 64 << 10
	// minSecret is the shortest secret that is looked for anywhere in a text. A
	// shorter one would hit words and numbers that have nothing to do with it,
	// and is masked only if it is a whole JSON string.
	minSecret = 6
	// margin is the length of the shortest secret in the longest spelling: each
	// byte as &#x0000XX;, and each of those as \u00XX. That much beyond a limit
	// tells whether a secret begins before it.
	margin = minSecret * len("&#x0000XX;") * len(`\u00XX`)
	// A signed transaction has at least one signature and its count, and at most
	// the size of a v1 transaction.
	minTransaction, maxTransaction = 1 + 64, 4096
)

// Mask finds secrets in what a peer says. JSON is masked value by value, so that
// it stays JSON; all else is one text. A secret is found as it is, in base64, and
// behind the escapes of JSON, URLs and HTML; one that is a transaction also in the
// encodings that it was not sent in. A nil Mask masks nothing.
type Mask struct {
	spellings map[prefix][]spelling // by their first bytes
}

// NewMask returns a Mask for secrets, nil if all are empty.
func NewMask(secrets []string) *Mask {
	m := &Mask{map[prefix][]spelling{}}
	for _, s := range secrets {
		switch {
		case s == "":
		case len(s) < minSecret:
			m.add(`"`+s+`"`, 1)
		default:
			m.add(s, 0)
			m.addBytes([]byte(s))
			m.addTransaction(s)
		}
	}
	if len(m.spellings) == 0 {
		return nil
	}
	return m
}

func (m *Mask) add(text string, quotes int) {
	s := spelling{fold([]byte(text)), quotes}
	at := prefix(s.bytes)
	m.spellings[at] = append(m.spellings[at], s)
}

func (m *Mask) addBytes(b []byte) {
	m.add(base64.RawStdEncoding.EncodeToString(b), 0)
	m.add(base64.RawURLEncoding.EncodeToString(b), 0)
}

// addTransaction adds the other encodings of a secret that may be a transaction.
func (m *Mask) addTransaction(s string) {
	for _, decode := range []func(string) ([]byte, error){
		base58.Decode, base64.StdEncoding.DecodeString, base64.RawURLEncoding.DecodeString,
	} {
		if b, err := decode(s); err == nil && len(b) >= minTransaction && len(b) <= maxTransaction {
			m.add(base58.Encode(b), 0)
			m.addBytes(b)
		}
	}
}

// Text replaces every secret in text.
func (m *Mask) Text(text string) string {
	if m == nil || text == "" {
		return text
	}
	return string(m.mask([]byte(text), len(text)))
}

// Excerpt is the start of body that an error keeps: at most MaxExcerpt bytes,
// masked before it is cut, and not cut within a character.
func (m *Mask) Excerpt(body []byte) []byte { return slices.Clone(m.first(body, MaxExcerpt)) }

// Failure is as much of a failure's body as is read: at most MaxFailure bytes,
// masked before it is cut. It may be part of body itself.
func (m *Mask) Failure(body []byte) []byte { return m.first(body, MaxFailure) }

func (m *Mask) first(body []byte, most int) []byte {
	limit := min(len(body), most)
	if limit == 0 {
		return nil
	}
	kept := body[:limit]
	if m != nil {
		kept = m.mask(body, limit)
	}
	return wholeRunes(kept[:min(len(kept), most)], len(kept) > most || limit < len(body))
}

// wholeRunes drops the first bytes of a character that a cut left at the end.
func wholeRunes(b []byte, cut bool) []byte {
	last := len(b) - 1
	for last > 0 && len(b)-last < utf8.UTFMax && !utf8.RuneStart(b[last]) {
		last--
	}
	if cut && last >= 0 && !utf8.FullRune(b[last:]) {
		return b[:last]
	}
	return b
}

// mask returns text up to limit, with each secret that begins before limit
// replaced, also if it ends beyond. Secrets that overlap are replaced together,
// so that no part of one is left.
func (m *Mask) mask(text []byte, limit int) (out []byte) {
	h := hunt{of: m, limit: limit}
	if len(text) <= MaxFailure && json.Valid(text) {
		h.values(text)
		h.search(asIs(text, 0, len(text))) // for a secret that is JSON of several values
	} else {
		h.open = true
		h.find(asIs(text, 0, min(len(text), limit+margin)), false)
	}
	slices.SortStableFunc(h.found, func(a, b span) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	copied := 0 // text before it is in out, or was replaced
	for _, s := range h.found {
		if s.from >= copied {
			out = append(append(out, text[copied:s.from]...), s.mask...)
		}
		copied = max(copied, s.to)
	}
	if copied >= limit {
		return out
	}
	return append(out, text[copied:limit]...)
}

// Error returns err, or its masked text if err or an error that it wraps shows
// a secret. The result answers to errors.Is as err does, but does not unwrap:
// a log that walks the chain would print the secret.
func (m *Mask) Error(err error) error {
	if m == nil || err == nil || !m.shownBy(err) {
		return err
	}
	return &maskedError{m.Text(err.Error()), func(target error) bool { return errors.Is(err, target) }}
}

func (m *Mask) shownBy(err error) bool {
	if err == nil {
		return false
	}
	if text := err.Error(); m.Text(text) != text {
		return true
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		return m.shownBy(e.Unwrap())
	case interface{ Unwrap() []error }:
		return slices.ContainsFunc(e.Unwrap(), m.shownBy)
	}
	return false
}

// maskedError has the cause in a function, so that no verb prints it.
type maskedError struct {
	text string
	is   func(target error) bool
}

// Error is the cause's text, masked.
func (e *maskedError) Error() string { return e.text }

// Is lets errors.Is find what the cause answers to.
func (e *maskedError) Is(target error) bool { return e.is(target) }
