package peer

import (
	"bytes"
	"encoding/base64"
	"errors"
	"slices"
	"unicode/utf8"
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
	// margin is what the shortest secret can take in the longest spelling: each
	// byte as &#x0000XX;, and each of those as \u00XX. That much beyond a limit
	// tells whether a secret begins before it.
	margin = minSecret * len("&#x0000XX;") * len(`\u00XX`)
)

// Mask finds secrets in what a peer says: as they are, escaped as in a URL, in
// JSON or in HTML, and in base64. It takes time in proportion to the text,
// whatever the text and however many the secrets. A nil Mask masks nothing.
type Mask struct {
	heads    map[uint64][][]byte // secrets and their base64, by their first bytes
	filter   [1 << 16 / 64]uint64
	hasShort bool // some secrets are shorter than minSecret
}

// NewMask returns a Mask for secrets, nil if all are empty.
func NewMask(secrets []string) *Mask {
	m := &Mask{heads: map[uint64][][]byte{}}
	for _, s := range secrets {
		switch {
		case s == "":
		case len(s) < minSecret:
			m.hasShort = true
			m.add([]byte(s+`"`), head([]byte(s+`"`))|1<<63)
		default:
			for _, spelling := range [][]byte{
				[]byte(s),
				base64.RawStdEncoding.AppendEncode(nil, []byte(s)),
				base64.RawURLEncoding.AppendEncode(nil, []byte(s)),
			} {
				m.add(spelling, head(spelling))
			}
		}
	}
	if len(m.heads) == 0 {
		return nil
	}
	return m
}

func (m *Mask) add(spelling []byte, at uint64) {
	if slices.ContainsFunc(m.heads[at], func(b []byte) bool { return bytes.Equal(b, spelling) }) {
		return
	}
	m.heads[at] = append(m.heads[at], spelling)
	bit := hash(at)
	m.filter[bit/64] |= 1 << (bit % 64)
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

// mask returns text up to limit, with each secret that begins before limit
// replaced, also if it ends beyond. Secrets that overlap are replaced
// together, so that no part of one is left.
func (m *Mask) mask(text []byte, limit int) []byte {
	text = text[:min(len(text), limit+margin)]
	var out []byte
	copied, end := 0, 0 // text before copied is in out; a secret reaches to end
	for c := range m.matches(text, limit) {
		if c.to <= end {
			continue
		}
		if c.from >= end {
			out = append(append(out, text[copied:c.from]...), masking...)
		}
		end, copied = c.to, c.to
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
