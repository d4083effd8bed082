package evidence

import (
	"context"
	"errors"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
)

// Bounds of one question.
const (
	maxTogether  = 48
	wideTogether = 200              // blocks of a window of which one of each is asked for
	tooWide      = 230              // blocks of a window that should not be so wide
	freshWindow  = proof.Cache - 48 // blocks, so that the window stays within a node's cache
	sinceFinal   = 64               // blocks by which a blockhash's own one may be newer than what is final
)

// query is the window of the first n items, as many as fit.
func (p *Pass) query(items []*Item) (q walletfi.AbsenceQuery, n int) {
	for i, it := range items {
		after, until := it.window()
		if i == 0 {
			q.After, q.Until, q.Blockhash = after, until, it.Step.Blockhash
		}
		if q.After.Slot < after.Slot {
			after = q.After
		}
		last := max(q.Last, it.Last)
		wide := p.Final.Height > after.Height+freshWindow && last > after.Height+wideTogether
		age := p.Final.Height - min(p.Final.Height, after.Height)
		// in the cache with its own block
		own := q.Blockhash != it.Step.Blockhash && age > freshWindow && age <= proof.Cache+sinceFinal
		if i > 0 && (n == maxTogether || until != q.Until || wide || own || !it.Step.Fixed() || !items[0].Step.Fixed()) {
			break
		}
		if q.Blockhash != it.Step.Blockhash {
			q.Blockhash = ""
		}
		q.After, q.Last = after, last
		if it.Step.Fixed() {
			q.Signatures = append(q.Signatures, it.Step.Signature)
		}
		n++
	}
	return q, n
}

// vague reports an end that can be known better: by the service's word the blockhash's own
// block is near, or the window is wide.
func (it *Item) vague() bool {
	return it.wide() || it.Known && it.Shown.Block.Slot == 0 && it.near() != it.After
}

// near is where the blockhash's own block is looked for: where the service's word puts it,
// which may be long after what was known to be final, and not long before.
func (it *Item) near() walletfi.Head {
	const told, far = proof.Age - 1, 128 // blocks from it to the last one by the service, and back from what was final
	block := it.Told - min(it.Told, told)
	switch {
	case it.Shown.Seen > 0 && block > it.Shown.Bound: // the word is wrong
	case block > it.After.Height && it.Told < 1<<62:
		return walletfi.Head{Slot: it.After.Slot + (block - it.After.Height), Height: block}
	case block < it.After.Height && it.After.Height-block < far:
		return walletfi.Head{Slot: it.After.Slot - (it.After.Height - block), Height: block}
	}
	return it.After
}

// wide reports a window that is wider than it need be: the blockhash was seen valid late.
func (it *Item) wide() bool {
	return it.Known && it.Last > it.After.Height+tooWide && it.Shown.Block.Slot == 0
}

// window is the part of the ledger in which the transaction may be: after what was
// final when it was signed or, if that is later or is not sure, after its blockhash's own block.
func (it *Item) window() (after, until walletfi.Head) {
	after, until = it.After, it.Shown.Gone
	if block := it.Shown.Block.Slot; block > after.Slot || it.Unsure && block > 0 {
		after = it.Shown.Block
	}
	return after, until
}

// sure holds a head that was only told before the signature against its block. What several
// nodes vouch for is a height that the block has at least. If that is not shown, the window begins at the
// blockhash's own block.
func (p *Pass) sure(ctx context.Context, it *Item) error {
	if !it.Unsure {
		return nil
	}
	block, err := p.node.FinalBlock(ctx, it.After.Slot)
	switch {
	case err != nil && it.Shown.Block.Slot > 0:
		return nil
	case err != nil:
		return err
	case block != it.After && (!p.several || block.Height < it.After.Height):
		return errors.New("the head that was told before the signature is not the ledger's")
	}
	it.After, it.Unsure = block, false
	return nil
}

// settled asks whether what the first answers had seen is final, by a slot at which the
// blockhash is still gone or, of a node ahead, by its blocks. It is for a node whose blocks lag, or are in a gap.
func (p *Pass) settled(ctx context.Context, hash string, items []*Item) {
	for _, it := range items {
		if proof.Wait(&it.Shown, it.Final) == 0 || !p.stalled && !proof.Ahead(&it.Shown) {
			continue
		}
		if p.home(ctx) != nil {
			return
		}
		state, err := p.node.BlockhashAt(ctx, hash, it.Shown.Nulls[0].AsOfSlot)
		switch {
		case err != nil && p.finalBlock(ctx, it) != nil:
			return
		case err != nil:
		case state.Valid:
			it.Shown.Gone, it.Shown.Nulls = walletfi.Head{}, nil
		default:
			it.Final = walletfi.Head{Slot: state.AsOfSlot}
		}
	}
}

// nonce asks for the value of a durable nonce and, once it is another one, for what used
// the transaction's. A value never comes back.
func (p *Pass) nonce(ctx context.Context, it *Item) error {
	if err := p.home(ctx); err != nil {
		return err
	}
	slot := it.Shown.Gone.Slot
	if it.Shown.Held.Slot == 0 || slot == 0 {
		newest, err := p.newestValue(ctx, it)
		switch at := newest.AsOfSlot; {
		case err != nil:
			return err
		case newest.Value == it.Step.Blockhash:
			it.holds(at)
			it.Shown.Gone, it.Shown.Nulls, it.Shown.UsedBy = walletfi.Head{}, nil, ""
			return nil
		case it.Shown.Held.Slot > 0 && at > it.Shown.Held.Slot:
			it.Shown.Gone = walletfi.Head{Slot: at}
		}
		slot = newest.AsOfSlot
	}
	if p.Quick {
		p.leave([]*Item{it})
		return errLeft
	}
	found, err := p.node.NonceUse(ctx, it.Step.NonceAccount, it.Step.Blockhash, it.Shown.Held.Slot, slot)
	switch user := found.Signature; {
	case err != nil:
		return err
	case user != "" && (user == it.Step.Signature || it.Step.SignedBy(user)):
		it.Named = user
		return nil
	case user != "":
		it.Shown.UsedBy, it.Shown.Gone = user, walletfi.Head{Slot: slot}
		return nil
	case it.Shown.Gone.Slot == 0:
		return errors.New("it has not shown the nonce with the transaction's value before")
	case !it.Step.Fixed():
		return errors.New("what used the nonce is not found")
	}
	if found.Changed.Slot > 0 {
		it.Shown.Gone = found.Changed
	}
	return p.between(ctx, it, found.Changed.Slot > 0)
}

