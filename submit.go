package walletfi

import (
	"context"
	"errors"
)

// Signed is a transaction that is ready to be sent.
type Signed struct {
	// Transaction is the whole of it. Base58 converts.
	Transaction Base64Transaction
	// Signature is its first signature, base58, by which the ledger knows it.
	// It is empty where the fee payer has yet to sign.
	Signature string
}

// ErrBlockhashNotFound is a submitter's refusal of a transaction whose blockhash
// the ledger does not know: it has expired, or the node lags behind the one that
// named it. The transaction was not sent.
var ErrBlockhashNotFound = errors.New("blockhash not found")

// Submitter sends a signed transaction. burnclose, leverage, providerswap and
// rpcnode have one.
type Submitter interface {
	// Submit sends tx and returns the signature under which it can be found.
	// An error that answers to ErrOutcomeUnknown means that tx may have been
	// sent; any other means that it was not.
	Submit(ctx context.Context, tx Signed) (signature string, err error)
}

// BundleSubmitter sends several signed transactions that land together or not
// at all.
type BundleSubmitter interface {
	// SubmitBundle sends txs in order and returns the bundle's id where the
	// service tells one. Errors mean what Submitter's do.
	SubmitBundle(ctx context.Context, txs []Signed) (id string, err error)
}

// Confirmer tells what became of a transaction.
type Confirmer interface {
	// SignatureStatus returns the status of a signature, base58. A signature
	// that is not known is a status with Found false, not an error.
	SignatureStatus(ctx context.Context, signature string) (SignatureStatus, error)
}

// BlockHeighter tells the ledger's current block height, against which
// LastValidBlockHeight is held.
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

// AtLeast reports whether c is as settled as want or more. An unknown
// commitment is as settled as none.
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

// SignatureStatus is what became of a transaction.
type SignatureStatus struct {
	Found      bool       // whether the ledger knows the signature
	Commitment Commitment // how settled it is
	Slot       uint64     // in which it was executed, 0 where unknown
	Err        string     // why it failed, as the ledger says it; empty where it succeeded
}

// Confirmed reports whether the transaction succeeded and is as settled as
// want: a failed transaction is settled too, and never confirmed.
func (s SignatureStatus) Confirmed(want Commitment) bool {
	return s.Found && s.Err == "" && s.Commitment.AtLeast(want)
}
