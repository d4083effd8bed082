package smartaccount

import (
	"context"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Subscription is a payment that an account makes again and again. No route
// reads one back: keep what CreateSubscription returns.
type Subscription struct {
	ID           string          `json:"id"`
	Merchant     string          `json:"merchant"` // address
	MerchantName string          `json:"merchantName"`
	Mint         string          `json:"mint"`   // not in the documented answer to a creation
	Amount       walletfi.Amount `json:"amount"` // of each payment, smallest units
	Frequency    Frequency       `json:"frequency"`
	StartDate    walletfi.Time   `json:"startDate"` // a day, midnight UTC; not in the documented answer to a creation
	Status       Status          `json:"status"`
	NextPayment  walletfi.Time   `json:"nextPayment"`
}

// CreateSubscriptionRequest asks for a payment that repeats.
type CreateSubscriptionRequest struct {
	Merchant     string          `json:"merchant"` // address; required
	MerchantName string          `json:"merchantName,omitzero"`
	Mint         string          `json:"mint"`          // token that is paid in; required
	Amount       walletfi.Amount `json:"amount,string"` // of each payment, smallest units, more than 0
	Frequency    Frequency       `json:"frequency"`     // required
	// StartDate is the day of the first payment. The day that it has in its own
	// location is sent, without a time. Zero sends none.
	StartDate time.Time `json:"-"`
}

// CreateSubscription starts a payment that repeats until it is cancelled.
//
// Since no route lists subscriptions, nothing tells what became of one whose
// outcome is unknown, and without its id it can be neither paused nor
// cancelled. Creating it again may pay twice: ask the merchant, or watch
// whether the first payment leaves the account. A policy with a spending limit
// bounds the damage.
//
// POST /accounts/{accountId}/subscriptions. Not repeated once it was sent.
func (c *Client) CreateSubscription(ctx context.Context, accountID string, req CreateSubscriptionRequest, opts ...walletfi.CallOption) (*Subscription, error) {
	return create[Subscription](ctx, c, transport.Call{
		Op: "CreateSubscription", Effect: transport.Create, Method: http.MethodPost,
		Path: transport.Path("/accounts/{accountId}/subscriptions", accountID),
		Body: req.body(), Invalid: req.problem(), Class: ClassWrite,
	}, opts)
}

func (r CreateSubscriptionRequest) body() any {
	type fields CreateSubscriptionRequest
	body := struct {
		fields
		StartDate string `json:"startDate,omitzero"`
	}{fields: fields(r)}
	if !r.StartDate.IsZero() {
		body.StartDate = r.StartDate.Format(time.DateOnly)
	}
	return body
}

func (r CreateSubscriptionRequest) problem() error {
	return check.All(
		check.Required("merchant", r.Merchant),
		check.Required("mint", r.Mint),
		check.Positive("amount", r.Amount),
		check.Required("frequency", r.Frequency),
		writable("startDate", r.StartDate),
	)
}

// SubscriptionState is what pausing or resuming led to.
type SubscriptionState struct {
	Status      Status        `json:"status"`
	NextPayment walletfi.Time `json:"nextPayment"` // zero after a pause
}

// PauseSubscription stops the payments of an active subscription until it is
// resumed. After an unknown outcome it may be paused or not, and no route
// tells: pausing once more leads to a pause, or to an error that says what it
// is.
//
// POST /accounts/{accountId}/subscriptions/{subscriptionId}/pause. Not
// repeated once it was sent.
func (c *Client) PauseSubscription(ctx context.Context, accountID, subscriptionID string, opts ...walletfi.CallOption) (*SubscriptionState, error) {
	return transport.Do[SubscriptionState](ctx, c.t, transport.Call{
		Op: "PauseSubscription", Effect: transport.Create, Method: http.MethodPost,
		Path:  transport.Path("/accounts/{accountId}/subscriptions/{subscriptionId}/pause", accountID, subscriptionID),
		Class: ClassWrite,
	}, opts)
}

// ResumeSubscription takes a paused subscription up again. After an unknown
// outcome it may be active or not, and no route tells: pause it if it must not
// pay.
//
// POST /accounts/{accountId}/subscriptions/{subscriptionId}/resume. Not
// repeated once it was sent.
func (c *Client) ResumeSubscription(ctx context.Context, accountID, subscriptionID string, opts ...walletfi.CallOption) (*SubscriptionState, error) {
	return transport.Do[SubscriptionState](ctx, c.t, transport.Call{
		Op: "ResumeSubscription", Effect: transport.Create, Method: http.MethodPost,
		Path:  transport.Path("/accounts/{accountId}/subscriptions/{subscriptionId}/resume", accountID, subscriptionID),
		Class: ClassWrite,
	}, opts)
}

// CancelSubscription ends a subscription.
//
// DELETE /accounts/{accountId}/subscriptions/{subscriptionId}.
func (c *Client) CancelSubscription(ctx context.Context, accountID, subscriptionID string, opts ...walletfi.CallOption) error {
	return c.set(ctx, transport.Call{
		Op: "CancelSubscription", Effect: transport.Set, Method: http.MethodDelete,
		Path: transport.Path("/accounts/{accountId}/subscriptions/{subscriptionId}", accountID, subscriptionID),
	}, opts)
}
