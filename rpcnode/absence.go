package rpcnode

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/signing"
)

// maxAbsent is how many signatures are asked for together with their witnesses.
const maxAbsent = 48

// moves is by how many blocks the cache of statuses moves on until an answer comes.
const moves = 4

// Absence asks for signatures, base58, together with transactions from both ends of a
// window: getBlock twice and getSignatureStatuses. If the window is older than the
// node's cache of statuses, it asks for one transaction of each block: getBlock for each
// block that was not read before, and getSignatureStatuses with the node's history. If the
// window is at the end of the cache, a block that is only confirmed is read as well.
func (c *Client) Absence(ctx context.Context, q walletfi.AbsenceQuery) (*walletfi.Absence, error) {
	if len(q.Signatures) == 0 || len(q.Signatures) > maxAbsent {
		return nil, &walletfi.ValidationError{
			Field: "signatures", Problem: fmt.Sprintf("must be 1 to %d, are %d", maxAbsent, len(q.Signatures)),
		}
	}
	a, last, err := c.cached(ctx, q)
	if err != nil || a != nil {
		return a, err
	}
	window, err := c.window(ctx, q, last)
	if err != nil {
		return nil, err
	}
	return c.beside(ctx, q.Signatures, window, nil, true)
}

// otherWitnesses is how often other witnesses are asked for, in place of those that the
// node puts elsewhere than the block that it showed.
const otherWitnesses = 3

// cached asks for q's signatures from the cache of statuses. The answer is nil if the
// window is older than that. The last block is after the window.
func (c *Client) cached(ctx context.Context, q walletfi.AbsenceQuery) (a *walletfi.Absence, last *block, err error) {
	var open *block
	wrong, old, far := map[uint64]bool{}, false, 0 // far counts the blocks that may be open
	for n := 0; ; n++ {
		if last, err = c.closing(ctx, q, wrong); refusedWith(err, codeSkippedLong) {
			return nil, nil, nil // an archive that lags may have what is nearer to the window
		} else if err != nil {
			return nil, nil, err
		}
		if n == 0 {
			if a = c.cachedBehind(ctx, q, last); a != nil {
				return a, last, nil
			}
		}
		rooted := max(q.Until.Slot, c.reached.Load()) + moves
		if far == 0 && !proof.Cached(q.After, last.Head, rooted) {
			far, open = 1, c.open(ctx, q, 1)
		}
		if open != nil {
			rooted = open.Slot - 1
		}
		last = c.later(ctx, q.After, last, rooted, wrong)
		first, err := c.opening(ctx, q, last.Head, wrong, old, rooted)
		if err != nil {
			return nil, nil, err
		}
		if first == nil {
			return nil, last, nil
		}
		last = c.later(ctx, first.Head, last, rooted, wrong)
		a, err = c.beside(ctx, q.Signatures, []*block{first, last}, open, false)
		switch {
		case err != nil:
			return nil, nil, err
		case proof.Cached(first.Head, last.Head, proof.Rooted(a)) && a.Witnesses[0].Status.Found:
		case far == 0, open != nil && proof.Rooted(a) >= open.Slot && far < otherWitnesses:
			far++ // the first witness is older than was asked for, or the open one has become final
			open = c.open(ctx, q, far)
			old = old || open == nil
			continue
		case old:
			return nil, last, nil
		default: // the node had reached more than was known
			old = true
			continue
		}
		known := len(wrong)
		for _, w := range a.Witnesses {
			if w.Status.Found && w.Status.Slot != w.Slot {
				wrong[w.Slot] = true
			}
		}
		if len(wrong) == known || n == otherWitnesses {
			return a, last, nil
		}
	}
}

// later is the newest final block in place of last, if it is by its height that the cache reaches back to first:
// each slot after the last witness may have had a block.
func (c *Client) later(
	ctx context.Context, first walletfi.Head, last *block, rooted uint64, wrong map[uint64]bool,
) *block {
	newest := c.newest.Load()
	if newest != nil && !proof.Cached(first, last.Head, rooted) && proof.Cached(first, *newest, rooted) {
		if b, err := c.listing(ctx, newest.Slot, wrong); err == nil {
			return b
		}
	}
	return last
}