// newestValue is the value of a nonce and its slot. Of one address's nodes, one that lags tells
// the old value long after the others: one that does not is asked for, too.
func (p *Pass) newestValue(ctx context.Context, it *Item) (walletfi.NonceState, error) {
	const lag = 32
	first, err := p.node.NonceAt(ctx, it.Step.NonceAccount, 0)
	held, at := it.Shown.Held.Slot, first.AsOfSlot
	if err != nil || first.Value != it.Step.Blockhash && 0 < held && held < at || at+lag >= p.Final.Slot {
		return first, err
	}
	newer, err := p.node.NonceAt(ctx, it.Step.NonceAccount, p.Final.Slot-lag)
	if err != nil {
		return first, nil
	}
	if first.Value == it.Step.Blockhash {
		it.holds(at)
	}
	return newer, nil
}

// holds takes in a slot at which the nonce had the transaction's value.
func (it *Item) holds(slot uint64) {
	if slot > it.Shown.Held.Slot {
		it.Shown.Held = walletfi.Head{Slot: slot}
	}
}

// settledNonce asks whether what the first answer had seen is final, by a slot at which the
// nonce has another value.
func (p *Pass) settledNonce(ctx context.Context, it *Item) error {
	if proof.Wait(&it.Shown, it.Final) == 0 {
		return nil
	}
	state, err := p.node.NonceAt(ctx, it.Step.NonceAccount, it.Shown.Nulls[0].AsOfSlot)
	switch {
	case err != nil && (p.stalled || proof.Ahead(&it.Shown)):
		return p.finalBlock(ctx, it)
	case err == nil && state.Value == it.Step.Blockhash:
		return errors.New("the nonce has the transaction's value again")
	case err == nil:
		it.Final = walletfi.Head{Slot: state.AsOfSlot}
	}
	return err
}

// finalBlock asks whether what the first answer had seen is final, by a block of then or soon after: of one
// address's nodes, the one that shows blocks may be ahead of the one that tells heads and accounts. A block that
// does not follow on the final head is of another slot.
func (p *Pass) finalBlock(ctx context.Context, it *Item) (err error) {
	for _, on := range []uint64{0, 4} {
		block, failed := p.node.FinalBlock(ctx, it.Shown.Nulls[0].AsOfSlot+on)
		_, grown := proof.Grow(p.Final, block)
		switch {
		case failed != nil:
			err = failed
		case !grown || block.Height == p.Final.Height:
			err = errors.New("the block of a later slot does not follow on the final head")
		default:
			it.Final = block
			return nil
		}
	}
	return err
}

// between asks for a transaction in the window between two values of its nonce. If the block at
// its end is the one in which another transaction advanced the nonce, which can be once a block,
// it is not in that one.
func (p *Pass) between(ctx context.Context, it *Item, changed bool) error {
	if err := p.settledNonce(ctx, it); err != nil {
		return err
	}
	after, err := p.held(ctx, it)
	if err != nil {
		return err
	}
	gone := &it.Shown.Gone
	if gone.Height == 0 {
		block, err := p.node.FinalBlock(ctx, gone.Slot)
		if err != nil && p.Final.Slot > gone.Slot {
			block, err = p.Final, nil // a value never comes back
		}
		if err != nil {
			return err
		}
		*gone = block
	}
	if after.Slot >= gone.Slot {
		after = walletfi.Head{Slot: gone.Slot - 1, Height: gone.Height - 1}
	}
	q := walletfi.AbsenceQuery{
		Signatures: []string{it.Step.Signature}, After: after, Last: gone.Height - 1, Until: *gone,
	}
	if !changed {
		q.Last, q.Until = gone.Height, it.Past
		if q.Until.Height <= gone.Height {
			q.Until = p.Final
		}
		if q.Until.Height <= gone.Height {
			return errors.New("the block in which the nonce has another value is the newest")
		}
	}
	return p.absence(ctx, q, []*Item{it})
}

// held is a block before all that may hold a transaction on a nonce: one in which the nonce had its
// value, or not long before it, or, if that is later or is all that the node shows, what was final
// when it was signed.
func (p *Pass) held(ctx context.Context, it *Item) (block walletfi.Head, err error) {
	least := walletfi.Head{}
	if p.sure(ctx, it) == nil && it.After.Height > 0 {
		least = it.After
	}
	if h := it.Shown.Held; h.Height > 0 && h.Slot > least.Slot {
		return h, nil
	}
	for _, back := range []uint64{0, 1, 2, 4, 8, 16, 32, 64} { // the block may be in a gap
		slot := it.Shown.Held.Slot - min(it.Shown.Held.Slot, back)
		if slot <= least.Slot {
			break
		}
		if block, err = p.node.FinalBlock(ctx, slot); err == nil {
			if back == 0 {
				it.Shown.Held = block
			}
			return block, nil
		}
	}
	if least.Height > 0 {
		err = nil
	}
	return least, err
}
