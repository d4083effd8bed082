package walletfi

import (
	"context"
	"errors"
)

// Signed is a transaction that is ready to be sent.
type Signed struct {
	// Transaction is the signed transaction. [Base64Transaction.Base58] converts
	// it.
	Transaction Base64Transaction
	// Signature is the transaction's first signature, base58, under which the
	// ledger knows it. It is empty if the fee payer has yet to sign.
	Signature string
}

// ErrBlockhashNotFound: a [Submitter] refused a transaction because the ledger
// does not know its blockhash. The blockhash has expired, or the submitter's node
// has not reached it yet. The transaction was not sent.
var ErrBlockhashNotFound = errors.New("blockhash not found")

// Submitter sends a signed transaction. Packages burnclose, leverage,
// providerswap and rpcnode implement it.
type Submitter interface {
	// Submit sends tx and returns the signature under which it can be found.
	// If the error answers to [ErrOutcomeUnknown], tx may have been sent; with
	// any other error it was not.
	Submit(ctx context.Context, tx Signed) (signature string, err error)
}

// BundleSubmitter sends several signed transactions that land together or not at
// all.
type BundleSubmitter interface {
	// SubmitBundle sends txs in order and returns the bundle's id, if the service
	// has one. Errors mean the same as those of [Submitter].
	SubmitBundle(ctx context.Context, txs []Signed) (id string, err error)
}

// Confirmer tells whether a transaction landed.
type Confirmer interface {
	// SignatureStatus returns the status of a signature, base58. For an unknown
	// signature it returns a status with Found false and no error.
	SignatureStatus(ctx context.Context, signature string) (SignatureStatus, error)
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
	Found      bool       // whether the ledger knows the signature
	Commitment Commitment // how settled it is
	Slot       uint64     // in which it was executed, 0 if unknown
	Err        string     // why it failed, in the ledger's words; empty if it succeeded
}

// Confirmed reports whether the transaction succeeded and is as settled as want.
// A failed transaction can be settled; it is never confirmed.
func (s SignatureStatus) Confirmed(want Commitment) bool {
	return s.Found && s.Err == "" && s.Commitment.AtLeast(want)
}
