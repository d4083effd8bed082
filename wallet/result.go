package wallet

import (
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// ErrExpired means that a transaction did not land in time and cannot land any
// more: its blockhash has expired. A new quote or build is due.
var ErrExpired = errors.New("the transaction expired before it landed")

// State is what became of one transaction of a set.
type State string

// The states.
const (
	StateNotSent   State = "not sent"  // it never left, or a submitter refused it; it may be signed already
	StateConfirmed State = "confirmed" // it succeeded, at the wallet's commitment
	StateFailed    State = "failed"    // it was executed and failed: the fee is gone, nothing else
	StateExpired   State = "expired"   // it did not land and cannot any more
	StateUnknown   State = "unknown"   // it may still land; see Wallet.Unsettled
)

// Step is what became of one transaction.
type Step struct {
	State     State
	Signature string                   // base58, known before it was sent; empty where a sponsor signs last
	Signed    walletfi.Signed          // the bytes: sending these again is safe, building anew is not
	Status    walletfi.SignatureStatus // the last that the ledger said
	Err       error                    // why it is not confirmed, nil where it is
}

// Result is what became of a set, a step a transaction in the set's order.
type Result struct {
	Report *signing.Report // what the guard saw, a refusal included
	Steps  []Step
}

// Confirmed reports whether every transaction was confirmed.
func (r *Result) Confirmed() bool {
	for _, s := range r.Steps {
		if s.State != StateConfirmed {
			return false
		}
	}
	return len(r.Steps) > 0
}

// Signatures lists the signatures in order.
func (r *Result) Signatures() []string {
	all := make([]string, len(r.Steps))
	for i, s := range r.Steps {
		all[i] = s.Signature
	}
	return all
}

// StepError is the transaction at which a set stopped. The ones before it are
// confirmed, the ones after it were not sent.
type StepError struct {
	Index     int    // in the set
	State     State  // of that transaction
	Signature string // base58, where it is known
	Cause     error
}

// Error names the transaction, its state and why.
func (e *StepError) Error() string {
	return fmt.Sprintf("transaction %d is %s: %v", e.Index+1, e.State, e.Cause)
}

// Unwrap returns the cause: walletfi.ErrRejected for a failed one, ErrExpired,
// walletfi.ErrOutcomeUnknown, or what the submitter said.
func (e *StepError) Unwrap() error { return e.Cause }
