package peer

import (
	"bytes"
	"encoding/binary"
	"math/bits"
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

// candidate is a place at which a secret may begin.
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

// candidates finds the places before limit at which a secret may begin, and
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

// noteShort looks for short secrets after the quote at a place.
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
