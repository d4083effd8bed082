package walletfi

import (
	"context"
	"time"
)

// Head is a block of the ledger by its slot and its height. A skipped slot has no
// block, so that the slot grows faster than the height.
type Head struct {
	Slot   uint64 `json:"slot"`
	Height uint64 `json:"height"`
}

// Prover is a node that shows what its ledger holds. Package wallet needs one to call a
// transaction expired: a node that does not know a transaction may lag, or have gaps in
// its history. Package rpcnode implements it.
//
// Each answer is put together from calls that name the slot which they hold for, so
// that it is right too if the node is an address with several nodes. An error
// means that nothing was shown; it says what is missing.
type Prover interface {
	// Identity names the node in a journal: it is the same in another process, another
	// one for another node, and no secret.
	Identity() string
	// Genesis returns the hash of the ledger's first block, base58.
	Genesis(ctx context.Context) (string, error)
	// FinalHead returns a finalized block, as new as the node has. The node has shown
	// the block's header too, with the same height.
	FinalHead(ctx context.Context) (Head, error)
	// FinalBlock returns the finalized block of a slot.
	FinalBlock(ctx context.Context, slot uint64) (Head, error)
	// BlockhashAt reports whether the finalized block at a slot not before minSlot
	// still allows transactions on blockhash, base58, to follow. AsOfSlot is its slot.
	BlockhashAt(ctx context.Context, blockhash string, minSlot uint64) (BlockhashState, error)
	// BlockhashAge returns how many blocks after a blockhash's own one are the last that
	// may hold a transaction on it.
	BlockhashAge(ctx context.Context) (blocks uint64, err error)
	// BlockOf looks for the finalized block with a blockhash, from 160 blocks before
	// near to 400 after it.
	BlockOf(ctx context.Context, blockhash string, near Head) (Head, error)
	// Absence asks for the statuses of signatures in one call, together with witnesses:
	// transactions of finalized blocks, which the same store must know.
	Absence(ctx context.Context, q AbsenceQuery) (*Absence, error)
	// MessageAbsence looks through every block of q's window for a transaction with
	// message that payer signed. It finds none if the window is whole and none of its
	// blocks has it.
	MessageAbsence(ctx context.Context, q AbsenceQuery, payer string, message []byte) (FoundMessage, error)
	// NonceAt returns the value of a durable nonce in a finalized block at a slot not
	// before minSlot. AsOfSlot is that slot.
	NonceAt(ctx context.Context, account string, minSlot uint64) (NonceState, error)
	// NonceUse looks through the finalized history of a nonce account, after the slot since
	// and up to the slot until, for the transaction that advanced it from a value, base58.
	// Another account can hold the same value: what used that one is not it.
	NonceUse(ctx context.Context, account, value string, since, until uint64) (NonceUse, error)
}

// NonceUse says what advanced a durable nonce.
type NonceUse struct {
	// Signature is that of the transaction which advanced it from the value, base58, empty if
	// there is none.
	Signature string `json:"signature,omitempty"`
	// Changed is, if there is none, the first block in which another transaction advanced the
	// account, zero if there is none of that either.
	Changed Head `json:"changed,omitzero"`
}

// AbsenceQuery is a part of the ledger in which some transactions may have been
// executed.
type AbsenceQuery struct {
	// Signatures are those asked for, base58, at most 64.
	Signatures []string
	// After is a finalized block before the first that may hold them.
	After Head
	// Last is the height of the last block that may hold them.
	Last uint64
	// Until is a finalized block after that one. Its height may be more than is said. A node that
	// answers must have reached it.
	Until Head
	// Blockhash is the one that all of them are signed on, empty if there are several.
	// The block that it belongs to may take After's place.
	Blockhash string
}

