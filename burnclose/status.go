package burnclose

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
)

const pathStatus = "/transactions/status"

// StatusRequest asks for the status of a transaction.
type StatusRequest struct {
	Signature string `json:"signature"` // base58; required
	// SearchTransactionHistory includes transactions older than the node's recent
	// ones. Nil means true.
	SearchTransactionHistory *bool `json:"searchTransactionHistory,omitempty"`
}

// TransactionStatus is the status of a transaction. Confirmed reports whether
// it succeeded and is settled. The shape of the status is not documented; it is
// read like a Confirmation. Only an err that is null, or a status Ok, says that it succeeded: an
// answer that says no more than confirmed is a walletfi.ErrDecode.
type TransactionStatus struct {
	Signature string
	walletfi.SignatureStatus
	Raw walletfi.Document
}

// UnmarshalJSON reads the known fields and keeps the answer in Raw.
func (s *TransactionStatus) UnmarshalJSON(b []byte) error {
	var err error
	if s.SignatureStatus, err = readStatus(b); err != nil {
		return err
	}
	m, err := readDeciding(b)
	if err != nil {
		return err
	}
	s.Signature = m.text("signature")
	return s.Raw.UnmarshalJSON(b)
}

// MarshalJSON returns the status as it arrived.
func (s TransactionStatus) MarshalJSON() ([]byte, error) { return s.Raw.MarshalJSON() }

// GetTransactionStatus returns the status of a transaction. If the ledger does
// not know the transaction, Found is false and there is no error. An answer that
// says both, not found and a status of the ledger's, is [walletfi.ErrDecode].
//
// POST /transactions/status. It moves nothing: safe to retry.
func (c *Client) GetTransactionStatus(
	ctx context.Context, req StatusRequest, opts ...walletfi.CallOption,
) (*TransactionStatus, error) {
	call := transport.Call{
		Op: "GetTransactionStatus", Effect: transport.Read, Method: http.MethodPost,
		Answer: transport.Says("found:bool").Beside("error", "found"), // the transaction's
		Echo: transport.Echo(func(s *TransactionStatus) error {
			return echo.Text("signature", req.Signature, s.Signature)
		}),
		Path: transport.Path(pathStatus), Body: req, Invalid: c.keyed(check.Signature("signature", req.Signature)),
	}
	status, err := transport.Do[TransactionStatus](ctx, c.made().t, call, opts)
	if err != nil {
		return nil, err
	}
	status.Signature = req.Signature
	return status, nil
}
