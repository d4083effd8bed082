package burnclose

import (
	"context"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

var (
	_ walletfi.Submitter = (*Client)(nil)
	_ walletfi.Confirmer = (*Client)(nil)
)

// Submit sends tx with the service's default relay options and returns its
// signature. It implements [walletfi.Submitter]. It does not wait for the
// confirmation. If the answer says that the transaction was not sent, the error
// is [walletfi.ErrOutcomeUnknown], because the relay may answer so for a
// transaction that is already on the ledger.
//
// POST /transactions/send, as [Client.SendTransaction].
func (c *Client) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	signature, ok := walletfi.TransactionSignature(tx.Transaction)
	if !ok {
		signature = tx.Signature
	}
	result, err := c.send(ctx, SendRequest{Transaction: tx.Transaction}, signature,
		[]walletfi.CallOption{walletfi.WithLateSigners(check.Late(tx)...)})
	if err != nil {
		return "", transport.Unsent(err)
	}
	if !result.Sent {
		return "", &walletfi.OutcomeUnknownError{Signature: result.Signature, Cause: errNotSent}
	}
	return result.Signature, nil
}

// SignatureStatus returns the status of a transaction; it searches the ledger's
// history too. It implements [walletfi.Confirmer].
//
// POST /transactions/status, as [Client.GetTransactionStatus].
func (c *Client) SignatureStatus(ctx context.Context, signature string) (walletfi.SignatureStatus, error) {
	status, err := c.GetTransactionStatus(ctx, StatusRequest{Signature: signature})
	if err != nil {
		return walletfi.SignatureStatus{}, err
	}
	return status.SignatureStatus, nil
}
