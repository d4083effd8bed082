package walletfi

import (
	"context"
	"errors"
	"time"
)

// Signed is a transaction that is ready to be sent.
type Signed struct {
	// Transaction is the signed transaction. [Base64Transaction.Base58] converts
	// it.
	Transaction Base64Transaction `json:"transaction"`
	// Signature is the transaction's first signature, base58, under which the
	// ledger knows it. It is empty if the fee payer has yet to sign.
	Signature string `json:"signature,omitempty"`
	// Owner is the wallet whose signature the transaction must bear, base58. A
	// Submitter refuses a transaction without it, and if Owner is empty, one
	// without any signature.
	Owner string `json:"owner,omitempty"`
}

// ErrBlockhashNotFound means that a [Submitter] refused a transaction because the ledger
// does not know its blockhash. The blockhash has expired, or the submitter's node
// has not reached it yet. The transaction was not sent.
var ErrBlockhashNotFound = errors.New("blockhash not found")

// ErrNotSent means that a transaction was certainly not sent and will not be. No byte of it
// left, or the only reader of it refused it and kept nothing.
var ErrNotSent = errors.New("not sent")

// Submitter sends a signed transaction. Packages burnclose, leverage,
// providerswap and rpcnode implement it.
type Submitter interface {
	// Submit sends tx and returns the signature under which it can be found.
	// It may be called again with the same tx, also while it runs.
	//
	// If the error answers to [ErrNotSent] and not to [ErrOutcomeUnknown], tx was
	// certainly not sent. With any other error it may have been sent.
	Submit(ctx context.Context, tx Signed) (signature string, err error)
}

// SendBudget is implemented by a [Submitter] that knows its limit. Package wallet then builds and
// signs no more than it can send before it expires. A Submitter that wraps another one shows the
// limit of that by a method Unwrap() [Submitter].
type SendBudget interface {
	// SendRate returns how many transactions a second can be sent, 0 if no limit is known.
	SendRate() float64
}

// BundleSubmitter sends several signed transactions that land together or not at
// all.
type BundleSubmitter interface {
	// SubmitBundle sends txs in order and returns the bundle's id, if the service
	// has one. Errors mean the same as those of [Submitter].
	SubmitBundle(ctx context.Context, txs []Signed) (id string, err error)
}

// Confirmer says whether a transaction landed.
type Confirmer interface {
	// SignatureStatus returns the status of a signature, base58. For an unknown
	// signature it returns a status with Found false and no error.
	SignatureStatus(ctx context.Context, signature string) (SignatureStatus, error)
}

// Panel is a [Confirmer] that represents several nodes of the same ledger. Package
// wallet asks the nodes themselves and says nothing that only as many of them say
// as may lie: of one or two none, of three or four one, of five two.
type Panel interface {
	// Nodes returns the nodes. Each is a [BatchConfirmer] and a [HeadReader].
	Nodes() []Confirmer
}

// BatchConfirmer is a [Confirmer] that returns many statuses at once, and how
// recent they are. Without the slot, "not found" proves nothing, because the
// answer may be an old one.
type BatchConfirmer interface {
	// SignatureStatuses returns the statuses of at most 256 signatures, base58.
	SignatureStatuses(ctx context.Context, signatures []string) (SignatureStatuses, error)
}

// SignatureStatuses are the statuses of several signatures.
type SignatureStatuses struct {
	Statuses []SignatureStatus `json:"statuses"` // in the order of the signatures
	AsOfSlot uint64            `json:"asOfSlot"` // that the node had reached when it looked
}

// HeadReader returns the newest confirmed slot and its block height, both from
// one answer of one node.
type HeadReader interface {
	Head(ctx context.Context) (Head, error)
}

// Watcher says when it is worth asking for a signature's status. A lost hint
// costs time, a wrong one costs a question.
type Watcher interface {
	// Watch calls changed, which does not block, whenever the signature's status
	// may have changed, until stop is called.
	Watch(signature string, changed func()) (stop func())
}

// BlockhashReader says whether a transaction on a blockhash, base58, can still
// be executed.
type BlockhashReader interface {
	BlockhashValid(ctx context.Context, blockhash string) (BlockhashState, error)
}

// BlockhashState says whether a transaction on a blockhash can still be executed.
type BlockhashState struct {
	Valid    bool   `json:"valid"`
	AsOfSlot uint64 `json:"asOfSlot"` // that the node had reached when it looked
}

// NonceReader returns the value of a durable nonce by its account, base58.
type NonceReader interface {
	NonceValue(ctx context.Context, account string) (NonceState, error)
}

// NonceState is the state of a durable nonce.
type NonceState struct {
	Value    string `json:"value"`    // base58
	AsOfSlot uint64 `json:"asOfSlot"` // that the node had reached when it looked
}

// MessageSearch says where to look for a transaction, and by which message.
type MessageSearch struct {
	Owner   string // whose history, base58; required
	Message []byte // as signed; required
	Since   uint64 // the first slot to look through; 0 means all of the history
	AsOf    uint64 // a slot that the node must have reached; 0 means any
}

