package burnclose

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/walletfi/walletfi-go"
)

// FailedError is a transaction that the ledger executed without success. It
// cost its fee and changed nothing else. It answers to walletfi.ErrRejected.
type FailedError struct {
	Status TransactionStatus
}

// Error names the transaction and the ledger's reason.
func (e *FailedError) Error() string {
	return fmt.Sprintf("burnclose: transaction %s failed: %s", e.Status.Signature, e.Status.Err)
}

// Unwrap returns walletfi.ErrRejected.
func (e *FailedError) Unwrap() error { return walletfi.ErrRejected }

// errOtherSignature is an answer about another transaction than was sent.
var errOtherSignature = errors.New("the answer names another transaction's signature")

// errNotSent is an answer without an error whose sent is not true.
var errNotSent = errors.New("the relay answered that it did not send the transaction, which may have landed before")

// misread is an answer that arrived well and cannot be meant for the call.
func misread(op, path string, cause error) error {
	return &walletfi.ResponseError{
		Service: service, Op: op, Method: http.MethodPost, Path: path,
		StatusCode: http.StatusOK, Attempts: 1, Kind: walletfi.ErrDecode, Cause: cause,
	}
}
