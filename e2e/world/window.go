package world

import "time"

// window is the part of the chain in which a transaction could have executed,
// with the blocks whose transactions bear witness at its ends.
type window struct {
	low, high bank
}

// proveWindow looks for the times at which the node proves that nothing
// executed in the window: while the status cache holds all of it, or when the
// store does. The head of a node that is asked alone counts when its block can be read.
func (n *Node) proveWindow(t *transaction, byOwner, heads, alone bool) []stretch {
	c := n.w.chain
	past := c.atHeight(t.last + 1)
	first, ok := n.when(past.slot, func(v *view) bool { return v.final.slot >= past.slot })
	if !ok {
		return never("the node does not catch up")
	}
	first = n.witnessed(t, first)
	v := n.view(first)
	again := v.final.slot + uint64(c.cfg.FinalityMax)
	from, ok := n.when(v.clock, func(v *view) bool { return v.final.slot >= again })
	if !ok {
		return never("the node does not catch up")
	}
	if heads {
		return []stretch{{ok: true, from: from, until: endless, reason: "heads only"}}
	}
	if alone {
		from = n.headed(again, from)
	}
	v = n.view(from)
	gone, _ := n.when(v.clock, func(v *view) bool { return !v.cached(t.born) })
	inCache := stretch{from: from, until: gone, takes: from - first, reason: "within the status cache"}
	inStore := n.storeProves(t, from)
	inStore.takes = inCache.takes
	if w, ok := n.witnesses(&v, t); ok && !byOwner && v.cached(w.low) {
		inCache.ok = true
		inCache.until, _ = n.when(v.clock, func(v *view) bool { return !v.cached(w.low) })
	}
	switch {
	case !inCache.ok:
		return []stretch{inStore}
	case !inStore.ok:
		return []stretch{inCache}
	case inStore.from <= inCache.until:
		inCache.until = max(inCache.until, inStore.until)
		return []stretch{inCache}
	}
	return []stretch{inCache, inStore}
}

// witnessed is the first time, from the given one on, at which a final block above the
// window bears witness that the node can be asked for. Without one it is the given time.
func (n *Node) witnessed(t *transaction, first int64) int64 {
	v := n.view(first)
	for height := t.last + 1; height < t.last+v.recent; height++ {
		b := n.w.chain.atHeight(height)
		at := first
		if b.slot > v.final.slot {
			at, _ = n.when(b.slot, func(v *view) bool { return v.final.slot >= b.slot })
		}
		if at == endless {
			break
		}
		if there := n.view(at); n.speaks(&there, b) {
			return at
		}
	}
	return first
}

// headed is the first time, from the given one on, at which the header of a final block of the slot or above
// can be read. Without one it is the given time.
func (n *Node) headed(slot uint64, from int64) int64 {
	c := n.w.chain
	for b, left := c.lastMain(slot-1), c.cfg.StatusCache; left > 0; left-- {
		b = c.atHeight(b.height + 1)
		at, _ := n.when(b.slot, func(v *view) bool { return v.final.slot >= b.slot })
		if at == endless {
			break
		}
		at = max(at, from)
		if v := n.view(at); n.header(&v, b) {
			return at
		}
	}
	return from
}

// storeProves tells when the node's store holds the whole window.
func (n *Node) storeProves(t *transaction, from int64) stretch {
	if n.cfg.NullErrors > 0 {
		return refuted("the store's errors are answered as null")
	}
	slot := n.w.chain.slotAt(from)
	if n.cfg.Gaps.ArchiveLag > 0 {
		end := n.w.chain.atHeight(t.last+1).slot + spanLen
		from, _ = n.when(slot, func(v *view) bool { return v.newest >= end+uint64(n.cfg.Gaps.ArchiveLag) })
		if from == endless {
			return refuted("the archive lags too far")
		}
	}
	v := n.view(from)
	w, ok := n.witnesses(&v, t)
	if !ok || !n.holds(&v, w) {
		return refuted("the store lacks a part of the window")
	}
	until := endless
	if n.cfg.Gaps.Keep > 0 || n.cfg.Gaps.SnapshotEvery > 0 {
		until, _ = n.scan(v.clock, func(v *view) bool { return n.lacks(v, w.low.slot) != present })
	}
	return stretch{ok: true, from: from, until: until, reason: "from the store"}
}

