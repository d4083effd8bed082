package rpcnode

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/gagliardetto/solana-go/rpc"
	"github.com/walletfi/walletfi-go"
)

// block is a finalized block as the node tells it.
type block struct {
	walletfi.Head
	hash   string // base58
	parent uint64 // slot

	read    bool   // whether the transactions were asked for
	witness string // one of them, base58; empty if there is none
}

type blockAnswer struct {
	Blockhash  string   `json:"blockhash"`
	ParentSlot *uint64  `json:"parentSlot"`
	Height     *uint64  `json:"blockHeight"`
	Signatures []string `json:"signatures"`
}

// block reads the finalized block of a slot: getBlock. With its transactions, one of
// them is kept as a witness.
func (c *Client) block(ctx context.Context, slot uint64, transactions bool) (*block, error) {
	if b, ok := c.blocks.get(slot); ok && (b.read || !transactions) {
		return b, nil
	}
	details := "none"
	if transactions {
		details = "signatures"
	}
	answer, err := c.getBlock(ctx, slot, details)
	if err != nil {
		return nil, err
	}
	b := &block{
		Head: walletfi.Head{Slot: slot, Height: *answer.Height},
		hash: answer.Blockhash, parent: *answer.ParentSlot, read: transactions,
	}
	if n := len(answer.Signatures); n > 0 {
		b.witness = answer.Signatures[n/2]
	}
	c.blocks.put(b)
	return b, nil
}

var noBlock = &Error{Method: "getBlock", Message: "the answer is null", Kind: walletfi.ErrUnavailable}

func (c *Client) getBlock(ctx context.Context, slot uint64, details string) (*blockAnswer, error) {
	const method = "getBlock"
	var answer *blockAnswer
	err := c.read(ctx, func() error {
		answer = nil
		err := c.rpc.RPCCallForInto(ctx, &answer, method, []any{slot, map[string]any{
			"commitment": rpc.CommitmentFinalized, "transactionDetails": details, "rewards": false,
			"maxSupportedTransactionVersion": newestVersion,
		}})
		if err == nil && answer == nil {
			err = noBlock // an archive that fails is answered so
		}
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case answer.Blockhash == "" || answer.ParentSlot == nil || answer.Height == nil,
		details == "signatures" && answer.Signatures == nil, slices.Contains(answer.Signatures, ""), *answer.ParentSlot >= slot:
		return nil, incomplete(method)
	}
	return answer, nil
}

// skipped reports that a slot has no block, as far as the node knows.
func skipped(err error) bool {
	return refusedWith(err, codeSkipped) || refusedWith(err, codeSkippedLong)
}

// parentOf is the block before b. Their heights must meet.
func (c *Client) parentOf(ctx context.Context, b *block, transactions bool) (*block, error) {
	parent, err := c.block(ctx, b.parent, transactions)
	if err == nil && parent.Height+1 != b.Height {
		err = &Error{
			Method: "getBlock", Kind: walletfi.ErrDecode,
			Message: fmt.Sprintf("slot %d has height %d, its parent %d", b.Slot, b.Height, parent.Height),
		}
	}
	return parent, err
}

// atHeight finds a block of at least a height and not much more, between two blocks: it
// guesses the slot, again and again.
func (c *Client) atHeight(ctx context.Context, low, high walletfi.Head, height uint64) (*block, error) {
	const near, guesses = 16, 16
	if b := c.blocks.at(height, near); b != nil {
		return b, nil
	}
	for range guesses {
		if high.Height <= height+near || high.Slot <= low.Slot+near {
			break
		}
		blocks := high.Height - low.Height
		guess := low.Slot + (height-min(height, low.Height))*(high.Slot-low.Slot)/max(blocks, 1)
		b, err := c.firstFrom(ctx, max(guess, low.Slot+1), high.Slot)
		if err != nil {
			return nil, err
		}
		if b.Slot >= high.Slot {
			break
		}
		if b.Height < height {
			low = b.Head
		} else {
			high = b.Head
		}
	}
	return c.block(ctx, high.Slot, false)
}

// mostEmpty is how many slots in a row may have no block.
const mostEmpty = 32

// strides are how far from a slot a block is looked for that can stand in for one that is
// empty or in a gap of what the node has.
var strides = []uint64{0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96}

// upTo is a block with a transaction at a slot or not long before it.
func (c *Client) upTo(ctx context.Context, slot uint64) (*block, error) {
	return c.filled(ctx, func(stride uint64) uint64 { return slot - min(slot, stride) })
}

// since is a block with a transaction at a slot or not long after it.
func (c *Client) since(ctx context.Context, slot uint64) (*block, error) {
	return c.filled(ctx, func(stride uint64) uint64 { return slot + stride })
}

// filled is the first block with a transaction at some strides.
func (c *Client) filled(ctx context.Context, at func(stride uint64) uint64) (b *block, err error) {
	var failure error
	for _, stride := range strides {
		b, err = c.block(ctx, at(stride), true)
		switch {
		case err == nil && b.witness != "":
			return b, nil
		case err != nil && !skipped(err):
			return nil, cmp.Or(failure, err)
		}
		failure = cmp.Or(failure, err)
	}
	return nil, cmp.Or(failure, incomplete("getBlock"))
}

// firstFrom is the first block from a slot on, up to one that is known. More slots in a
// row without a block are a gap in what the node has.
func (c *Client) firstFrom(ctx context.Context, slot, end uint64) (b *block, err error) {
	for n := range uint64(mostEmpty) {
		if b, err = c.block(ctx, min(slot+n, end), false); err == nil || !skipped(err) {
			return b, err
		}
	}
	return nil, err
}

// maxBlocks bounds what is kept, about 2 MB: a window that was read once is not read
// again while it is asked for now and then.
const maxBlocks = 8192

// blockCache keeps finalized blocks. It is ready to use as its zero value.
type blockCache struct {
	mu       sync.Mutex
	held     map[uint64]*block // by slot
	byHeight map[uint64]*block
	order    []uint64 // slots, the oldest entry first
}

func (k *blockCache) get(slot uint64) (*block, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	b, ok := k.held[slot]
	return b, ok
}

// at is a block of at least a height and at most some more, nil if none is held.
func (k *blockCache) at(height, more uint64) *block {
	k.mu.Lock()
	defer k.mu.Unlock()
	for h := height; h <= height+more; h++ {
		if b := k.byHeight[h]; b != nil {
			return b
		}
	}
	return nil
}

func (k *blockCache) put(b *block) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.held == nil {
		k.held, k.byHeight = map[uint64]*block{}, map[uint64]*block{}
	}
	if k.held[b.Slot] == nil {
		k.order = append(k.order, b.Slot)
	}
	k.held[b.Slot], k.byHeight[b.Height] = b, b
	if len(k.order) > maxBlocks {
		old := k.held[k.order[0]]
		k.order = k.order[1:]
		delete(k.held, old.Slot)
		if k.byHeight[old.Height] == old {
			delete(k.byHeight, old.Height)
		}
	}
}

// hashAt is the blockhash of a block that was read.
func (k *blockCache) hashAt(slot uint64) string {
	b, ok := k.get(slot)
	if !ok {
		return ""
	}
	return b.hash
}
