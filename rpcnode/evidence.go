package rpcnode

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/walletfi/walletfi-go"
)

var _ walletfi.Prover = (*Client)(nil)

// Identity is a digest of the node's address, by which a journal knows it.
func (c *Client) Identity() string { return c.identity }

// Genesis returns the hash of the ledger's first block, base58: getGenesisHash.
func (c *Client) Genesis(ctx context.Context) (string, error) {
	hash, err := ask(ctx, c, "getGenesisHash", func(h *solana.Hash) bool { return !h.IsZero() })
	if err != nil {
		return "", err
	}
	return hash.String(), nil
}

// FinalHead returns the newest finalized block that the node shows: getEpochInfo, held
// against getBlock. If the one method is ahead of the other, because two nodes answer
// them, an earlier answer is held against the block, and one in a gap is passed over. Of a head in a gap of what
// the node has, it is the newest block not long before that.
func (c *Client) FinalHead(ctx context.Context) (walletfi.Head, error) {
	told, err := c.toldFinal(ctx)
	if err != nil {
		return walletfi.Head{}, err
	}
	err = c.shows(ctx, told)
	if err != nil && (ctx.Err() != nil || errors.Is(err, walletfi.ErrRateLimited)) {
		c.unshown.put(rpc.CommitmentFinalized, told)
		return walletfi.Head{}, err
	}
	if err == nil {
		c.heads.drop(told.Slot)
		c.showed(told)
		return told, nil
	}
	if skipped(err) {
		return c.beforeGap(ctx, told, err)
	}
	best := walletfi.Head{}
	for _, earlier := range c.heads.add(told) {
		failed := c.shows(ctx, earlier)
		if refusedWith(failed, codeCleanedUp) {
			c.heads.drop(earlier.Slot)
			continue
		}
		if skipped(failed) {
			continue // it is in a gap, which says nothing of newer ones
		}
		if failed != nil {
			break
		}
		best = earlier
	}
	if best.Slot == 0 {
		return walletfi.Head{}, err
	}
	c.heads.drop(best.Slot - 1)
	c.showed(best)
	return best, nil
}

// showed takes in a final block that the node has shown. Of one address's nodes, one may show an older one afterwards.
func (c *Client) showed(head walletfi.Head) {
	for {
		newest := c.newest.Load()
		if newest != nil && newest.Slot >= head.Slot || c.newest.CompareAndSwap(newest, &head) {
			return
		}
	}
}

// toldLife is how long a head that there was no time to hold against its block is near the newest.
const toldLife = 8 * time.Second

// toldFinal is the newest finalized head by the node's word, or one that it told not long ago and
// that was not held against its block.
func (c *Client) toldFinal(ctx context.Context) (walletfi.Head, error) {
	told, ok := c.unshown.take(rpc.CommitmentFinalized)
	if ok {
		return told, nil
	}
	return c.headAt(ctx, rpc.CommitmentFinalized)
}

// beforeGap is a block before a head that is in a gap of what the node has, which nothing
// fills. The first time it is looked for far back, and then near the head.
func (c *Client) beforeGap(ctx context.Context, told walletfi.Head, missed error) (walletfi.Head, error) {
	known, near := uint64(0), uint64(len(strides))
	if newest := c.newest.Load(); newest != nil {
		known = newest.Slot
	}
	if in := c.inGap.Swap(told.Slot); known < in {
		near = 4
	}
	for _, stride := range strides[:near] {
		if told.Slot <= known+stride {
			break
		}
		b, err := c.block(ctx, told.Slot-stride, false)
		switch {
		case skipped(err):
			continue
		case err != nil:
			return walletfi.Head{}, err
		case b.Height > told.Height || told.Height-b.Height > told.Slot-b.Slot:
			return walletfi.Head{}, contradicts("getEpochInfo", "slot %d has height %d, and slot %d, by its block, %d",
				told.Slot, told.Height, b.Slot, b.Height)
		}
		c.showed(b.Head)
		return b.Head, nil
	}
	return walletfi.Head{}, missed
}

// shows holds a head against its block.
func (c *Client) shows(ctx context.Context, told walletfi.Head) error {
	block, err := c.FinalBlock(ctx, told.Slot)
	if err == nil && block.Height != told.Height {
		err = contradicts("getEpochInfo", "slot %d has height %d, by its block %d", told.Slot, told.Height, block.Height)
	}
	return err
}

// heads are finalized heads whose blocks the node has not shown yet, the oldest first.
type heads struct {
	mu   sync.Mutex
	held []walletfi.Head
}

const maxHeads = 32

// add keeps a head and returns those that are older.
func (h *heads) add(told walletfi.Head) (older []walletfi.Head) {
	h.mu.Lock()
	defer h.mu.Unlock()
	i, found := slices.BinarySearchFunc(h.held, told, func(a, b walletfi.Head) int { return cmp.Compare(a.Slot, b.Slot) })
	older = slices.Clone(h.held[:i])
	if !found {
		h.held = slices.Insert(h.held, i, told)
	}
	if len(h.held) > maxHeads {
		h.held = slices.Delete(h.held, 1, 2) // the oldest may be shown soon, the newest last
	}
	return older
}

