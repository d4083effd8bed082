package swap

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/callopt"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// SubmitIntentRequest is a signed intent.
type SubmitIntentRequest struct {
	Transaction walletfi.Base64Transaction `json:"signedTransaction"` // the intent's, signed; required
	Intent      *BuiltIntent               `json:"-"`                 // as BuildIntent returned it; required
}

// SubmittedIntent is an order that the service accepted.
type SubmittedIntent struct {
	OrderID       string     `json:"orderId" wire:"required"`
	Status        OrderState `json:"status" wire:"strict,decides"` // OrderSubmitted, or a later state
	OpenSignature string     `json:"openSignature" wire:"strict"`  // for WaitOrder, base58
	// The unit of EstimatedFillTime is not documented. It is nil if the answer does not say.
	EstimatedFillTime *int64 `json:"estimatedFillTime" wire:"free,min=0"`
	// Recovered reports that the answer was lost and the order was found by its
	// signature. OrderID and EstimatedFillTime are then unknown.
	Recovered bool `json:"-"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// SubmitIntent sends a signed intent to the service, which opens the order and
// fills it. [Client.WaitOrder] with OpenSignature waits for that. Nothing is sent
// if the transaction is not the intent's, or lacks the signature of the owner;
// the service may add those of a sponsor and of market makers.
//
// POST /submit-intent. If an answer was lost, SubmitIntent asks for the order's
// status first. If the service knows the order, that is the result, with
// Recovered set. If it says that it does not, the same bytes are sent again. An
// answer with another transaction's signature is not believed: the status is asked
// for, and nothing is sent again. Otherwise the error is
// [walletfi.ErrOutcomeUnknown]; so it is if the fee payer has not signed yet,
// because then there is no signature to ask for.
func (c *Client) SubmitIntent(
	ctx context.Context, req SubmitIntentRequest, opts ...walletfi.CallOption,
) (*SubmittedIntent, error) {
	if err := c.changed(req.Intent); err != nil {
		return nil, err
	}
	lost := newLostSubmit(c, req.Transaction, req.Intent, opts)
	order, err := transport.Do[SubmittedIntent](ctx, c.made().t, req.call(lost), opts)
	if errors.Is(err, walletfi.ErrOutcomeUnknown) && ctx.Err() == nil && lost.end == nil {
		// No repeat was left, and the status is asked for before a repeat.
		if asked := lost.ask(ctx); asked != nil {
			err = fmt.Errorf("%w; %w", err, asked)
		}
	}
	if lost.found != nil {
		return lost.found, nil
	}
	if err != nil {
		return nil, err
	}
	if order.OpenSignature == "" {
		order.OpenSignature = lost.signature
	}
	return order, nil
}

func (r SubmitIntentRequest) call(lost *lostSubmit) transport.Call {
	call := transport.Call{
		Op: "SubmitIntent", Effect: transport.Relay, Method: http.MethodPost,
		Answer: transport.Says("orderId:id"),
		Echo: transport.Echo(func(o *SubmittedIntent) error {
			return echo.Text("openSignature", lost.signature, o.OpenSignature)
		}),
		Path: transport.Path("/submit-intent"), Invalid: r.problem(),
		Signature: lost.signature, BeforeRepeat: lost.ask, Secrets: []string{string(r.Transaction)},
	}
	if r.Intent != nil {
		call.Body = transport.Spliced{Rest: r, Key: "intentResponse", Raw: r.Intent.Raw}
	}
	return call
}

func (r SubmitIntentRequest) problem() error {
	if r.Intent == nil || r.Intent.Raw.IsZero() {
		return check.That(false, "intentResponse", "is required, as the service sent it")
	}
	if r.Transaction == "" {
		return check.Required("signedTransaction", r.Transaction)
	}
	return check.SignedSince("signedTransaction", r.Transaction, r.Intent.Transaction, r.Intent.intent.Owner)
}

// lostSubmit finds out whether a submit whose answer was lost succeeded.
type lostSubmit struct {
	client    statusReader
	opts      []walletfi.CallOption
	signature string
	lastValid uint64

	found *SubmittedIntent // the order, if the service knows it
	end   error            // why the bytes must not be sent again
}

// statusReader is a Client, or a double.
type statusReader interface {
	GetOrderStatus(context.Context, OrderStatusRequest, ...walletfi.CallOption) (*OrderStatus, error)
}

func newLostSubmit(
	c statusReader, tx walletfi.Base64Transaction, intent *BuiltIntent, opts []walletfi.CallOption,
) *lostSubmit {
	lost := &lostSubmit{client: c, opts: settled(opts)}
	if lost.signature, _ = walletfi.TransactionSignature(tx); intent != nil {
		lost.lastValid = intent.LastValidBlockHeight
	}
	return lost
}

var (
	errOrderKnown  = errors.New("the service knows the order already")
	errNoSignature = errors.New("the transaction has no signature of its fee payer, so the order cannot be asked for")
)

// ask returns nil if the service does not know the order, so that the same
// bytes may be sent again.
func (l *lostSubmit) ask(ctx context.Context) error {
	if l.signature == "" {
		l.end = errNoSignature
		return l.end
	}
	status, err := l.client.GetOrderStatus(ctx, OrderStatusRequest{l.signature, known(l.lastValid)}, l.opts...)
	switch {
	case err == nil && !status.Status.documented():
		l.end = fmt.Errorf("asking for the order: it has the status %.40q, which is not documented", status.Status)
	case err == nil:
		l.found = &SubmittedIntent{Status: status.Status, OpenSignature: l.signature, Recovered: true}
		l.end = errOrderKnown
	case errors.Is(err, walletfi.ErrNotFound) && !isPage(err):
		return nil
	case ctx.Err() != nil:
		l.end = ctx.Err()
	default:
		// %v: the sentinel of a failed read says nothing about the order.
		l.end = fmt.Errorf("asking for the order: %v", err)
	}
	return l.end
}

// isPage reports an answer of HTML, which a proxy gave and not the service.
func isPage(err error) bool {
	response, ok := errors.AsType[*walletfi.ResponseError](err)
	return ok && bytes.HasPrefix(bytes.TrimSpace(response.Body), []byte("<"))
}

// settled keeps of a call's options what is meant for a second call too: not
// the place where the first one's answer is captured.
func settled(opts []walletfi.CallOption) []walletfi.CallOption {
	return append(opts[:len(opts):len(opts)],
		walletfi.CallOption(callopt.New(func(s *callopt.Settings) { s.Capture = nil })))
}
