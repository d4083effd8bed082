package rpcnode

import (
	"context"

	"github.com/walletfi/walletfi-go"
)

// parentOf is the block before b. Their heights and hashes must meet: if they do not, neither is kept, and the
// parent is asked for again, as of one address's nodes the next one may show the true one.
func (c *Client) parentOf(ctx context.Context, b *block, transactions bool) (parent *block, err error) {
	for range otherNodes {
		if parent, err = c.sureBlock(ctx, b.parent, transactions); err != nil {
			return nil, err
		}
		if err = b.follows(parent); err == nil {
			return parent, nil
		}
		c.drop(parent)
	}
	c.drop(b)
	return nil, err
}

// follows reports why b is not the block after one of the slot that it names as its parent's.
func (b *block) follows(parent *block) error {
	switch {
	case parent.Height+1 != b.Height:
		return contradicts("getBlock", "slot %d has height %d, its parent %d", b.Slot, b.Height, parent.Height)
	case parent.hash != b.before:
		return contradicts("getBlock", "slot %d follows on block %q, its parent is %q", b.Slot, b.before, parent.hash)
	}
	return nil
}

// drop forgets a block.
func (c *Client) drop(b *block) {
	c.blocks.take(b.Slot)
	if held, _ := c.byHeight.get(b.Height); held == b {
		c.byHeight.take(b.Height)
	}
}

// opens reports that q's window begins after b. The blocks of the window must lead to that
// block: a chain that passes it by is of something else.
func (b *block) opens(q walletfi.AbsenceQuery) (bool, error) {
	switch {
	case q.Blockhash != "" && b.hash == q.Blockhash || b.Head == q.After:
		return true, nil
	case b.Slot <= q.After.Slot:
		return false, contradicts("getBlock", "the blocks lead to slot %d at height %d, not to %d at %d",
			b.Slot, b.Height, q.After.Slot, q.After.Height)
	}
	return false, nil
}
