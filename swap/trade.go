package swap

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/asking"
	"github.com/walletfi/walletfi-go/internal/transport"
)

var (
	_ walletfi.FilledOrder = (*Trade)(nil)
	_ walletfi.FilledOrder = (*IntentTrade)(nil)
	_ walletfi.Submitter   = (*IntentTrade)(nil)
)

// Trade is an order from its request to its end, for wallet.Wallet.Place: the wallet
// sends its transaction, and if the service executes it later, WaitFilled waits for
// that. It is for one Place at a time.
type Trade struct {
	// Order is the last order that the service built, nil before.
	Order *Order
	// Wait holds how WaitFilled waits. Signature and LastValidBlockHeight are set by
	// it.
	Wait WaitOrderRequest

	client  Orders
	request OrderRequest
	opts    []walletfi.CallOption
}

// Orders is the part of a Client that a Trade uses, for a double in a test.
type Orders interface {
	BuildOrder(context.Context, OrderRequest, ...walletfi.CallOption) (*Order, error)
	WaitOrder(context.Context, WaitOrderRequest, ...walletfi.CallOption) (*OrderStatus, error)
}

// NewTrade returns the order that request describes. It sends nothing.
func NewTrade(client Orders, request OrderRequest, opts ...walletfi.CallOption) *Trade {
	return &Trade{client: client, request: request, opts: opts}
}

// Build calls [Client.BuildOrder].
func (t *Trade) Build(ctx context.Context) (walletfi.Unsigned, error) {
	order, err := t.client.BuildOrder(ctx, t.request, t.opts...)
	if err != nil {
		return walletfi.Unsigned{}, err
	}
	t.Order = order
	return order.Unsigned(), nil
}

// Asked states the request. It implements [walletfi.Asker].
func (t *Trade) Asked() map[string]string { return asking.Of(t.request) }

// FilledLater reports whether the order continues after its transaction has landed:
// see [ExecutionMode.Polled].
func (t *Trade) FilledLater() bool { return t.Order != nil && t.Order.ExecutionMode.Polled() }

// WaitFilled calls [Client.WaitOrder].
func (t *Trade) WaitFilled(
	ctx context.Context, signature string, lastValidBlockHeight uint64,
) (*walletfi.OrderEnd, error) {
	return waitFilled(ctx, t.client, t.Wait, signature, lastValidBlockHeight, t.opts)
}

// IntentTrade is an intent from its request to its end, for wallet.Wallet.Place: the
// service alone is given the signed transaction, and fills the order. It is for one
// Place at a time.
type IntentTrade struct {
	// Intent is the last intent that the service built, nil before.
	Intent *BuiltIntent
	// Wait holds how WaitFilled waits. Signature and LastValidBlockHeight are set by
	// it.
	Wait WaitOrderRequest

	client  Intents
	request IntentRequest
	opts    []walletfi.CallOption
	given   atomic.Pointer[walletfi.Base64Transaction] // what the service may have
}

// Intents is the part of a Client that an IntentTrade uses, for a double in a test.
type Intents interface {
	BuildIntent(context.Context, IntentRequest, ...walletfi.CallOption) (*BuiltIntent, error)
	SubmitIntent(context.Context, SubmitIntentRequest, ...walletfi.CallOption) (*SubmittedIntent, error)
	GetOrderStatus(context.Context, OrderStatusRequest, ...walletfi.CallOption) (*OrderStatus, error)
	WaitOrder(context.Context, WaitOrderRequest, ...walletfi.CallOption) (*OrderStatus, error)
}

// NewIntentTrade returns the intent that request describes. It sends nothing.
func NewIntentTrade(client Intents, request IntentRequest, opts ...walletfi.CallOption) *IntentTrade {
	return &IntentTrade{client: client, request: request, opts: opts}
}

// Build calls [Client.BuildIntent].
func (t *IntentTrade) Build(ctx context.Context) (walletfi.Unsigned, error) {
	intent, err := t.client.BuildIntent(ctx, t.request, t.opts...)
	if err != nil {
		return walletfi.Unsigned{}, err
	}
	t.Intent = intent
	return intent.Unsigned(), nil
}

// Asked states the request. It implements [walletfi.Asker].
func (t *IntentTrade) Asked() map[string]string { return asking.Of(t.request) }

// FilledLater is true.
func (t *IntentTrade) FilledLater() bool { return true }

// Submit calls [Client.SubmitIntent] with the intent that was built last. If the
// service may have been given the same bytes before, it is asked for the order first,
// and is sent the bytes again only if it does not know the order. It implements
// [walletfi.Submitter].
func (t *IntentTrade) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	if t.Intent == nil {
		return "", transport.Unsent(&walletfi.ValidationError{
			Field:   "intentResponse",
			Problem: "is required: build the intent first",
		})
	}
	if before := t.given.Load(); before != nil && *before == tx.Transaction {
		lost := newLostSubmit(t.client, tx.Transaction, t.Intent, t.opts)
		switch err := lost.ask(ctx); {
		case lost.found != nil:
			return lost.found.OpenSignature, nil
		case err != nil:
			return "", &walletfi.OutcomeUnknownError{Signature: tx.Signature, Cause: err}
		}
	}
	order, err := t.client.SubmitIntent(ctx, SubmitIntentRequest{Transaction: tx.Transaction, Intent: t.Intent}, t.opts...)
	if err = transport.Unsent(err); err == nil || !errors.Is(err, walletfi.ErrNotSent) {
		t.given.Store(&tx.Transaction)
	}
	if err != nil {
		return "", err
	}
	return order.OpenSignature, nil
}

// WaitFilled calls [Client.WaitOrder].
func (t *IntentTrade) WaitFilled(
	ctx context.Context, signature string, lastValidBlockHeight uint64,
) (*walletfi.OrderEnd, error) {
	return waitFilled(ctx, t.client, t.Wait, signature, lastValidBlockHeight, t.opts)
}

// orderWaiter is a Client, or a double.
type orderWaiter interface {
	WaitOrder(context.Context, WaitOrderRequest, ...walletfi.CallOption) (*OrderStatus, error)
}

// waitFilled waits for an order, and says how it ended.
func waitFilled(
	ctx context.Context, c orderWaiter, how WaitOrderRequest, signature string, lastValid uint64,
	opts []walletfi.CallOption,
) (*walletfi.OrderEnd, error) {
	how.Signature, how.LastValidBlockHeight = signature, cmp.Or(lastValid, how.LastValidBlockHeight)
	status, err := c.WaitOrder(ctx, how, opts...)
	if _, ended := errors.AsType[*OrderEndedError](err); err != nil && !ended {
		return nil, err
	}
	end := &walletfi.OrderEnd{State: string(status.Status), Filled: err == nil}
	for _, f := range status.Fills {
		end.Fills = append(end.Fills, walletfi.OrderFill{
			Signature: f.Signature,
			InAmount:  f.InAmount,
			OutAmount: f.OutAmount,
		})
	}
	return end, nil
}