// MessageFinder looks for a transaction whose signature is not known.
type MessageFinder interface {
	// FindMessage looks for the transaction with the message in the whole of the
	// history since that slot, as a node knows it that has reached AsOf.
	FindMessage(ctx context.Context, search MessageSearch) (FoundMessage, error)
}

// FoundMessage is the transaction with a message.
type FoundMessage struct {
	Signature string `json:"signature,omitempty"` // base58, empty if there is none
}

// FinalTimer tells the time of finalized blocks, by the ledger's own word.
type FinalTimer interface {
	// FinalTime returns the time of the finalized block in a slot, to the second.
	FinalTime(ctx context.Context, slot uint64) (time.Time, error)
}

// BlockHeighter returns the ledger's current block height. A transaction cannot
// land any more once it is above [Unsigned].LastValidBlockHeight.
type BlockHeighter interface {
	BlockHeight(ctx context.Context) (uint64, error)
}

// Commitment is how settled a transaction is.
type Commitment string

// The commitments, least settled first.
const (
	CommitmentProcessed Commitment = "processed" // executed by one node, can be rolled back
	CommitmentConfirmed Commitment = "confirmed" // voted for by a supermajority
	CommitmentFinalized Commitment = "finalized" // cannot be rolled back
)

// AtLeast reports whether c is as settled as want or more. An unknown commitment
// is never settled.
func (c Commitment) AtLeast(want Commitment) bool { return c.rank() > 0 && c.rank() >= want.rank() }

func (c Commitment) rank() int {
	switch c {
	case CommitmentProcessed:
		return 1
	case CommitmentConfirmed:
		return 2
	case CommitmentFinalized:
		return 3
	}
	return 0
}

// SignatureStatus is the status of a transaction.
type SignatureStatus struct {
	Found      bool       `json:"found" wire:"decides"`         // whether the ledger knows the signature
	Commitment Commitment `json:"commitment,omitempty"`         // how settled it is
	Slot       uint64     `json:"slot,omitzero" wire:"decides"` // in which it was executed, 0 if unknown
	// why it failed, in the ledger's words; empty if it succeeded
	Err string `json:"err,omitempty"`
}

// Confirmed reports whether the transaction succeeded and is as settled as want.
// A failed transaction can be settled; it is never confirmed.
func (s SignatureStatus) Confirmed(want Commitment) bool {
	return s.Found && s.Err == "" && s.Commitment.AtLeast(want)
}

// Order is a payment from its request to its end, for package wallet to carry out:
// see wallet.Wallet.Place. An Order that is a [Submitter] too is sent by itself alone.
type Order interface {
	// Build asks the service for the order's transactions. It moves nothing, and is
	// called again if those of an earlier call have provably not been executed.
	Build(ctx context.Context) (Unsigned, error)
}

// Asker states what its caller asked for: the fields of the request by name, such as
// "Mint" and "Amount", and the request's type under "request". Of what a service answered
// nothing is in it, nor what says only how: prices and tips of the network, tolerances,
// sponsors, routes. Two of the same payment state the same.
//
// An [Order] that is an Asker is held against a key's payment without a call. Its
// statement becomes [Intent].Asked. An empty one states nothing.
type Asker interface {
	Asked() map[string]string
}

// FilledOrder is an [Order] that its service fills after its transaction has landed.
type FilledOrder interface {
	Order
	// FilledLater reports whether that is so of what Build returned last. If not, the
	// order has ended when its transaction is confirmed.
	FilledLater() bool
	// WaitFilled waits until the service says that the order with this transaction
	// has ended, by its signature, base58, and its last valid block height, 0 if that
	// is not known. It may be called without Build, after a restart. An order that
	// ended before it was filled is no error. With an error, how it ended is not
	// known.
	WaitFilled(ctx context.Context, signature string, lastValidBlockHeight uint64) (*OrderEnd, error)
}

// OrderEnd is how an order ended that its service filled.
type OrderEnd struct {
	State  string      `json:"state"`           // the service's word
	Filled bool        `json:"filled"`          // whole; if not, the service pays back what the fills did not use
	Fills  []OrderFill `json:"fills,omitempty"` // in the service's order
}

// OrderFill is a part of an order that its service executed.
type OrderFill struct {
	Signature string `json:"signature"` // of the service's own transaction, base58
	InAmount  Amount `json:"inAmount"`  // smallest units of what the owner gave
	OutAmount Amount `json:"outAmount"` // smallest units of what the owner got
}

// Amounts are the sums of the fills, false if a sum exceeds 2^64-1.
func (e *OrderEnd) Amounts() (in, out Amount, ok bool) {
	for _, f := range e.Fills {
		if in+f.InAmount < in || out+f.OutAmount < out {
			return 0, 0, false
		}
		in, out = in+f.InAmount, out+f.OutAmount
	}
	return in, out, true
}
