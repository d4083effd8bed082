package smartaccount

import (
	"context"
	"encoding/base64"
	"iter"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/paging"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Transaction is one that the account executed.
type Transaction struct {
	ID        string `json:"id"`
	Signature string `json:"signature"` // on the ledger, base58
	Status    Status `json:"status"`
	Slot      uint64 `json:"slot"` // in which it landed; 0 in a list
	// Instructions, Fee and, of an execution, Timestamp are brought by
	// GetTransaction only.
	Instructions []Instruction   `json:"instructions"`
	Fee          walletfi.Amount `json:"fee"` // smallest units
	Timestamp    walletfi.Time   `json:"timestamp"`
}

// ExecuteTransactionRequest is what an account is to do.
type ExecuteTransactionRequest struct {
	Instructions []Instruction // one or more, executed in order
	// SessionKeySignature authorises the transaction by a session key; sent in
	// base64. What is to be signed is not documented. Nil means that the user's
	// own token authorises it.
	SessionKeySignature []byte
}

// ExecuteTransaction has the service sign and send a transaction of the
// account: money moves when it returns. CodePolicyViolation,
// CodeInsufficientBalance and CodeSessionExpired mean that nothing did.
//
// After an unknown outcome neither an id nor a signature is known. Compare
// AllTransactions, which names no instructions, with what it brought before,
// and look at new ones with GetTransaction, before executing anew.
//
// POST /accounts/{accountId}/transactions. Not repeated once it was sent.
func (c *Client) ExecuteTransaction(ctx context.Context, accountID string, req ExecuteTransactionRequest, opts ...walletfi.CallOption) (*Transaction, error) {
	return create[Transaction](ctx, c, transport.Call{
		Op: "ExecuteTransaction", Effect: transport.Create, Method: http.MethodPost,
		Path: transport.Path("/accounts/{accountId}/transactions", accountID),
		Body: req.body(), Invalid: req.problem(), Class: ClassExecution,
		Secrets: []string{base64.StdEncoding.EncodeToString(req.SessionKeySignature)},
	}, opts)
}

func (r ExecuteTransactionRequest) body() any {
	return struct {
		Instructions        []Instruction `json:"instructions"`
		SessionKeySignature []byte        `json:"sessionKeySignature,omitempty"`
	}{whole(r.Instructions), r.SessionKeySignature}
}

func (r ExecuteTransactionRequest) problem() error {
	return check.All(
		check.That(len(r.Instructions) > 0, "instructions", "must be one or more"),
		check.Each("instructions", r.Instructions, instructionProblem),
	)
}

// GetTransaction returns a transaction with its instructions and fee.
//
// GET /accounts/{accountId}/transactions/{transactionId}.
func (c *Client) GetTransaction(ctx context.Context, accountID, transactionID string, opts ...walletfi.CallOption) (*Transaction, error) {
	return transport.Do[Transaction](ctx, c.t, transport.Call{
		Op: "GetTransaction", Effect: transport.Read, Method: http.MethodGet,
		Path:  transport.Path("/accounts/{accountId}/transactions/{transactionId}", accountID, transactionID),
		Class: ClassRead,
	}, opts)
}

// ListTransactionsRequest picks a page of an account's transactions.
type ListTransactionsRequest struct {
	Limit  int `url:"limit,omitempty"`  // transactions a page; 0 means the service's default
	Offset int `url:"offset,omitempty"` // transactions to pass over
}

// TransactionPage is one page of an account's transactions.
type TransactionPage struct {
	Transactions []Transaction `json:"transactions"` // id, signature, status and timestamp only
	Total        int           `json:"total"`        // of all pages
	Limit        int           `json:"limit"`        // as the service took it
	Offset       int           `json:"offset"`
}

// ListTransactions returns one page of an account's transactions.
//
// GET /accounts/{accountId}/transactions.
func (c *Client) ListTransactions(ctx context.Context, accountID string, req ListTransactionsRequest, opts ...walletfi.CallOption) (*TransactionPage, error) {
	return transport.Do[TransactionPage](ctx, c.t, transport.Call{
		Op: "ListTransactions", Effect: transport.Read, Method: http.MethodGet,
		Path:  transport.Path("/accounts/{accountId}/transactions", accountID),
		Query: req, Class: ClassRead,
		Invalid: check.All(check.NotNegative("limit", req.Limit), check.NotNegative("offset", req.Offset)),
	}, opts)
}

// AllTransactions iterates over an account's transactions from req.Offset on, a
// page at a time, and ends at the first error.
func (c *Client) AllTransactions(ctx context.Context, accountID string, req ListTransactionsRequest, opts ...walletfi.CallOption) iter.Seq2[Transaction, error] {
	return paging.Offset(req.Offset, req.Limit, func(offset, limit int) ([]Transaction, int, error) {
		page, err := c.ListTransactions(ctx, accountID, ListTransactionsRequest{Limit: limit, Offset: offset}, opts...)
		if err != nil {
			return nil, 0, err
		}
		return page.Transactions, page.Total, nil
	})
}
