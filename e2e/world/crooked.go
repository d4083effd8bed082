package world

import "strconv"

// hollow writes the list of a block's transactions if the store has lost them:
// an empty one, or none.
func (c *call) hollow(slot uint64, list string) bool {
	if slot > c.view.final.slot || c.node.lacks(&c.view, slot) != hollow {
		return false
	}
	c.remark("hollow ")
	if draw(c.node.seed, forHollow, slot, 1)%4 > 0 {
		c.text(`,"` + list + `":[]`)
	}
	return true
}

// crooked reports whether the node answers another block for a finalized slot,
// or one that does not hang on the one before.
func (n *Node) crooked(slot uint64) bool {
	return chance(n.cfg.Gaps.Crooked, draw(n.seed, forCrooked, slot))
}

// crooked returns the slot whose block is answered for a finalized one: at times
// the block before or after it.
func (c *call) crooked(slot uint64) uint64 {
	h := mix(draw(c.node.seed, forCrooked, slot))
	if !c.node.crooked(slot) || h%2 == 0 {
		return slot
	}
	b, ok := c.w.chain.main(slot)
	if !ok {
		return slot
	}
	other := c.w.chain.parent(b)
	if h%4 == 1 {
		other = c.w.chain.atHeight(b.height + 1)
	}
	if other.slot > c.view.final.slot {
		return slot
	}
	c.remark("in place of ", strconv.FormatUint(slot, 10), ": ")
	return other.slot
}

// unchained returns the slot whose blockhash a block names as the one before: at
// times that of another block than its parent.
func (c *call) unchained(slot, parent uint64) uint64 {
	h := mix(draw(c.node.seed, forCrooked, slot))
	if slot <= c.view.final.slot && c.node.crooked(slot) && h%2 == 0 {
		return parent - 1 - h%8
	}
	return parent
}