// witnesses finds blocks with transactions at both ends that the node's store
// can read.
func (n *Node) witnesses(v *view, t *transaction) (window, bool) {
	c := n.w.chain
	var w window
	for b := t.born; ; b = c.parent(b) {
		if b.height+v.recent < t.last || b.slot <= c.base+spanLen {
			return w, false
		}
		if n.speaks(v, b) {
			w.low = b
			break
		}
	}
	for height := t.last + 1; height < t.last+v.recent; height++ {
		b := c.atHeight(height)
		if b.slot > v.final.slot {
			return w, false
		}
		if n.speaks(v, b) {
			w.high = b
			return w, true
		}
	}
	return w, false
}

// speaks reports whether a block has transactions and can be read.
func (n *Node) speaks(v *view, b bank) bool {
	count, _ := n.w.chain.strangers(b.slot)
	return count > 0 && n.lacks(v, b.slot) == present && !n.crooked(b.slot)
}

// holds reports whether the store has each block of the window, with
// transactions: one that has none may have lost them.
func (n *Node) holds(v *view, w window) bool {
	for _, slot := range n.w.chain.blocks(v.final, w.low.slot, w.high.slot, nil) {
		if !n.speaks(v, bank{slot: slot}) {
			return false
		}
	}
	return true
}

// Span is a stretch of time.
type Span struct{ From, To time.Time }

// lesson is what a client must have learned of a transaction's window to prove
// that nothing executed in it. A node that has pruned its store can no longer
// teach it.
type lesson struct {
	// last is the greatest height at which the transaction can land, as far as was shown: by the block
	// that the blockhash is of, or, too high, by the least bank at which it was valid; 0 by neither.
	last uint64
	low  bool // a witness from where the window begins, or before
}

// learns tells what a client can learn through an endpoint if it asks at every
// moment of the given times. Of several nodes one is enough: a client that asks
// again comes to it.
func (w *World) learns(e *Endpoint, t *transaction, asked []Span, until int64) (l lesson) {
	heads, stores := e.cfg.Nodes, e.cfg.Nodes
	if e.cfg.Balance == BalanceByMethod {
		heads, stores = heads[:1], stores[len(stores)-1:]
	}
	for _, s := range asked {
		from, to := w.arrivals(s)
		for at := from; at <= min(to, until); at = w.chain.begins(w.chain.slotAt(at) + 1) {
			for _, i := range heads {
				v := w.nodes[i].view(at)
				l.bound(w, t, v.tip)
				l.bound(w, t, v.confirmed)
			}
			for _, i := range stores {
				w.nodes[i].teach(&l, t, at)
			}
			if l.low && l.last > 0 && (l.last <= t.last || at > w.chain.begins(w.chain.atHeight(l.last+1).slot)) {
				return l
			}
		}
	}
	return l
}

// arrivals are the first and the last moment at which a request can reach a node
// that is made and answered in a span, however long it takes.
func (w *World) arrivals(s Span) (from, to int64) {
	way := int64(w.cfg.LatencyMax / 2)
	return int64(s.From.Sub(w.started)) + way, int64(s.To.Sub(w.started)) - way
}

// bound takes the bank at which the blockhash is valid for the blockhash's own, unless a lower one is known.
func (l *lesson) bound(w *World, t *transaction, b bank) {
	if last := w.ages.last(b.height); w.valid(t, b) && (l.last == 0 || last < l.last) {
		l.last = last
	}
}

// valid is what isBlockhashValid says at a bank. True bounds where the window
// ends, on a fork too: the blockhash's slot is not after the bank's.
func (w *World) valid(t *transaction, b bank) bool {
	return w.chain.contains(b, t.born.slot) && w.ages.valid(t.born.height, b.height)
}

// teach adds what the node's store shows at a moment: the header of the
// blockhash's block, or of the next one, if that is the first that was not cleaned
// up, as it names the hash before it; and a block with transactions not after it.
func (n *Node) teach(l *lesson, t *transaction, at int64) {
	v, c := n.view(at), n.w.chain
	if n.header(&v, t.born) || n.lacks(&v, t.born.slot) == tooOld && n.header(&v, c.atHeight(t.born.height+1)) {
		l.last = n.w.ages.last(t.born.height)
	}
	b := t.born
	for b.slot > v.final.slot {
		b = c.parent(b)
	}
	floor := max(n.floor(&v), c.base+spanLen)
	for ; !l.low && b.slot >= floor && b.height+v.recent >= t.last; b = c.parent(b) {
		l.low = n.speaks(&v, b)
	}
}

// header reports whether the node gives the header of a finalized block.
func (n *Node) header(v *view, b bank) bool {
	if b.slot > v.final.slot || n.crooked(b.slot) {
		return false
	}
	lack := n.lacks(v, b.slot)
	return lack == present || lack == hollow
}
