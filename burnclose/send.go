package burnclose

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

const pathSend = "/transactions/send"

// SendRequest asks for one signed transaction to be sent. It may come from any
// builder; the encoding that the service is told follows from its type.
type SendRequest struct {
	Transaction walletfi.EncodedTransaction // signed; required
	RelayOptions
}

// SendResult is what the relay did with a transaction.
type SendResult struct {
	Signature string `json:"signature" wire:"required"` // under which the ledger knows it, base58
	// Sent is false where the service says that it did not pass it on, which
	// does not mean that nobody else did.
	Sent bool `json:"sent"`
	// Confirmation is nil where the service did not wait for one.
	Confirmation *Confirmation     `json:"confirmation"`
	Raw          walletfi.Document `json:"-"`
}

// UnmarshalJSON reads what is known by name and keeps the answer in Raw.
func (r *SendResult) UnmarshalJSON(b []byte) error {
	type fields SendResult
	return transport.Keep(b, (*fields)(r), &r.Raw)
}

// Confirmation is what became of a transaction, in an answer of the relay's. Its
// form is not documented: Solana's own fields are looked for at any depth that
// is usual, and everything is in Raw.
type Confirmation struct {
	walletfi.SignatureStatus
	Raw walletfi.Document
}

// UnmarshalJSON reads what is known by name and keeps the whole in Raw.
func (c *Confirmation) UnmarshalJSON(b []byte) error {
	c.SignatureStatus = statusIn(b)
	return c.Raw.UnmarshalJSON(b)
}

// MarshalJSON returns the confirmation as it came.
func (c Confirmation) MarshalJSON() ([]byte, error) { return c.Raw.MarshalJSON() }

// SendTransaction sends a signed transaction. Where the answer is lost, or
// names another transaction, the error is walletfi.ErrOutcomeUnknown with the
// signature to ask for.
//
// POST /transactions/send. A relay of signed bytes: the same bytes are sent
// again after a timeout or a 5xx.
func (c *Client) SendTransaction(ctx context.Context, req SendRequest, opts ...walletfi.CallOption) (*SendResult, error) {
	signature, _ := walletfi.TransactionSignature(req.Transaction)
	return c.send(ctx, req, signature, opts)
}

func (c *Client) send(ctx context.Context, req SendRequest, signature string, opts []walletfi.CallOption) (*SendResult, error) {
	call := transport.Call{
		Op: "SendTransaction", Effect: transport.Relay, Method: http.MethodPost,
		Path: transport.Path(pathSend), Invalid: c.keyed(req.problem()),
		MinTimeout: req.answerWithin(1), Signature: signature,
	}
	if call.Invalid == nil {
		call.Body, call.Secrets = req.body(), []string{req.Transaction.String()}
	}
	result, err := transport.Do[SendResult](ctx, c.t, call, opts)
	if err != nil {
		return nil, err
	}
	if signature != "" && result.Signature != signature {
		return nil, &walletfi.OutcomeUnknownError{Signature: signature, Cause: misread(call.Op, pathSend, errOtherSignature)}
	}
	return result, nil
}

func (r SendRequest) problem() error {
	return check.All(serialised("signedTransaction", r.Transaction), r.RelayOptions.problem())
}

// sendBody is a SendRequest as it goes over the wire.
type sendBody struct {
	SignedTransaction string `json:"signedTransaction"`
	relayBody
}

func (r SendRequest) body() sendBody {
	return sendBody{r.Transaction.String(), r.RelayOptions.body(r.Transaction.Encoding())}
}