// cachedBehind asks for q's signatures with the history, which a provider may have from another node than the
// one that has gone farthest: the cache of one that lags reaches farther back, and it is the sooner asked
// a second time, if it shows the blocks. It is nil if the answer says less, or no node is known to lag so far.
func (c *Client) cachedBehind(ctx context.Context, q walletfi.AbsenceQuery, last *block) *walletfi.Absence {
	const apart = 32 // slots that a node's newest block is after its final one, or more
	reached := c.reached.Load()
	if reached < q.Until.Slot+2*apart || proof.Cached(q.After, last.Head, reached+2*apart) {
		return nil // none is known to lag, or the one that does not has the window twice
	}
	first, err := c.opening(ctx, q, last.Head, map[uint64]bool{}, false, q.Until.Slot+moves)
	if err != nil || first == nil {
		return nil
	}
	a, err := c.beside(ctx, q.Signatures, []*block{first, last}, nil, true)
	if err != nil || a.AsOfSlot+apart > reached || !proof.Cached(first.Head, last.Head, a.AsOfSlot-apart) {
		return nil
	}
	open := c.notFinal(ctx, a.AsOfSlot-2*moves) // an archive, which has no cache, does not know it
	if open == nil {
		return nil
	}
	a, err = c.beside(ctx, q.Signatures, []*block{first, last}, open, true)
	if err != nil || proof.Covered(q, a) != nil {
		return nil
	}
	return a
}

// opening is a block with a transaction that q's window begins after and that the cache of
// statuses reaches back to: one that was final before or, if that is too old or was not
// known, the one that the blockhash belongs to. It is nil if there is none.
func (c *Client) opening(
	ctx context.Context, q walletfi.AbsenceQuery, last walletfi.Head, wrong map[uint64]bool, old bool, rooted uint64,
) (*block, error) {
	if !old && proof.Cached(q.After, last, rooted) {
		b, err := c.before(ctx, q.After.Slot, wrong)
		if err == nil || q.Blockhash == "" || !skipped(err) {
			return b, err
		}
	}
	if q.Blockhash == "" || q.Last < q.After.Height+proof.Age {
		return nil, nil
	}
	own := walletfi.Head{}
	b, err := c.atHeight(ctx, q.After, q.Until, q.Last-proof.Age)
	if err == nil {
		own, err = c.back(ctx, b, q.Blockhash, q.After.Height+1)
	}
	if err != nil || !proof.Cached(own, last, rooted) || wrong[own.Slot] {
		return nil, ctx.Err() // the window may be shown block by block
	}
	if b, err = c.block(ctx, own.Slot, true); err != nil || b.witness == "" {
		return nil, ctx.Err()
	}
	return b, nil
}

// open is a block with a transaction a little after the newest final one, nil if the node shows
// none, or if q's window is too old for the cache anyway. It may be left again: it serves to ask
// whether the node calls it final.
func (c *Client) open(ctx context.Context, q walletfi.AbsenceQuery, round int) *block {
	newest := c.newest.Load()
	begin := max(q.After.Height, q.Last-min(q.Last, proof.Age))
	if newest == nil || newest.Height > begin+proof.Cache {
		return nil
	}
	return c.notFinal(ctx, max(newest.Slot, c.inGap.Load())+uint64(round)*moves)
}

// notFinal is a block with a transaction from a slot on, which need not be final. It is nil if none is shown.
func (c *Client) notFinal(ctx context.Context, from uint64) *block {
	for _, stride := range []uint64{0, 1, 3, 6} {
		a, err := c.getBlock(ctx, from+stride, "signatures", 0, rpc.CommitmentConfirmed)
		if err == nil && len(a.Signatures) > 0 {
			return &block{Head: walletfi.Head{Slot: from + stride, Height: *a.Height}, witness: a.Signatures[0]}
		}
	}
	return nil
}

// window lists the blocks of q's window with those at its ends, the oldest first. The last is the
// first with a transaction after it, which an archive that lags has soonest, or else last.
func (c *Client) window(ctx context.Context, q walletfi.AbsenceQuery, last *block) ([]*block, error) {
	room := maxStatuses - len(q.Signatures) - 1
	b, err := c.atHeight(ctx, q.After, q.Until, min(q.Last+1, q.Until.Height))
	if err == nil {
		b, err = c.block(ctx, b.Slot, true)
	}
	var all []*block
	opened := false
	for ; err == nil; b, err = c.parentOf(ctx, b, true) {
		if b.Height <= q.Last {
			all = append(all, b)
		} else if b.witness != "" {
			last = b
		}
		if len(all) > room {
			return nil, &Error{
				Method: "getSignatureStatuses", Kind: walletfi.ErrUnavailable,
				Message: fmt.Sprintf("the window from slot %d has more than %d blocks", q.After.Slot, room),
			}
		}
		if !opened {
			if opened, err = b.opens(q); err != nil {
				return nil, err
			}
		}
		if opened && b.witness != "" && last != nil {
			slices.Reverse(all)
			return append(all, last), nil
		}
	}
	return nil, err
}

