package world

// window is the part of the chain in which a transaction could have executed,
// with the blocks whose transactions bear witness at its ends.
type window struct {
	low, high bank
}

// proveWindow looks for the times at which the node proves that nothing
// executed in the window: while the status cache holds all of it, or when the
// store does.
func (n *Node) proveWindow(t *transaction, byOwner, heads bool, now int64) stretch {
	c := n.w.chain
	past := c.atHeight(t.last + 1)
	first, ok := n.when(past.slot, func(v *view) bool { return v.final.slot >= past.slot })
	if !ok {
		return never("the node does not catch up")
	}
	v := n.view(first)
	again := v.final.slot + uint64(c.cfg.FinalityMax)
	from, ok := n.when(v.clock, func(v *view) bool { return v.final.slot >= again })
	if !ok {
		return never("the node does not catch up")
	}
	if heads {
		return stretch{ok: true, from: from, until: endless, reason: "heads only"}
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
	case inCache.ok && inStore.ok && inStore.from <= inCache.until:
		inCache.until = max(inCache.until, inStore.until)
		return inCache
	case inCache.ok && (inCache.until > now || !inStore.ok):
		return inCache
	}
	return inStore
}

// storeProves tells when the node's store holds the whole window.
func (n *Node) storeProves(t *transaction, from int64) stretch {
	if n.cfg.NullErrors > 0 {
		return never("the store's errors are answered as null")
	}
	slot := n.w.chain.slotAt(from)
	if n.cfg.Gaps.ArchiveLag > 0 {
		end := n.w.chain.atHeight(t.last+1).slot + spanLen
		from, _ = n.when(slot, func(v *view) bool { return v.newest >= end+uint64(n.cfg.Gaps.ArchiveLag) })
		if from == endless {
			return never("the archive lags too far")
		}
	}
	v := n.view(from)
	w, ok := n.witnesses(&v, t)
	if !ok || !n.holds(&v, w) {
		return never("the store lacks a part of the window")
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
