package rpcnode

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/atwork"
	"github.com/walletfi/walletfi-go/internal/clock"
)

// block is a finalized block as the node tells it.
type block struct {
	walletfi.Head
	hash   string // base58
	parent uint64 // slot
	before string // the parent's hash

	read    bool   // whether the transactions were asked for
	witness string // one of them, base58; empty if there is none
}

type blockAnswer struct {
	Blockhash  string   `json:"blockhash"`
	Previous   string   `json:"previousBlockhash"`
	ParentSlot *uint64  `json:"parentSlot"`
	Height     *uint64  `json:"blockHeight"`
	Signatures []string `json:"signatures"`
}

// noHash is told in place of the hash of a parent that the node has dropped.
var noHash = solana.Hash{}.String()

// block reads the finalized block of a slot: getBlock. With its transactions, one of
// them is kept as a witness.
func (c *Client) block(ctx context.Context, slot uint64, transactions bool) (*block, error) {
	return c.readBlock(ctx, slot, transactions, repeats)
}

// readBlock is block, with what is not whole asked for so many times again.
func (c *Client) readBlock(ctx context.Context, slot uint64, transactions bool, again int) (*block, error) {
	leave, err := c.reading.enter(ctx, slot)
	if err != nil {
		return nil, err
	}
	defer leave()
	b, ok := c.blocks.get(slot)
	if ok && (!transactions || b.read && (b.witness != "" || c.blocks.age(slot) < emptyLife)) {
		return b, nil
	}
	if g, ok := c.gaps.get(slot); ok &&
		(!refusedWith(g.err, codeSkippedLong) || clock.Since(c.clock, g.at) < archiveLife) {
		return nil, g.err
	}
	details := "none"
	if transactions {
		details = "signatures"
	}
	answer, err := c.getBlock(ctx, slot, details, again, rpc.CommitmentFinalized)
	if skipped(err) {
		c.gaps.put(slot, gap{err, clock.Now(c.clock)})
	}
	if err != nil {
		return nil, err
	}
	b = &block{
		Head: walletfi.Head{Slot: slot, Height: *answer.Height},
		hash: answer.Blockhash, parent: *answer.ParentSlot, before: answer.Previous, read: transactions,
	}
	if n := len(answer.Signatures); n > 0 {
		b.witness = answer.Signatures[n/2]
	}
	if b.before == noHash {
		return b, nil // it is told when the node has the parent
	}
	c.blocks.put(slot, b)
	c.byHeight.put(b.Height, b)
	return b, nil
}

// reading are what is being read, such as the slots of blocks, so that those who want the same
// share the answer.
type reading[K comparable] struct {
	mu    sync.Mutex
	gates map[K]*atwork.Gate
}

// enter waits until no other call reads the same.
func (r *reading[K]) enter(ctx context.Context, what K) (leave func(), err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.gates[what] != nil {
		gate := r.gates[what]
		r.mu.Unlock()
		err := gate.Wait(ctx)
		r.mu.Lock()
		if err != nil {
			return nil, err
		}
	}
	if r.gates == nil {
		r.gates = map[K]*atwork.Gate{}
	}
	gate := atwork.NewGate()
	r.gates[what] = gate
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.gates, what)
		gate.Open()
	}, nil
}

// getBlock asks so many times again for what is not whole.
func (c *Client) getBlock(
	ctx context.Context, slot uint64, details string, again int, commitment rpc.CommitmentType,
) (*blockAnswer, error) {
	whole := func(a *blockAnswer) bool {
		return a.Blockhash != "" && a.ParentSlot != nil && a.Height != nil && *a.ParentSlot < slot && *a.Height <= slot &&
			(details != "signatures" || a.Signatures != nil) && !slices.Contains(a.Signatures, "")
	}
	options := map[string]any{
		"commitment": commitment, "transactionDetails": details, "rewards": false,
		"maxSupportedTransactionVersion": newestVersion,
	}
	return insist(ctx, c, again, func() (*blockAnswer, error) { return ask(ctx, c, "getBlock", whole, slot, options) })
}