// beside asks for signatures, for the witness of each block and for that of one that may not
// be final in one call.
func (c *Client) beside(
	ctx context.Context, signatures []string, blocks []*block, open *block, history bool,
) (*walletfi.Absence, error) {
	a := &walletfi.Absence{History: history}
	asked, err := parseSignatures(signatures)
	if err != nil {
		return nil, err
	}
	all := blocks
	if open != nil {
		all = append(slices.Clone(blocks), open)
	}
	for _, b := range all {
		a.Witnesses = append(a.Witnesses, walletfi.Witness{Head: b.Head, Blockhash: b.hash, Signature: b.witness})
		if b.witness == "" {
			continue
		}
		signature, err := solana.SignatureFromBase58(b.witness)
		if err != nil {
			return nil, incomplete("getBlock")
		}
		asked = append(asked, signature)
	}
	statuses, slot, err := c.statuses(ctx, asked, history)
	if err != nil {
		return nil, err
	}
	a.AsOfSlot, a.Statuses = slot, statuses[:len(signatures)]
	next := len(signatures)
	for i := range a.Witnesses {
		if w := &a.Witnesses[i]; w.Signature != "" {
			w.Status, next = statuses[next], next+1
		}
	}
	if open != nil {
		a.Open = a.Witnesses[len(blocks)].Status
	}
	a.Witnesses = a.Witnesses[:len(blocks)]
	return a, nil
}

// MessageAbsence looks through every block of a window for a transaction with a message
// that payer, base58, signed: getBlock for each, with its signatures, of which each is
// held against the message. It is for transactions whose first signature is not known. A
// block that shows no transaction is walletfi.ErrUnavailable: whether it has none is not known.
func (c *Client) MessageAbsence(
	ctx context.Context, q walletfi.AbsenceQuery, payer string, message []byte,
) (found walletfi.FoundMessage, err error) {
	key, err := signing.ParsePublicKey(payer)
	if err != nil {
		return found, &walletfi.ValidationError{Field: "payer", Problem: "must be the base58 of 32 bytes"}
	}
	b, err := c.atHeight(ctx, q.After, q.Until, min(q.Last, q.Until.Height))
	for ; err == nil; b, err = c.parentOf(ctx, b, false) {
		opens, err := b.opens(q)
		switch {
		case err != nil:
			return found, err
		case opens:
			return found, nil
		}
		signature, of, err := c.signedIn(ctx, b, key, message)
		if found.Signature = signature; err != nil || signature != "" {
			return found, err
		}
		if of == 0 { // an archive that has lost them shows the same
			return found, &Error{
				Method: "getBlock", Kind: walletfi.ErrUnavailable,
				Message: fmt.Sprintf("the block of slot %d shows no transaction", b.Slot),
			}
		}
	}
	return found, err
}

// signedIn looks through one block for key's signature of a message. It returns how many
// transactions the block shows.
func (c *Client) signedIn(
	ctx context.Context, b *block, key signing.PublicKey, message []byte,
) (signature string, of int, err error) {
	asked := searched{b.Slot, key, sha256.Sum256(message)}
	if of, ok := c.without.get(asked); ok {
		return "", of, nil
	}
	signatures, err := c.signaturesIn(ctx, b)
	if err != nil {
		return "", 0, err
	}
	for _, s := range signatures {
		if s.Verify(key, message) {
			return s.String(), len(signatures), nil
		}
	}
	c.without.put(asked, len(signatures))
	return "", len(signatures), nil
}

// signaturesIn lists the signatures of a block.
func (c *Client) signaturesIn(ctx context.Context, b *block) ([]signing.Signature, error) {
	leave, err := c.reading.enter(ctx, b.Slot)
	if err != nil {
		return nil, err
	}
	defer leave()
	if known, ok := c.signatures.get(b.hash); ok {
		return known, nil
	}
	answer, err := c.getBlock(ctx, b.Slot, "signatures", repeats, rpc.CommitmentFinalized)
	if err == nil && answer.Blockhash != b.hash {
		err = contradicts("getBlock", "slot %d has blockhash %q, and %q", b.Slot, b.hash, answer.Blockhash)
	}
	if err != nil {
		return nil, err
	}
	all := make([]signing.Signature, len(answer.Signatures))
	for i, text := range answer.Signatures {
		if all[i], err = signing.ParseSignature(text); err != nil {
			return nil, incomplete("getBlock")
		}
	}
	c.signatures.put(b.hash, all)
	return all, nil
}

// searched is a block that was looked through for a message that key signed.
type searched struct {
	slot    uint64
	key     signing.PublicKey
	message [sha256.Size]byte
}
