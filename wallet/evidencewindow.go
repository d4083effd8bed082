package wallet

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
func (p *pass) query(items []*item) (q walletfi.AbsenceQuery, n int) {
	for i, it := range items {
		after, until := it.window()
		if i == 0 {
			q.After, q.Until, q.Blockhash = after, until, it.step.Blockhash
		}
		if q.After.Slot < after.Slot {
			after = q.After
		}
		last := max(q.Last, it.last)
		wide := p.final.Height > after.Height+freshWindow && last > after.Height+wideTogether
		age := p.final.Height - min(p.final.Height, after.Height)
		// in the cache with its own block
		own := q.Blockhash != it.step.Blockhash && age > freshWindow && age <= proof.Cache+sinceFinal
		if i > 0 && (n == maxTogether || until != q.Until || wide || own || !it.step.fixed() || !items[0].step.fixed()) {
			break
		}
		if q.Blockhash != it.step.Blockhash {
			q.Blockhash = ""
		}
		q.After, q.Last = after, last
		if it.step.fixed() {
			q.Signatures = append(q.Signatures, it.step.Signature)
		}
		n++
	}
	return q, n
}

// vague reports an end that can be known better: by the service's word the blockhash's own
// block is near, or the window is wide.
func (it *item) vague() bool {
	return it.wide() || it.known && it.shown.Block.Slot == 0 && it.near() != it.after
}

// near is where the blockhash's own block is looked for: where the service's word puts it,
// which may be long after what was known to be final, and not long before.
func (it *item) near() Head {
	const told, far = proof.Age - 1, 128 // blocks from it to the last one by the service, and back from what was final
	block := it.told - min(it.told, told)
	switch {
	case it.shown.Seen > 0 && block > it.shown.Bound: // the word is wrong
	case block > it.after.Height && it.told < 1<<62:
		return Head{Slot: it.after.Slot + (block - it.after.Height), Height: block}
	case block < it.after.Height && it.after.Height-block < far:
		return Head{Slot: it.after.Slot - (it.after.Height - block), Height: block}
	}
	return it.after
}

// wide reports a window that is wider than it need be: the blockhash was seen valid late.
func (it *item) wide() bool {
	return it.known && it.last > it.after.Height+tooWide && it.shown.Block.Slot == 0
}

// window is the part of the ledger in which the transaction may be: after what was
// final when it was signed or, if that is later or is not sure, after its blockhash's own block.
func (it *item) window() (after, until Head) {
	after, until = it.after, it.shown.Gone
	if block := it.shown.Block.Slot; block > after.Slot || it.unsure && block > 0 {
		after = it.shown.Block
	}
	return after, until
}

// sure holds a head that was only told before the signature against its block. What several
// nodes vouch for is a height that the block has at least. If that is not shown, the window begins at the
// blockhash's own block.
func (p *pass) sure(ctx context.Context, it *item) error {
	if !it.unsure {
		return nil
	}
	block, err := p.node.FinalBlock(ctx, it.after.Slot)
	switch {
	case err != nil && it.shown.Block.Slot > 0:
		return nil
	case err != nil:
		return err
	case block != it.after && (!p.several || block.Height < it.after.Height):
		return errors.New("the head that was told before the signature is not the ledger's")
	}
	it.after, it.unsure = block, false
	return nil
}

// settled asks whether what the first answers had seen is final, by a slot at which the
// blockhash is still gone or, of a node ahead, by its blocks. It is for a node whose blocks lag, or are in a gap.
func (p *pass) settled(ctx context.Context, hash string, items []*item) {
	for _, it := range items {
		if proof.Wait(&it.shown, it.final) == 0 || !p.stalled && !proof.Ahead(&it.shown) {
			continue
		}
		if p.home(ctx) != nil {
			return
		}
		state, err := p.node.BlockhashAt(ctx, hash, it.shown.Nulls[0].AsOfSlot)
		switch {
		case err != nil && p.finalBlock(ctx, it) != nil:
			return
		case err != nil:
		case state.Valid:
			it.shown.Gone, it.shown.Nulls = Head{}, nil
		default:
			it.final = Head{Slot: state.AsOfSlot}
		}
	}
}

// nonce asks for the value of a durable nonce and, once it is another one, for what used
// the transaction's. A value never comes back.
func (p *pass) nonce(ctx context.Context, it *item) error {
	if err := p.home(ctx); err != nil {
		return err
	}
	slot := it.shown.Gone.Slot
	if it.shown.Held.Slot == 0 || slot == 0 {
		newest, err := p.newestValue(ctx, it)
		switch at := newest.AsOfSlot; {
		case err != nil:
			return err
		case newest.Value == it.step.Blockhash:
			it.holds(at)
			it.shown.Gone, it.shown.Nulls, it.shown.UsedBy = Head{}, nil, ""
			return nil
		case it.shown.Held.Slot > 0 && at > it.shown.Held.Slot:
			it.shown.Gone = Head{Slot: at}
		}
		slot = newest.AsOfSlot
	}
	if p.quick {
		p.leave([]*item{it})
		return errLeft
	}
	found, err := p.node.NonceUse(ctx, it.step.NonceAccount, it.step.Blockhash, it.shown.Held.Slot, slot)
	switch user := found.Signature; {
	case err != nil:
		return err
	case user != "" && (user == it.step.Signature || it.step.signedBy(user)):
		it.named = user
		return nil
	case user != "":
		it.shown.UsedBy, it.shown.Gone = user, Head{Slot: slot}
		return nil
	case it.shown.Gone.Slot == 0:
		return errors.New("it has not shown the nonce with the transaction's value before")
	case !it.step.fixed():
		return errors.New("what used the nonce is not found")
	}
	if found.Changed.Slot > 0 {
		it.shown.Gone = found.Changed
	}
	return p.between(ctx, it, found.Changed.Slot > 0)
}

