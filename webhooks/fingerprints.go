package webhooks

import "encoding/binary"

// fingerprints is a set that grows by one page at a time (extendible hashing), so
// that no call moves all of it: the table of pages alone is copied when it
// doubles, 8 bytes for some hundred fingerprints.
type fingerprints struct {
	pages []*page // by the first depth bits; several in a row may be the same page
	depth uint
}

// page is a hash table of fingerprints whose first depth bits are equal. A zero
// slot is empty.
type page struct {
	depth uint
	count int
	slots []fingerprint // a power of two
}

const (
	leastSlots = 16
	mostSlots  = 512
)

func (s *fingerprints) has(f fingerprint) bool {
	if len(s.pages) == 0 {
		return false
	}
	p := s.pages[s.index(f)]
	return p.slots[p.find(f)] == f
}

func (s *fingerprints) add(f fingerprint) {
	if s.pages == nil {
		s.pages = []*page{{slots: make([]fingerprint, leastSlots)}}
	}
	p := s.pages[s.index(f)]
	i := p.find(f)
	if p.slots[i] == f {
		return
	}
	p.slots[i] = f
	if p.count++; p.count <= len(p.slots)*7/8 {
		return
	}
	if len(p.slots) < mostSlots {
		p.grow()
		return
	}
	s.split(f)
}

// index is the place in pages.
func (s *fingerprints) index(f fingerprint) int { return int(f.bits() >> (64 - s.depth)) }

// bits choose the page, the first ones first.
func (f fingerprint) bits() uint64 { return binary.BigEndian.Uint64(f[:8]) }

// find returns the slot that has f or, if none does, the one where it belongs.
func (p *page) find(f fingerprint) int {
	i := int(binary.LittleEndian.Uint32(f[8:])) & (len(p.slots) - 1)
	for p.slots[i] != f && p.slots[i] != (fingerprint{}) {
		i = (i + 1) & (len(p.slots) - 1)
	}
	return i
}

func (p *page) put(f fingerprint) {
	p.slots[p.find(f)] = f
	p.count++
}

func (p *page) grow() {
	old := p.slots
	p.slots, p.count = make([]fingerprint, 2*len(old)), 0
	for _, f := range old {
		if f != (fingerprint{}) {
			p.put(f)
		}
	}
}

// split replaces the page of f by two.
func (s *fingerprints) split(f fingerprint) {
	p := s.pages[s.index(f)]
	if p.depth == s.depth {
		s.double()
	}
	halves := [2]*page{}
	for i := range halves {
		halves[i] = &page{depth: p.depth + 1, slots: make([]fingerprint, mostSlots)}
	}
	for _, f := range p.slots {
		if f != (fingerprint{}) {
			halves[f.bits()>>(63-p.depth)&1].put(f)
		}
	}
	run := 1 << (s.depth - p.depth) // of places that have the page
	first := s.index(f) &^ (run - 1)
	for i := range run {
		s.pages[first+i] = halves[i/(run/2)]
	}
}

// double lets each page have two places.
func (s *fingerprints) double() {
	pages := make([]*page, 2*len(s.pages))
	for i, p := range s.pages {
		pages[2*i], pages[2*i+1] = p, p
	}
	s.pages, s.depth = pages, s.depth+1
}