// Absence is one answer of one node.
type Absence struct {
	AsOfSlot  uint64            // that the node had reached
	Statuses  []SignatureStatus // of the signatures asked for, in their order
	Witnesses []Witness         // in the order of their blocks
	// Open is the status of a newer transaction that was asked for in the same call, not
	// found if none was. If it was not finalized yet, the node's cache of statuses ends
	// before its slot, and reaches back as far as that allows.
	Open SignatureStatus
	// History says that the node's history was asked for as well. Some providers ask another store
	// for that, which has no cache of statuses, and of which null may be a hole: only Open shows
	// a cache, if it is found and not finalized.
	History bool
}

// Witness is a transaction of a finalized block that was asked for together with others.
type Witness struct {
	Head
	Blockhash string          // the block's
	Signature string          // base58; empty if the block has no transaction
	Status    SignatureStatus // as the node stated it
}

// Evidence holds what nodes have shown of one transaction. Package wallet keeps it in the
// journal, so that a person can check why a transaction was called expired.
type Evidence struct {
	// After is the finalized block that was known before the transaction was signed.
	After Head `json:"after"`
	// Unsure says that After is the word of a node and was not shown to be final yet.
	Unsure bool `json:"unsure,omitempty"`
	// Told is the last valid block height by the service's word, 0 if it gave none.
	Told uint64 `json:"told,omitzero"`
	// Nodes holds the evidence of each node.
	Nodes []NodeEvidence `json:"nodes,omitempty"`
	// Vouched holds an operator's word, nil if the ledger itself was asked.
	Vouched *Vouched `json:"vouched,omitempty"`
}

// NodeEvidence holds what one node has shown of one transaction.
type NodeEvidence struct {
	// Node is the node's Identity.
	Node string `json:"node"`
	// Seen is the slot at which the blockhash was first seen valid, Bound the height
	// that its own block cannot exceed. Both are 0 if that is not known.
	Seen  uint64 `json:"seen,omitzero"`
	Bound uint64 `json:"bound,omitzero"`
	// Age is how many blocks after the blockhash's own one may hold the transaction, 0 if
	// the node has not stated it.
	Age uint64 `json:"age,omitzero"`
	// Block is the blockhash's own block, if that was looked for.
	Block Head `json:"block,omitzero"`
	// Held is a block in which the durable nonce had the transaction's value.
	Held Head `json:"held,omitzero"`
	// Gone is a finalized block, of at least that height, after which the blockhash is not
	// good any more, or in which the durable nonce has another value.
	Gone Head `json:"gone,omitzero"`
	// UsedBy is another transaction, on the same value of the durable nonce.
	UsedBy string `json:"usedBy,omitempty"`
	// Nulls are the last two answers without the transaction, with all witnesses.
	Nulls []Null `json:"nulls,omitempty"`
	// Missing says why the node has not shown more, empty if it has shown all.
	Missing string `json:"missing,omitempty"`
}

// Null is an answer of a node that knows all witnesses and not the transaction.
type Null struct {
	AsOfSlot  uint64 `json:"asOfSlot"`
	From      Head   `json:"from"`      // the first witness's block
	To        Head   `json:"to"`        // the last witness's
	Witnesses int    `json:"witnesses"` // how many, or how many blocks were read whole
	Final     uint64 `json:"final"`     // the newest finalized slot known when it was asked
}

// Vouched is an operator's word on a transaction that no node of the wallet can show.
type Vouched struct {
	By     string    `json:"by"`     // who
	Reason string    `json:"reason"` // how it is known, such as an explorer's page
	At     time.Time `json:"at"`
}

// Clone returns a copy that shares nothing with e.
func (e *Evidence) Clone() *Evidence {
	if e == nil {
		return nil
	}
	c := *e
	c.Nodes = append([]NodeEvidence(nil), e.Nodes...)
	for i := range c.Nodes {
		c.Nodes[i].Nulls = append([]Null(nil), e.Nodes[i].Nulls...)
	}
	if e.Vouched != nil {
		c.Vouched = new(*e.Vouched)
	}
	return &c
}