// newestValue is the value of a nonce and its slot. Of one address's nodes, one that lags tells
// the old value long after the others: one that does not is asked for, too.
func (p *pass) newestValue(ctx context.Context, it *item) (walletfi.NonceState, error) {
	const lag = 32
	first, err := p.node.NonceAt(ctx, it.step.NonceAccount, 0)
	held, at := it.shown.Held.Slot, first.AsOfSlot
	if err != nil || first.Value != it.step.Blockhash && 0 < held && held < at || at+lag >= p.final.Slot {
		return first, err
	}
	newer, err := p.node.NonceAt(ctx, it.step.NonceAccount, p.final.Slot-lag)
	if err != nil {
		return first, nil
	}
	if first.Value == it.step.Blockhash {
		it.holds(at)
	}
	return newer, nil
}

// holds takes in a slot at which the nonce had the transaction's value.
func (it *item) holds(slot uint64) {
	if slot > it.shown.Held.Slot {
		it.shown.Held = Head{Slot: slot}
	}
}

// settledNonce asks whether what the first answer had seen is final, by a slot at which the
// nonce has another value.
func (p *pass) settledNonce(ctx context.Context, it *item) error {
	if proof.Wait(&it.shown, it.final) == 0 {
		return nil
	}
	state, err := p.node.NonceAt(ctx, it.step.NonceAccount, it.shown.Nulls[0].AsOfSlot)
	switch {
	case err != nil && (p.stalled || proof.Ahead(&it.shown)):
		return p.finalBlock(ctx, it)
	case err == nil && state.Value == it.step.Blockhash:
		return errors.New("the nonce has the transaction's value again")
	case err == nil:
		it.final = Head{Slot: state.AsOfSlot}
	}
	return err
}

// finalBlock asks whether what the first answer had seen is final, by a block of then or soon after: of one
// address's nodes, the one that shows blocks may be ahead of the one that tells heads and accounts. A block that
// does not follow on the final head is of another slot.
func (p *pass) finalBlock(ctx context.Context, it *item) (err error) {
	for _, on := range []uint64{0, 4} {
		block, failed := p.node.FinalBlock(ctx, it.shown.Nulls[0].AsOfSlot+on)
		_, grown := proof.Grow(p.final, block)
		switch {
		case failed != nil:
			err = failed
		case !grown || block.Height == p.final.Height:
			err = errors.New("the block of a later slot does not follow on the final head")
		default:
			it.final = block
			return nil
		}
	}
	return err
}

// between asks for a transaction in the window between two values of its nonce. If the block at
// its end is the one in which another transaction advanced the nonce, which can be once a block,
// it is not in that one.
func (p *pass) between(ctx context.Context, it *item, changed bool) error {
	if err := p.settledNonce(ctx, it); err != nil {
		return err
	}
	after, err := p.held(ctx, it)
	if err != nil {
		return err
	}
	gone := &it.shown.Gone
	if gone.Height == 0 {
		block, err := p.node.FinalBlock(ctx, gone.Slot)
		if err != nil && p.final.Slot > gone.Slot {
			block, err = p.final, nil // a value never comes back
		}
		if err != nil {
			return err
		}
		*gone = block
	}
	if after.Slot >= gone.Slot {
		after = Head{Slot: gone.Slot - 1, Height: gone.Height - 1}
	}
	q := walletfi.AbsenceQuery{
		Signatures: []string{it.step.Signature}, After: after, Last: gone.Height - 1, Until: *gone,
	}
	if !changed {
		q.Last, q.Until = gone.Height, it.past
		if q.Until.Height <= gone.Height {
			q.Until = p.final
		}
		if q.Until.Height <= gone.Height {
			return errors.New("the block in which the nonce has another value is the newest")
		}
	}
	return p.absence(ctx, q, []*item{it})
}

// held is a block before all that may hold a transaction on a nonce: one in which the nonce had its
// value, or not long before it, or, if that is later or is all that the node shows, what was final
// when it was signed.
func (p *pass) held(ctx context.Context, it *item) (block Head, err error) {
	least := Head{}
	if p.sure(ctx, it) == nil && it.after.Height > 0 {
		least = it.after
	}
	if h := it.shown.Held; h.Height > 0 && h.Slot > least.Slot {
		return h, nil
	}
	for _, back := range []uint64{0, 1, 2, 4, 8, 16, 32, 64} { // the block may be in a gap
		slot := it.shown.Held.Slot - min(it.shown.Held.Slot, back)
		if slot <= least.Slot {
			break
		}
		if block, err = p.node.FinalBlock(ctx, slot); err == nil {
			if back == 0 {
				it.shown.Held = block
			}
			return block, nil
		}
	}
	if least.Height > 0 {
		err = nil
	}
	return least, err
}