// drop forgets heads up to a slot.
func (h *heads) drop(slot uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.held = slices.DeleteFunc(h.held, func(told walletfi.Head) bool { return told.Slot <= slot })
}

// FinalBlock returns the finalized block of a slot: getBlock.
func (c *Client) FinalBlock(ctx context.Context, slot uint64) (walletfi.Head, error) {
	b, err := c.block(ctx, slot, false)
	if err != nil {
		return walletfi.Head{}, err
	}
	return b.Head, nil
}

// BlockhashAt reports whether a blockhash, base58, is good in a finalized block at or
// after minSlot: isBlockhashValid.
func (c *Client) BlockhashAt(ctx context.Context, blockhash string, minSlot uint64) (walletfi.BlockhashState, error) {
	state, err := c.blockhashValid(ctx, blockhash, rpc.CommitmentFinalized, minSlot)
	if slot := state.AsOfSlot; err == nil && slot < minSlot {
		err = contradicts("isBlockhashValid", "the answer is of slot %d, before %d", slot, minSlot)
	}
	return state, err
}

// contradicts is the error for an answer that another one of the node speaks against.
func contradicts(method, format string, values ...any) error {
	return &Error{Method: method, Message: fmt.Sprintf(format, values...), Kind: walletfi.ErrDecode}
}

// ageLife is how long a told age is believed: a release of the validators may change it.
const ageLife = time.Hour

// BlockhashAge returns how many blocks after a blockhash's own one are the last that may
// hold a transaction on it: getLatestBlockhash, held against getBlock. What the node
// calls the last valid height is one short of that.
func (c *Client) BlockhashAge(ctx context.Context) (uint64, error) {
	const method = "getLatestBlockhash"
	if blocks, ok := c.age.get(rpc.CommitmentFinalized); ok {
		return blocks, nil
	}
	answer, err := c.latestBlockhash(ctx, rpc.CommitmentFinalized)
	if err == nil && answer.Context.Slot == 0 {
		err = incomplete(method)
	}
	if err != nil {
		return 0, err
	}
	b, err := c.block(ctx, answer.Context.Slot, false)
	switch {
	case err != nil:
		return 0, err
	case b.hash != answer.Value.Blockhash.String() || answer.Value.LastValidBlockHeight < b.Height:
		return 0, contradicts(method, "the block of slot %d has another blockhash", b.Slot)
	}
	blocks := answer.Value.LastValidBlockHeight - b.Height + 1
	c.age.put(rpc.CommitmentFinalized, blocks)
	return blocks, nil
}

// Bounds of the search for a blockhash's own block.
const (
	blocksNear   = 3
	blocksBefore = 160
	blocksLong   = 320 // a blockhash may have ended long before it was signed
	blocksSoon   = 64
	blocksAfter  = 400
)

// BlockOf looks for the finalized block with a blockhash, base58, around another one:
// getBlock, at most 720 times, first right there.
func (c *Client) BlockOf(ctx context.Context, blockhash string, near walletfi.Head) (walletfi.Head, error) {
	top, err := c.FinalHead(ctx)
	if newest := c.newest.Load(); err != nil && newest != nil {
		top, err = *newest, nil // the head is in a gap; the block need not be
	}
	if err != nil {
		return walletfi.Head{}, err
	}
	for _, around := range []struct{ before, after uint64 }{
		{blocksNear, blocksNear}, {blocksBefore, blocksSoon}, {blocksLong, blocksAfter},
	} {
		before := max(around.before, blocksBefore)
		low := walletfi.Head{ // no block of a height is of a lower slot
			Slot: near.Slot - min(near.Slot, 2*before), Height: near.Height - min(near.Height, before),
		}
		b, own := (*block)(nil), walletfi.Head{}
		if b, err = c.atHeight(ctx, low, top, min(top.Height, near.Height+around.after)); err == nil {
			own, err = c.back(ctx, b, blockhash, near.Height-min(near.Height, around.before))
		}
		switch {
		case err == nil:
			return own, nil
		case ctx.Err() != nil:
			return walletfi.Head{}, err
		}
	}
	return walletfi.Head{}, err
}

// back looks for the block with a blockhash, from b back to one of a height. Of one that the node lacks, the block
// after it tells.
func (c *Client) back(ctx context.Context, b *block, blockhash string, lowest uint64) (own walletfi.Head, _ error) {
	for b.hash != blockhash {
		if b.Height <= lowest {
			const none = "no block near has the blockhash"
			return own, &Error{Method: "getBlock", Message: none, Kind: walletfi.ErrNotFound}
		}
		before, err := c.parentOf(ctx, b, false)
		if lacks(err) && b.before == blockhash {
			return walletfi.Head{Slot: b.parent, Height: b.Height - 1}, nil
		}
		// The hash names the block: a gap on the way to it proves nothing wrong.
		for missed := uint64(1); err != nil && missed < mostEmpty && ctx.Err() == nil; missed++ {
			if other, err2 := c.block(ctx, b.parent-min(b.parent, missed), false); err2 == nil {
				before, err = other, nil
			}
		}
		if err != nil {
			return own, err
		}
		b = before
	}
	return b.Head, nil
}

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
