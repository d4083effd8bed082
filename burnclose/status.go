package burnclose

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

const pathStatus = "/transactions/status"

// StatusRequest asks what became of a transaction.
type StatusRequest struct {
	Signature string `json:"signature"` // base58; required
	// SearchTransactionHistory looks beyond the node's recent transactions. Nil
	// means true.
	SearchTransactionHistory *bool `json:"searchTransactionHistory,omitempty"`
}

// TransactionStatus is what became of a transaction. Confirmed tells whether
// it succeeded and is settled. The status payload's form is not documented: see
// Confirmation, of which the same is true.
type TransactionStatus struct {
	Signature string
	walletfi.SignatureStatus
	Raw walletfi.Document
}

// UnmarshalJSON reads what is known by name and keeps the answer in Raw.
func (s *TransactionStatus) UnmarshalJSON(b []byte) error {
	s.Signature, s.SignatureStatus = readMembers(b).text("signature"), statusIn(b)
	return s.Raw.UnmarshalJSON(b)
}

// MarshalJSON returns the status as it came.
func (s TransactionStatus) MarshalJSON() ([]byte, error) { return s.Raw.MarshalJSON() }

// GetTransactionStatus tells what became of a transaction. One that the ledger
// does not know is a status with Found false, not an error.
//
// POST /transactions/status. It moves nothing: safe to retry.
func (c *Client) GetTransactionStatus(ctx context.Context, req StatusRequest, opts ...walletfi.CallOption) (*TransactionStatus, error) {
	call := transport.Call{
		Op: "GetTransactionStatus", Effect: transport.Read, Method: http.MethodPost,
		Path: transport.Path(pathStatus), Body: req, Invalid: c.keyed(check.Signature("signature", req.Signature)),
	}
	status, err := transport.Do[TransactionStatus](ctx, c.t, call, opts)
	if err != nil {
		return nil, err
	}
	if status.Signature != "" && status.Signature != req.Signature {
		return nil, misread(call.Op, pathStatus, errOtherSignature)
	}
	status.Signature = req.Signature
	return status, nil
}
