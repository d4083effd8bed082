package burnclose

import (
	"context"

	"github.com/walletfi/walletfi-go"
)

var (
	_ walletfi.Submitter = (*Client)(nil)
	_ walletfi.Confirmer = (*Client)(nil)
)

// Submit sends tx with the service's own relay options and returns its
// signature; it makes Client a walletfi.Submitter. It does not wait for the
// confirmation. An answer that says "not sent" is walletfi.ErrOutcomeUnknown:
// a relay that met the transaction on the ledger may say the same.
//
// POST /transactions/send, as SendTransaction.
func (c *Client) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	signature, ok := walletfi.TransactionSignature(tx.Transaction)
	if !ok {
		signature = tx.Signature
	}
	result, err := c.send(ctx, SendRequest{Transaction: tx.Transaction}, signature, nil)
	if err != nil {
		return "", err
	}
	if !result.Sent {
		return "", &walletfi.OutcomeUnknownError{Signature: result.Signature, Cause: errNotSent}
	}
	return result.Signature, nil
}

// SignatureStatus tells what became of a transaction, searching the ledger's
// history too; it makes Client a walletfi.Confirmer.
//
// POST /transactions/status, as GetTransactionStatus.
func (c *Client) SignatureStatus(ctx context.Context, signature string) (walletfi.SignatureStatus, error) {
	status, err := c.GetTransactionStatus(ctx, StatusRequest{Signature: signature})
	if err != nil {
		return walletfi.SignatureStatus{}, err
	}
	return status.SignatureStatus, nil
}
