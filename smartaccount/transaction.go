package smartaccount

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/paging"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Transaction is a transaction that the account executed.
type Transaction struct {
	ID        string  `json:"id" wire:"strict,said,identity"`
	Signature string  `json:"signature" wire:"strict,said,signature,opaque"` // on the ledger, base58
	Status    Status  `json:"status" wire:"strict,said"`
	Slot      *uint64 `json:"slot" wire:"decides,optional,min=1"` // slot in which it landed; nil in a list
	// Only GetTransaction returns Instructions and Fee. Timestamp is not in the
	// answer to an execution.
	Instructions []Instruction   `json:"instructions" wire:"decides,optional"`
	Fee          walletfi.Amount `json:"fee" wire:"decides,optional"` // smallest units
	Timestamp    walletfi.Time   `json:"timestamp" wire:"free"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// ExecuteTransactionRequest describes a transaction to execute.
type ExecuteTransactionRequest struct {
	Instructions []Instruction // executed in order; must not be empty
	// SessionKeySignature authorises the transaction by a session key; sent as
	// base64. Which bytes to sign is not documented. If nil, the user's token
	// authorises the transaction.
	SessionKeySignature []byte
}

// ExecuteTransaction makes the service sign and send a transaction of the
// account: money has moved when it returns. CodePolicyViolation,
// CodeInsufficientBalance and CodeSessionExpired mean that nothing moved.
//
// A transaction that failed or was rejected is returned with [walletfi.ErrRejected], one
// without a status, or with any other than [StatusConfirmed], with
// [walletfi.ErrOutcomeUnknown]: ask [Client.GetTransaction].
//
// After any other unknown outcome neither an id nor a signature is known. Before you
// execute again, compare [Client.AllTransactions], which returns no
// instructions, with its earlier result, and read new transactions with
// [Client.GetTransaction].
//
// POST /accounts/{accountId}/transactions. It is not repeated once it was sent.
func (c *Client) ExecuteTransaction(
	ctx context.Context, accountID string, req ExecuteTransactionRequest, opts ...walletfi.CallOption,
) (*Transaction, error) {
	tx, err := create[Transaction](ctx, c, transport.Call{
		Op: "ExecuteTransaction", Effect: transport.Create, Method: http.MethodPost,
		Answer: transport.Says("id:id"),
		Path:   transport.Path("/accounts/{accountId}/transactions", accountID),
		Body:   req.body(), Invalid: req.problem(), Class: ClassExecution,
		Secrets: []string{base64.StdEncoding.EncodeToString(req.SessionKeySignature)},
	}, opts)
	if tx == nil {
		return nil, err
	}
	return tx, cmp.Or(tx.unexecuted(), err)
}

var errNoStatus = errors.New("smartaccount: the answer has no status of the transaction")

// unexecuted is the error of a transaction that exists and was not executed.
func (t *Transaction) unexecuted() error {
	switch is := strings.ToLower(string(t.Status)); {
	case is == string(StatusConfirmed):
		return nil
	case is == "":
		return &walletfi.OutcomeUnknownError{Signature: t.Signature, Cause: errNoStatus}
	case slices.Contains(failed, is):
		return fmt.Errorf("smartaccount: transaction %s is %s: %w", t.ID, t.Status, walletfi.ErrRejected)
	}
	cause := fmt.Errorf("smartaccount: transaction %s is %s, which is not documented", t.ID, t.Status)
	return &walletfi.OutcomeUnknownError{Signature: t.Signature, Cause: cause}
}

// Words for the state of a transaction that was not executed, and of one that is not, or not yet.
var (
	failed = []string{"failed", "failure", "rejected", "reverted", "error"}
	open   = []string{
		"", "pending", "processing", "submitted", "sent", "queued", "unconfirmed", "dropped", "expired", "aborted",
		"cancelled", "canceled", "declined", "denied", "timed_out", "timeout", "unknown",
	}
)

// hasLanded reports whether the status says nothing against the transaction's being on the ledger.
func (t *Transaction) hasLanded() bool {
	is := strings.ToLower(string(t.Status))
	return !slices.Contains(failed, is) && !slices.Contains(open, is)
}

func (r ExecuteTransactionRequest) body() any {
	return struct {
		Instructions        []Instruction `json:"instructions"`
		SessionKeySignature []byte        `json:"sessionKeySignature,omitempty"`
	}{whole(r.Instructions), r.SessionKeySignature}
}

func (r ExecuteTransactionRequest) problem() error {
	return check.All(
		check.That(len(r.Instructions) > 0, "instructions", "must not be empty"),
		check.Each("instructions", r.Instructions, instructionProblem),
	)
}

// GetTransaction returns a transaction with its instructions and fee. One whose status says that
// it is pending, or that it did not succeed, need have neither slot nor fee.
//
// GET /accounts/{accountId}/transactions/{transactionId}.
func (c *Client) GetTransaction(
	ctx context.Context, accountID, transactionID string, opts ...walletfi.CallOption,
) (*Transaction, error) {
	tx, err := transport.Do[detailed](ctx, c.made().t, transport.Call{
		Op: "GetTransaction", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Says("id:id", "status", "signature", "instructions:list"),
		Echo:   transport.Echo(func(tx *detailed) error { return echo.Text("id", transactionID, tx.ID) }),
		Path:   transport.Path("/accounts/{accountId}/transactions/{transactionId}", accountID, transactionID),
		Class:  ClassRead,
	}, opts)
	return (*Transaction)(tx), err
}

// detailed is a transaction that is asked for alone.
type detailed Transaction

// ReadWire reads the transaction, and holds that one which landed says where, and what it cost.
func (d *detailed) ReadWire(s *wire.Scanner) error {
	from, tx := s.Offset(), (*Transaction)(d)
	err := wire.Fields(s, tx)
	if err != nil || !tx.hasLanded() {
		return err
	}
	var said struct {
		Slot walletfi.Document `json:"slot"`
		Fee  walletfi.Document `json:"fee"`
	}
	_ = wire.Unmarshal(s.Kept(from), &said) // which was read
	for member, value := range map[string]walletfi.Document{"slot": said.Slot, "fee": said.Fee} {
		if text := string(value); text == "" || text == "null" || text == `""` {
			wire.Lacks[Transaction](s, member)
		}
	}
	return nil
}

// TransactionsRequest selects a page of an account's transactions.
type TransactionsRequest struct {
	Limit  *int `url:"limit,omitempty"`  // transactions per page; nil means the service's default
	Offset *int `url:"offset,omitempty"` // transactions to skip
}

// TransactionPage is one page of an account's transactions.
type TransactionPage struct {
	Items  []Transaction `json:"transactions" wire:"records"`         // id, signature, status and timestamp only
	Total  int           `json:"total" wire:"said,min=0"`             // of all pages
	Limit  *int          `json:"limit" wire:"decides,optional,min=0"` // as the service applied it; nil if it does not say
	Offset *int          `json:"offset" wire:"decides,optional,min=0"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// ListTransactions returns one page of an account's transactions.
//
// GET /accounts/{accountId}/transactions.
func (c *Client) ListTransactions(
	ctx context.Context, accountID string, req TransactionsRequest, opts ...walletfi.CallOption,
) (*TransactionPage, error) {
	return transport.Do[TransactionPage](ctx, c.made().t, transport.Call{
		Op: "ListTransactions", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Items("transactions"),
		Echo: transport.Echo(func(p *TransactionPage) error {
			return echo.All(echo.StatedOf("offset", req.Offset, p.Offset), echo.AtMost("limit", req.Limit, p.Limit))
		}),
		Path:  transport.Path("/accounts/{accountId}/transactions", accountID),
		Query: req, Class: ClassRead,
		Invalid: check.All(check.NotNegativeOf("limit", req.Limit), check.NotNegativeOf("offset", req.Offset)),
	}, opts)
}

// AllTransactions iterates over an account's transactions from req.Offset on,
// page by page. It ends at the first error.
func (c *Client) AllTransactions(
	ctx context.Context, accountID string, req TransactionsRequest, opts ...walletfi.CallOption,
) iter.Seq2[Transaction, error] {
	return paging.Offset(req.Offset, req.Limit, func(offset, limit *int) ([]Transaction, int, error) {
		page, err := c.ListTransactions(ctx, accountID, TransactionsRequest{Limit: limit, Offset: offset}, opts...)
		if page == nil {
			return nil, 0, err
		}
		return page.Items, page.Total, err
	})
}
