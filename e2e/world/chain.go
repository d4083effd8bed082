package world

import (
	"math/bits"
	"sort"
	"time"
)

// spanLen is the number of slots whose lengths, forks and finality are drawn
// together. It is 64 so that one word tells which of them have a block.
const spanLen = 64

// pastSpans is how much of the chain precedes the start of a run.
const pastSpans = 64

// horizon bounds how far ahead of the present slots are computed for those
// who ask about the future.
const horizon = 1 << 20

// span is 64 slots. Times are in nanoseconds from the start of the run.
type span struct {
	begin, length int64
	height        uint64 // of the last surviving block before the span
	root          uint64 // the newest slot that was rooted before the span
	main, fork    uint64 // slots with a surviving block, and with one of the fork
	forkAt        uint8  // the first slot of the fork, as an offset
	forkLeft      uint8  // the offset at which its followers leave it
	confirmed     bool   // the fork's followers call its blocks confirmed
	depth         uint16
}

// chain is the shape of the chain: which slots have blocks, on which side of
// a fork, how high, and when. It is a function of the seed alone; spans are
// computed as far as they are asked for, and kept, about a byte a slot.
type chain struct {
	seed    uint64
	cfg     Cluster
	base    uint64 // the first slot of spans[0], a multiple of 64
	first   uint64 // the slot at the start of the run
	confirm uint64 // slots between a block and its confirmation
	spans   []span
}

func newChain(seed uint64, cfg Cluster) *chain {
	c := &chain{seed: seed, cfg: defaults(cfg)}
	c.first = c.cfg.FirstSlot / spanLen * spanLen
	c.base = c.first - pastSpans*spanLen
	c.confirm = 1 + draw(seed, forConfirm)%3
	for len(c.spans) <= pastSpans {
		c.extend()
	}
	offset := c.spans[pastSpans].begin
	for i := range c.spans {
		c.spans[i].begin -= offset
	}
	return c
}

// defaults fills in what a zero means.
func defaults(cfg Cluster) Cluster {
	if cfg.FirstSlot == 0 {
		cfg.FirstSlot = 250_000_000
	}
	cfg.FirstSlot = max(cfg.FirstSlot, (pastSpans+1)*spanLen)
	if cfg.SlotMin == 0 {
		cfg.SlotMin = 400 * time.Millisecond
	}
	cfg.SlotMax = max(cfg.SlotMin, cfg.SlotMax)
	if cfg.FinalityMin == 0 {
		cfg.FinalityMin = 32
	}
	cfg.FinalityMax = max(cfg.FinalityMin, cfg.FinalityMax)
	if cfg.ForkLen == 0 {
		cfg.ForkLen = 12
	}
	cfg.ForkLen = min(cfg.ForkLen, spanLen-4)
	if cfg.Age == 0 {
		cfg.Age = 151
	}
	if cfg.StatusCache == 0 {
		cfg.StatusCache = 300
	}
	return cfg
}

// extend computes the next span.
func (c *chain) extend() {
	i := uint64(len(c.spans))
	first := c.base + i*spanLen
	s := span{height: first - first/16, depth: uint16(c.depth(i))}
	if i > 0 {
		last := &c.spans[i-1]
		s.begin = last.begin + last.length*spanLen
		s.height = last.height + uint64(bits.OnesCount64(last.main))
		s.root = max(last.root, first-1-uint64(last.depth))
	} else {
		s.root = first
	}
	spread := int64(c.cfg.SlotMax - c.cfg.SlotMin)
	s.length = int64(c.cfg.SlotMin) + int64(draw(c.seed, forSlots, i)%uint64(spread+1))
	s.main = ^c.skipped(first)
	c.drawFork(&s, i)
	if i == 0 {
		s.main |= 1
	}
	c.spans = append(c.spans, s)
}

func (c *chain) depth(i uint64) int {
	return between(c.cfg.FinalityMin, c.cfg.FinalityMax, draw(c.seed, forDepth, i))
}

// skipped returns which of the slots from first on have no block: half of
// them alone, half with all of their leader's four slots.
func (c *chain) skipped(first uint64) uint64 {
	if c.cfg.SkipRate <= 0 {
		return 0
	}
	var mask uint64
	window := draw(c.seed, forWindow, first)
	alone := draw(c.seed, forSkip, first)
	for off := range uint64(spanLen) {
		if off%4 == 0 && chance(c.cfg.SkipRate/2, mix(window+off)) {
			mask |= 15 << off
		}
		if chance(c.cfg.SkipRate/2, mix(alone+off)) {
			mask |= 1 << off
		}
	}
	return mask
}

// drawFork gives some slots of the span to a fork.
func (c *chain) drawFork(s *span, i uint64) {
	h := draw(c.seed, forFork, i)
	if i == 0 || !chance(c.cfg.ForkRate, h) {
		return
	}
	h = mix(h)
	length := between(1, c.cfg.ForkLen, h)
	h = mix(h)
	at := between(1, spanLen-length, h)
	h = mix(h)
	s.forkAt = uint8(at)
	s.forkLeft = uint8(min(spanLen, at+length+between(0, 8, h)))
	h = mix(h)
	s.confirmed = chance(c.cfg.ForkConfirmed, h)
	side := draw(c.seed, forForkSide, i)
	taken := uint64(1) << at
	for off := at + 1; off < at+length; off++ {
		if mix(side+uint64(off))%2 == 0 {
			taken |= 1 << off
		}
	}
	s.fork = taken & s.main
	s.main &^= taken
}

// at returns the span of a slot, which must not be before the base.
func (c *chain) at(slot uint64) *span {
	i := (slot - c.base) / spanLen
	for uint64(len(c.spans)) <= i {
		c.extend()
	}
	return &c.spans[i]
}

// slotAt returns the slot that is being produced at a time.
func (c *chain) slotAt(t int64) uint64 {
	for last := &c.spans[len(c.spans)-1]; t >= last.begin+last.length*spanLen; last = &c.spans[len(c.spans)-1] {
		c.extend()
	}
	i := sort.Search(len(c.spans), func(i int) bool { return c.spans[i].begin > t }) - 1
	if i < 0 {
		return c.base
	}
	s := &c.spans[i]
	return c.base + uint64(i)*spanLen + uint64((t-s.begin)/s.length)
}

// begins returns when a slot begins.
func (c *chain) begins(slot uint64) int64 {
	s := c.at(slot)
	return s.begin + int64(slot%spanLen)*s.length
}

// rooted returns the newest slot that finality covers when slot is the newest
// that is seen. It never goes back as slot grows.
func (c *chain) rooted(slot uint64) uint64 {
	s := c.at(slot)
	return max(s.root, slot-uint64(s.depth))
}

// holds reports whether a slot lies in the part of the chain that may be
// computed when now is being produced.
func (c *chain) holds(slot, now uint64) bool {
	return slot >= c.base && slot <= now+horizon
}
