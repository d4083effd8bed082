package peer

import (
	"bytes"
	"encoding/binary"
	"iter"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// The search for secrets goes in two steps. The first runs from the end of the
// text to its start and knows at each place, for each reader, the first four
// bytes that the text spells from there: those at the end of the escape, with
// what the escape spells put before them. That takes the same time whatever
// the text. The second compares whole secrets, only where four bytes fit.

// head packs the first bytes of b, the first lowest.
func head(b []byte) (h uint64) {
	if len(b) >= headSize {
		return uint64(binary.LittleEndian.Uint32(b))
	}
	for i, c := range b {
		h |= uint64(c) << (8 * i)
	}
	return h
}

const (
	headSize = 4
	headBits = 1<<(8*headSize) - 1
	// shortSecret tells the heads of short secrets from others.
	shortSecret = 1 << 63
)

func hash(head uint64) uint64 { return head * 0x9e3779b97f4a7c15 >> 48 }

// has reports whether a secret begins with h.
func (m *Mask) has(h uint64) bool {
	bit := hash(h)
	if m.filter[bit/64]&(1<<(bit%64)) == 0 {
		return false
	}
	_, ok := m.heads[h]
	return ok
}

// candidate is a place where a secret may begin.
type candidate struct {
	head uint64
	at   int
	by   reader
}

// window is what a reader finds at a place, if it differs from what the
// reader's parent finds there.
type window struct {
	head uint64
	at   int32 // place in the text
	life int32 // more places for which the head holds an escape
}

// windows keeps those of the last places, more than the longest escape has
// bytes.
type windows [128][readers]window

// from returns the window of a reader at a place. Its life is 0 if it is the
// parent's.
func (w *windows) from(text []byte, r reader, at int) window {
	if known := w[at%len(w)][r]; int(known.at) == at {
		return known
	}
	for r = parent[r]; r != asIs; r = parent[r] {
		if known := w[at%len(w)][r]; int(known.at) == at {
			return window{head: known.head}
		}
	}
	return window{head: head(text[at:])}
}

// search is the first step on its way through a text.
type search struct {
	mask   *Mask
	text   []byte
	limit  int
	used   uint16          // readers that have something to undo
	alive  uint16          // readers whose window one place on is not their parent's
	parent [readers]reader // among those
	last   [readers]int32  // place of their last window
	known  windows
	found  []candidate // the last first
	left   int         // work that may still be done
}

// candidates finds the places before limit where a secret may begin, and
// returns how much of the text it left out when it ran out of work.
func (s *search) candidates() (blind int) {
	text := s.text
	s.used = usedReaders(text)
	for r := inJSON; r < readers; r++ {
		s.last[r], s.parent[r] = int32(len(text)+1), parent[r]
		for s.used&(1<<s.parent[r]) == 0 && s.parent[r] != asIs {
			s.parent[r] = parent[s.parent[r]]
		}
	}
	plain := uint64(0)
	for i := len(text) - 1; i >= 0; i-- {
		c := text[i]
		plain = (plain<<8 | uint64(c)) & headBits
		s.note(plain, i, asIs)
		if c == '"' && s.mask.hasShort {
			s.noteShort(i)
		}
		switch {
		case s.left < 0:
			return i + 1
		case escapes[c]&s.used != 0:
			s.escape(i)
		case s.alive != 0:
			s.carry(i)
		}
	}
	return 0
}

func (s *search) note(h uint64, at int, by reader) {
	if at < s.limit && s.mask.has(h) {
		s.found = append(s.found, candidate{h, at, by})
	}
}

// noteShort looks for short secrets behind the quote at a place.
func (s *search) noteShort(at int) {
	h := s.from(inJSON, at+1).head
	for n := 2; n <= headSize; n++ {
		s.note(h&(1<<(8*n)-1)|shortSecret, at, inJSON)
	}
}

// from returns the window of a reader at a place. Its life is 0 if it is the
// parent's.
func (s *search) from(r reader, at int) window {
	slot := &s.known[at%len(s.known)]
	if int(slot[r].at) == at {
		return slot[r]
	}
	for r = s.parent[r]; r != asIs; r = s.parent[r] {
		if int(slot[r].at) == at {
			return window{head: slot[r].head}
		}
	}
	return window{head: head(s.text[at:])}
}

func (s *search) keep(r reader, at int, w window) {
	s.left--
	w.at = int32(at)
	s.known[at%len(s.known)][r] = w
	s.last[r] = w.at
	s.alive |= 1 << r
	s.note(w.head, at, r)
}

// carry takes the windows one place further, over a byte that is read as it is.
func (s *search) carry(at int) {
	alive := s.alive
	s.alive = 0
	for left := alive; left != 0; left &= left - 1 {
		r := reader(bits.TrailingZeros16(left))
		if w := s.from(r, at+1); w.life > 0 {
			s.keep(r, at, window{head: (w.head<<8 | uint64(s.text[at])) & headBits, life: w.life - 1})
		}
	}
}

// escape takes the windows over a byte that begins an escape for some readers.
func (s *search) escape(at int) {
	c := s.text[at]
	var pieces [readers]piece
	pieces[asIs] = plainByte(c)
	s.alive = 0
	for left := s.used; left != 0; left &= left - 1 {
		r := reader(bits.TrailingZeros16(left))
		s.left--
		p := pieces[asIs]
		switch {
		case r >= jsonInJSON:
			p = r.within(s.text[at:], pieces[inJSON])
		case escapes[c]&(1<<r) != 0:
			p = r.unescape(s.text[at:])
		}
		pieces[r] = p
		next := at + int(p.size)
		differs := p != pieces[s.parent[r]]
		if !differs && int(s.last[r]) > next {
			continue
		}
		w := s.from(r, next)
		w.head, w.life = (w.head<<(8*p.n)|uint64(p.bytes))&headBits, w.life-1
		if differs {
			w.life = headSize - 1
		}
		if w.life >= 0 {
			s.keep(r, at, w)
		}
	}
}

// usedReaders leaves out the readers that have nothing to undo in text.
func usedReaders(text []byte) (used uint16) {
	has := func(what string) bool { return bytes.Contains(text, []byte(what)) }
	use := func(r reader, needed bool) {
		if needed {
			used |= 1 << r
		}
	}
	percent, plus, amp := has("%"), has("+"), has("&")
	use(inPath, percent)
	use(inQuery, plus)
	use(inHTML, amp)
	if has(`\`) {
		coded := has(`\u00`)
		use(inJSON, true)
		use(jsonInJSON, has(`\\`) || coded && (has(`\u005c`) || has(`\u005C`)))
		use(pathInJSON, percent || coded && has(`\u0025`))
		use(queryInJSON, plus || coded && (has(`\u002b`) || has(`\u002B`)))
		use(htmlInJSON, amp || coded && has(`\u0026`))
	}
	return used
}

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