// skipped reports that a slot has no block, as far as the node knows.
func skipped(err error) bool {
	return refusedWith(err, codeSkipped) || refusedWith(err, codeSkippedLong)
}

// lacks reports that a node does not have a block: it skipped it, has not reached it or has dropped it.
func lacks(err error) bool {
	return skipped(err) || refusedWith(err, codeNoBlockYet) || refusedWith(err, codeCleanedUp)
}

// otherNodes is how often a block that is there is asked for: of one address's nodes one may
// lack what the next one has.
const otherNodes = 3

// sureBlock is block, of a slot that has one by what was read before.
func (c *Client) sureBlock(ctx context.Context, slot uint64, transactions bool) (b *block, err error) {
	for range otherNodes {
		b, err = c.block(ctx, slot, transactions)
		if !lacks(err) {
			break
		}
		c.gaps.take(slot)
	}
	return b, err
}

// atHeight finds a block of at least a height and not much more, between two blocks: it
// guesses the slot, again and again.
func (c *Client) atHeight(ctx context.Context, low, high walletfi.Head, height uint64) (*block, error) {
	const near, guesses = 4, 16
	for h := height; h <= height+near; h++ {
		if b, ok := c.byHeight.get(h); ok {
			return b, nil
		}
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

// How long a slot is believed to have no block: an archive may get it soon, a node hardly. Of one that
// showed no transaction, another node of the same address may list some.
const (
	gapLife     = 5 * time.Minute
	emptyLife   = 2 * time.Minute
	archiveLife = 20 * time.Second
)

// gap is a slot without a block, as it was told.
type gap struct {
	err error
	at  time.Time
}

// mostEmpty is how many slots in a row may have no block.
const mostEmpty = 32

// strides are how far from a slot a block is looked for that can stand in for one that is
// empty or in a gap of what the node has.
var strides = []uint64{0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96}

// farther are those by which a witness may be older than the window: what the cache of statuses holds.
var farther = append(strides[:len(strides):len(strides)], 128, 160)

// listing is the block of a slot, if it shows a transaction. One that the node shows in part, and
// one that is wrong, are passed over.
func (c *Client) listing(ctx context.Context, slot uint64, wrong map[uint64]bool) (*block, error) {
	if wrong[slot] {
		return nil, incomplete("getBlock")
	}
	b, err := c.readBlock(ctx, slot, true, 0)
	if err == nil && b.witness == "" {
		err = incomplete("getBlock")
	}
	return b, err
}

// ends reports an error of getBlock after which other slots are not asked for.
func ends(err error) bool { return err != nil && !skipped(err) && !errors.Is(err, walletfi.ErrDecode) }

// sighted is a transaction that was asked for before, of a block from a slot on or up to it.
func (c *Client) sighted(ctx context.Context, slot uint64, after bool, wrong map[uint64]bool) *block {
	for _, s := range c.sightings.near(slot, after) {
		if b, err := c.block(ctx, s.slot, false); err == nil && !wrong[s.slot] {
			return &block{Head: b.Head, hash: b.hash, witness: s.signature.String()}
		}
	}
	return nil
}

// before is the newest block with a transaction up to a slot, or one not long before it: those
// farther and farther back are read and then, from the first that has one, nearer ones again.
// A witness that is older than it need be leaves the cache of statuses too soon.
func (c *Client) before(ctx context.Context, slot uint64, wrong map[uint64]bool) (best *block, err error) {
	near, far := uint64(0), uint64(0) // how far back there is none, and one
	for _, far = range farther {
		b, failed := c.listing(ctx, slot-min(slot, far), wrong)
		if failed == nil {
			best = b
			break
		}
		if err = cmp.Or(err, failed); ends(failed) {
			break
		}
		near = far
	}
	if best == nil {
		if best = c.sighted(ctx, slot, false, wrong); best != nil {
			err = nil
		}
		return best, err
	}
	for far-near > 1 {
		middle := (near + far) / 2
		b, failed := c.listing(ctx, slot-min(slot, middle), wrong)
		if skipped(failed) && middle+1 < far { // it alone, or all that are near
			middle++
			b, failed = c.listing(ctx, slot-min(slot, middle), wrong)
		}
		if failed != nil {
			near = middle
			continue
		}
		best, far = b, middle
	}
	return best, nil
}

// closing is a block with a transaction after the end of q's window: that of the slot until which it
// is asked for, one that is final not long after it, or else one not long before it.
func (c *Client) closing(ctx context.Context, q walletfi.AbsenceQuery, wrong map[uint64]bool) (*block, error) {
	b, failure := c.listing(ctx, q.Until.Slot, wrong)
	err := failure
	if err == nil {
		return b, nil
	}
	newest := c.newest.Load()
	for _, stride := range strides[1:] {
		at := q.Until.Slot + stride
		if ends(err) || newest != nil && at > newest.Slot {
			break
		}
		if b, err = c.listing(ctx, at, wrong); err == nil {
			return b, nil
		}
	}
	if b = c.sighted(ctx, q.Until.Slot, true, wrong); b != nil {
		return b, nil
	}
	if newest != nil && newest.Slot > q.Until.Slot && !ends(err) { // it may be the first after a hole
		if b, err = c.listing(ctx, newest.Slot, wrong); err == nil {
			return b, nil
		}
	}
	for i, past := 1, !ends(failure); past && i < len(strides); i++ {
		b, err = c.listing(ctx, q.Until.Slot-min(q.Until.Slot, strides[i]), wrong)
		past = !ends(err) && (b == nil || b.Height > q.Last)
		if past && err == nil {
			return b, nil
		}
	}
	if !ends(failure) {
		b = c.soonAfter(ctx, q, wrong)
	} else if refusedWith(failure, codeNoBlockYet) {
		b = c.shownBefore(ctx, q, wrong)
	}
	if b != nil {
		return b, nil
	}
	if errors.Is(failure, walletfi.ErrDecode) && !wrong[q.Until.Slot] { // no other one serves: a null is asked again
		if b, err = c.block(ctx, q.Until.Slot, true); err == nil && b.witness != "" {
			return b, nil
		}
	}
	return nil, failure
}

// shownBefore is the block at which q's window ends, asked for again, or one before it that is past the window, if a
// node that had not reached it has just answered in place of the one that showed it. It is nil if there is none.
func (c *Client) shownBefore(ctx context.Context, q walletfi.AbsenceQuery, wrong map[uint64]bool) *block {
	if _, shown := c.blocks.get(q.Until.Slot); !shown {
		return nil
	}
	for _, back := range []uint64{0, 2, 8, 32} {
		b, err := c.listing(ctx, q.Until.Slot-min(q.Until.Slot, back), wrong)
		switch {
		case err == nil && b.Height > q.Last:
			return b
		case err == nil || q.Until.Height <= q.Last+1:
			return nil
		}
	}
	return nil
}

// soonAfter is a block with a transaction not long after the end of q's window, nil if there is none. It may be
// the only one before a hole.
func (c *Client) soonAfter(ctx context.Context, q walletfi.AbsenceQuery, wrong map[uint64]bool) *block {
	b, err := c.atHeight(ctx, q.After, q.Until, q.Last+1)
	end := b
	for ; err == nil && b.Height > q.Last; b, err = c.parentOf(ctx, b, false) {
		end = b
	}
	if end == nil {
		return nil
	}
	for _, stride := range strides {
		if end.Slot+stride >= q.Until.Slot {
			break
		}
		b, err := c.listing(ctx, end.Slot+stride, wrong)
		if err == nil && b.Height > q.Last {
			return b
		}
		if ends(err) {
			break
		}
	}
	return nil
}

// firstFrom is a block not long after a slot, up to one that is known.
func (c *Client) firstFrom(ctx context.Context, slot, end uint64) (b *block, err error) {
	for _, stride := range strides {
		if b, err = c.block(ctx, min(slot+stride, end), false); err == nil || !skipped(err) {
			return b, err
		}
	}
	return nil, err
}
