package proof

import (
	"fmt"

	"github.com/walletfi/walletfi-go"
)

// Cache is how many blocks back a node's cache of statuses reaches: it has the last 300
// that were rooted, and is whole.
const Cache = 300

// Cached reports that the cache of statuses of a node that had rooted blocks up to a slot at
// most held block first, if last is a block: each slot since has at most one block.
func Cached(first, last walletfi.Head, rooted uint64) bool {
	return last.Height+(rooted-min(rooted, last.Slot)) <= first.Height+Cache
}

// Rooted is the newest slot that the node which gave an answer can have rooted by then: one
// before that of a transaction which it did not call finalized, or the one it had reached.
func Rooted(a *walletfi.Absence) uint64 {
	if open(a) {
		return a.Open.Slot - 1
	}
	return a.AsOfSlot
}

// open reports whether an answer is of a cache of statuses, as it knows what is not final yet: a store
// has what is final alone.
func open(a *walletfi.Absence) bool {
	o := a.Open
	return o.Found && o.Slot > 0 && o.Slot <= a.AsOfSlot &&
		(o.Commitment == walletfi.CommitmentConfirmed || o.Commitment == walletfi.CommitmentProcessed)
}

// Covered reports what keeps an answer from showing that the signatures are not in q's
// window, nil if nothing does. Every witness must be known, finalized in its own slot;
// one stands at the beginning or before it and one at the end or after it. If the window
// is older than the cache, there is one of each block.
func Covered(q walletfi.AbsenceQuery, a *walletfi.Absence) error {
	if len(a.Witnesses) < 2 || len(a.Statuses) != len(q.Signatures) {
		return fmt.Errorf("the answer has %d witnesses and %d statuses for %d signatures",
			len(a.Witnesses), len(a.Statuses), len(q.Signatures))
	}
	for _, w := range a.Witnesses {
		if err := known(w); err != nil {
			return err
		}
	}
	first, last := a.Witnesses[0], a.Witnesses[len(a.Witnesses)-1]
	switch {
	case !begins(q, first):
		return fmt.Errorf("the first witness is of slot %d, after %d", first.Slot, q.After.Slot)
	case last.Height <= q.Last:
		return fmt.Errorf("the last witness is of height %d, and the window's last block of %d", last.Height, q.Last)
	case first.Signature == "" || last.Signature == "":
		return fmt.Errorf("the block at an end of the window has no transaction")
	case a.AsOfSlot < max(last.Slot, q.Until.Slot):
		return fmt.Errorf("the node had reached slot %d, before %d", a.AsOfSlot, max(last.Slot, q.Until.Slot))
	case (!a.History || open(a)) && Cached(first.Head, last.Head, Rooted(a)):
		return nil
	}
	return eachBlock(q, a.Witnesses)
}

// begins reports a witness of a block that nothing asked for can be in or before.
func begins(q walletfi.AbsenceQuery, w walletfi.Witness) bool {
	return w.Slot <= q.After.Slot && w.Height <= q.After.Height || q.Blockhash != "" && w.Blockhash == q.Blockhash
}

// known reports what is wrong with what a node says of a witness.
func known(w walletfi.Witness) error {
	switch {
	case w.Signature == "":
		return nil // in the cache it need not be known, and before it eachBlock asks for one
	case !w.Status.Found:
		return fmt.Errorf("the node does not know transaction %s of slot %d", w.Signature, w.Slot)
	case w.Status.Slot != w.Slot:
		return fmt.Errorf("the node puts transaction %s of slot %d into slot %d", w.Signature, w.Slot, w.Status.Slot)
	case w.Status.Commitment != walletfi.CommitmentFinalized:
		return fmt.Errorf("the node calls transaction %s of finalized slot %d %s", w.Signature, w.Slot, w.Status.Commitment)
	}
	return nil
}

// eachBlock reports a block of the window that has no witness. The last witness is past
// the window. A block that shows no transaction has none: an archive that has lost them
// shows the same, and knows neither ours nor the payer's history of that time.
func eachBlock(q walletfi.AbsenceQuery, witnesses []walletfi.Witness) error {
	next := witnesses[0].Height + 1
	for _, w := range witnesses[1:] {
		if next > q.Last {
			break
		}
		if w.Height != next {
			return fmt.Errorf("the window is older than the cache, and the block of height %d has no witness", next)
		}
		if w.Signature == "" && !begins(q, w) {
			return fmt.Errorf("the window is older than the cache, and the block of slot %d shows no transaction", w.Slot)
		}
		next++
	}
	return nil
}

// Absent takes in an answer that covers the window and does not have the transaction.
// The second counts if what the first had seen is finalized by then.
func Absent(n *walletfi.NodeEvidence, null walletfi.Null) {
	switch {
	case len(n.Nulls) == 0:
		n.Nulls = []walletfi.Null{null}
	case null.Final >= n.Nulls[0].AsOfSlot:
		n.Nulls = append(n.Nulls[:1:1], null)
	}
}

// Wait is how many slots from a finalized head on no further answer counts.
func Wait(n *walletfi.NodeEvidence, final walletfi.Head) uint64 {
	if len(n.Nulls) != 1 {
		return 0
	}
	return n.Nulls[0].AsOfSlot - min(n.Nulls[0].AsOfSlot, final.Slot)
}

// AbsentMessage takes in that all blocks of q's window were read, and that none has the
// message. Finalized blocks do not change: it counts as both answers.
func AbsentMessage(n *walletfi.NodeEvidence, q walletfi.AbsenceQuery) {
	read := walletfi.Null{
		AsOfSlot: q.Until.Slot, From: q.After, To: q.Until, Witnesses: int(q.Last - min(q.Last, q.After.Height)),
		Final: q.Until.Slot,
	}
	n.Nulls = []walletfi.Null{read, read}
}

// Recall drops from what a journal has of a node what earlier versions took for evidence:
// a use of the nonce's value that may be another account's and, unless the transaction has
// one signature that nobody else can change, answers without that signature.
func Recall(n *walletfi.NodeEvidence, fixed bool) {
	n.UsedBy = ""
	if !fixed && (len(n.Nulls) != 2 || n.Nulls[0] != n.Nulls[1]) {
		n.Nulls = nil
	}
}

// NullOf is the record of an answer that covers its window.
func NullOf(a *walletfi.Absence, final walletfi.Head) walletfi.Null {
	return walletfi.Null{
		AsOfSlot: a.AsOfSlot, From: a.Witnesses[0].Head, To: a.Witnesses[len(a.Witnesses)-1].Head,
		Witnesses: len(a.Witnesses), Final: final.Slot,
	}
}

// farAhead is by how many slots what tells statuses is much newer than what tells heads.
const farAhead = 64

// Ahead reports a first answer of a node that was much newer than the one that told the final head.
func Ahead(n *walletfi.NodeEvidence) bool {
	return len(n.Nulls) == 1 && n.Nulls[0].AsOfSlot >= n.Nulls[0].Final+farAhead
}
