package burnclose

import (
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
)

// FailedError reports a transaction that the ledger executed and that failed.
// It cost its fee and changed nothing else. It is a [walletfi.ErrRejected].
type FailedError struct {
	Status TransactionStatus
}

// Error names the transaction and the ledger's reason.
func (e *FailedError) Error() string {
	return fmt.Sprintf("burnclose: transaction %s failed: %s", e.Status.Signature, e.Status.Err)
}

// Unwrap returns [walletfi.ErrRejected].
func (e *FailedError) Unwrap() error { return walletfi.ErrRejected }

// errNotSent reports an answer without an error whose sent is not true.
var errNotSent = errors.New("the relay answered that it did not send the transaction, which may have landed before")
