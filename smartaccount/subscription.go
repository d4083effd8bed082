package smartaccount

import (
	"context"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Subscription is a recurring payment of an account. No route returns it again:
// keep the result of [Client.CreateSubscription].
type Subscription struct {
	ID           string          `json:"id" wire:"strict,said"`
	Merchant     string          `json:"merchant" wire:"strict,said"` // address
	MerchantName string          `json:"merchantName"`
	Mint         string          `json:"mint"`               // not in the documented answer to a creation
	Amount       walletfi.Amount `json:"amount" wire:"said"` // of each payment, smallest units
	Frequency    Frequency       `json:"frequency" wire:"said"`
	// a day, midnight UTC; not in the documented answer to a creation
	StartDate   walletfi.Time `json:"startDate" wire:"decides,optional"`
	Status      Status        `json:"status" wire:"strict,said"`
	NextPayment walletfi.Time `json:"nextPayment" wire:"said"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// CreateSubscriptionRequest describes a new subscription.
type CreateSubscriptionRequest struct {
	Merchant     string          `json:"merchant"` // address; required
	MerchantName string          `json:"merchantName,omitzero"`
	Mint         string          `json:"mint"`          // token that is paid in; required
	Amount       walletfi.Amount `json:"amount,string"` // of each payment, smallest units, more than 0
	Frequency    Frequency       `json:"frequency"`     // required
	// StartDate is the day of the first payment. Its date in its own location is
	// sent, without a time. Zero is not sent.
	StartDate time.Time `json:"-"`
}

// CreateSubscription starts a payment that recurs until it is cancelled.
//
// No route lists subscriptions. If the outcome is unknown, there is no way to
// find out whether the subscription exists, and without its id it can be
// neither paused nor cancelled. Creating it again may pay twice: ask the
// merchant, or watch whether the first payment leaves the account. A policy
// with a spending limit bounds the damage.
//
// POST /accounts/{accountId}/subscriptions. It is not repeated once it was
// sent.
func (c *Client) CreateSubscription(
	ctx context.Context, accountID string, req CreateSubscriptionRequest, opts ...walletfi.CallOption,
) (*Subscription, error) {
	return create[Subscription](ctx, c, transport.Call{
		Op: "CreateSubscription", Effect: transport.Create, Method: http.MethodPost,
		Answer: transport.Says("id:id"),
		Path:   transport.Path("/accounts/{accountId}/subscriptions", accountID),
		Body:   req.body(), Invalid: req.problem(), Class: ClassWrite,
	}, opts, active, req.begins)
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

// begins reports a payment before the day of the first, which begins 14 hours before UTC's
// in the east.
func (r CreateSubscriptionRequest) begins(_ []byte, made Subscription) error {
	year, month, day := r.StartDate.Date()
	first := time.Date(year, month, day, -14, 0, 0, 0, time.UTC)
	ok := r.StartDate.IsZero() || made.NextPayment.IsZero() || !made.NextPayment.Before(first)
	return echo.That(ok, "nextPayment", r.StartDate.Format(time.DateOnly), made.NextPayment)
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

// SubscriptionState is the state after a pause or a resumption.
type SubscriptionState struct {
	Status      Status         `json:"status" wire:"strict"`
	NextPayment *walletfi.Time `json:"nextPayment" wire:"decides,optional"` // nil after a pause

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// resumption is the state after a resumption, which says when the next payment is.
type resumption struct {
	Status      Status            `json:"status" wire:"strict"`
	NextPayment *walletfi.Time    `json:"nextPayment" wire:"said"`
	Raw         walletfi.Document `json:"-"`
}

// The state did change, whatever else the answer says.
func init() {
	wire.Reader(wire.Created[SubscriptionState])
	wire.Reader(wire.Created[resumption])
}

// PauseSubscription stops the payments of an active subscription until it is
// resumed. After an unknown outcome no route returns the state: pause it again;
// it is then paused, or the error states why not.
//
// POST /accounts/{accountId}/subscriptions/{subscriptionId}/pause. It is not
// repeated once it was sent.
func (c *Client) PauseSubscription(
	ctx context.Context, accountID, subscriptionID string, opts ...walletfi.CallOption,
) (*SubscriptionState, error) {
	return transport.Do[SubscriptionState](ctx, c.made().t, transport.Call{
		Op: "PauseSubscription", Effect: transport.Create, Method: http.MethodPost,
		Answer: transport.Says("status", "success:bool"),
		Echo:   transport.Echo(func(s *SubscriptionState) error { return echo.Name("status", StatusPaused, s.Status) }),
		Path:   transport.Path("/accounts/{accountId}/subscriptions/{subscriptionId}/pause", accountID, subscriptionID),
		Class:  ClassWrite,
	}, opts)
}

// ResumeSubscription resumes a paused subscription. After an unknown outcome no
// route returns the state: pause the subscription if it must not pay. A state without the next
// payment comes with a [*walletfi.UnreadError].
//
// POST /accounts/{accountId}/subscriptions/{subscriptionId}/resume. It is not
// repeated once it was sent.
func (c *Client) ResumeSubscription(
	ctx context.Context, accountID, subscriptionID string, opts ...walletfi.CallOption,
) (*SubscriptionState, error) {
	state, err := transport.Do[resumption](ctx, c.made().t, transport.Call{
		Op: "ResumeSubscription", Effect: transport.Create, Method: http.MethodPost,
		Answer: transport.Says("status", "success:bool"),
		Echo:   transport.Echo(func(s *resumption) error { return echo.Name("status", StatusActive, s.Status) }),
		Path:   transport.Path("/accounts/{accountId}/subscriptions/{subscriptionId}/resume", accountID, subscriptionID),
		Class:  ClassWrite,
	}, opts)
	return (*SubscriptionState)(state), err
}

// CancelSubscription ends a subscription.
//
// DELETE /accounts/{accountId}/subscriptions/{subscriptionId}.
func (c *Client) CancelSubscription(
	ctx context.Context, accountID, subscriptionID string, opts ...walletfi.CallOption,
) error {
	return c.set(ctx, transport.Call{
		Op: "CancelSubscription", Effect: transport.Set, Method: http.MethodDelete,
		Answer: transport.Says("success:bool"),
		Path:   transport.Path("/accounts/{accountId}/subscriptions/{subscriptionId}", accountID, subscriptionID),
	}, opts)
}
