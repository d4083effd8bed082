package burnclose

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/callopt"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

const pathSend = "/transactions/send"

// SendRequest holds a signed transaction to send, from any builder. Its Go type
// decides the encoding parameter.
type SendRequest struct {
	Transaction walletfi.EncodedTransaction // signed; required
	RelayOptions
}

// SendResult is the relay's result for a transaction.
type SendResult struct {
	Signature string `json:"signature" wire:"required"` // on the ledger, base58
	// Sent is false if the service says that it did not send the transaction. It
	// may have landed nevertheless.
	Sent bool `json:"sent" wire:"strict,decides"`
	// Confirmation is nil if the service did not wait for one.
	Confirmation *Confirmation     `json:"confirmation" wire:"once"`
	Raw          walletfi.Document `json:"-"`
}

// MarshalJSON writes the answer as it came, and one that did not come from the service by
// its fields.
func (r SendResult) MarshalJSON() ([]byte, error) {
	if !r.Raw.IsZero() {
		return r.Raw, nil
	}
	type fields SendResult
	return json.Marshal(fields(r))
}

// UnmarshalJSON reads the known fields and keeps the answer in Raw.
func (r *SendResult) UnmarshalJSON(b []byte) error {
	return wire.Decode(b, r)
}

func init() { wire.Reader(readSendResult) }

func readSendResult(s *wire.Scanner, r *SendResult) error {
	err := wire.KeptFields(s, r, &r.Raw)
	if confirmation := r.Confirmation; confirmation != nil && confirmation.orNone() == nil {
		r.Confirmation = nil
		wire.Tell[SendResult](s, "confirmation", wire.OfNoKind)
	}
	return err
}

// orNone is nil for what is neither an object nor says anything of a transaction.
func (c *Confirmation) orNone() *Confirmation {
	if c != nil && c.SignatureStatus == (walletfi.SignatureStatus{}) && !bytes.HasPrefix(c.Raw, []byte("{")) {
		return nil
	}
	return c
}

// Confirmation is the status of a transaction in an answer of the relay. Its
// shape is not documented: Solana's own fields are looked up at the usual
// depths, and everything is in Raw. It has no Commitment if it does not say whether the
// transaction failed.
type Confirmation struct {
	walletfi.SignatureStatus
	Raw walletfi.Document
}

// UnmarshalJSON reads the known fields and keeps the whole in Raw.
func (c *Confirmation) UnmarshalJSON(b []byte) error {
	c.SignatureStatus = statusIn(b)
	return c.Raw.UnmarshalJSON(b)
}

// MarshalJSON returns the confirmation as it arrived.
func (c Confirmation) MarshalJSON() ([]byte, error) { return c.Raw.MarshalJSON() }

// SendTransaction sends a signed transaction. One that lacks a signature is
// refused before it is sent, unless [walletfi.WithLateSigners] names the signer.
// If the answer is lost, or holds
// another transaction's signature, the error is [walletfi.ErrOutcomeUnknown]
// with the signature to ask for.
//
// If an attempt was lost, an answer that says "not sent" is ErrOutcomeUnknown
// too, because the lost attempt may have sent it.
//
// POST /transactions/send. It relays signed bytes: the same bytes are sent
// again after a timeout or a 5xx.
func (c *Client) SendTransaction(
	ctx context.Context, req SendRequest, opts ...walletfi.CallOption,
) (*SendResult, error) {
	signature, _ := walletfi.TransactionSignature(req.Transaction)
	return c.send(ctx, req, signature, opts)
}

func (c *Client) send(
	ctx context.Context, req SendRequest, signature string, opts []walletfi.CallOption,
) (*SendResult, error) {
	call := transport.Call{
		Op: "SendTransaction", Effect: transport.Relay, Method: http.MethodPost,
		Answer: transport.Says("sent:bool"),
		Echo:   transport.Echo(func(r *SendResult) error { return echo.Text("signature", signature, r.Signature) }),
		Path:   transport.Path(pathSend), Invalid: c.keyed(req.problem(callopt.Of(opts).LateSigners)),
		MinTimeout: req.answerWithin(1), Signature: signature,
	}
	lost := false
	call.BeforeRepeat = func(context.Context) error { lost = true; return nil }
	if call.Invalid == nil {
		call.Body, call.Secrets = req.body(), []string{req.Transaction.String()}
	}
	result, err := transport.Do[SendResult](ctx, c.made().t, call, opts)
	if err != nil {
		return nil, err
	}
	if lost && !result.Sent {
		return nil, &walletfi.OutcomeUnknownError{Signature: result.Signature, Cause: errNotSent}
	}
	return result, nil
}

func (r SendRequest) problem(late []string) error {
	return check.All(
		serialised("signedTransaction", r.Transaction),
		check.Signed("signedTransaction", r.Transaction, late),
		r.RelayOptions.problem(),
	)
}

// sendBody is a SendRequest on the wire.
type sendBody struct {
	SignedTransaction string `json:"signedTransaction"`
	relayBody
}

func (r SendRequest) body() sendBody {
	return sendBody{r.Transaction.String(), r.RelayOptions.body(r.Transaction.Encoding())}
}
