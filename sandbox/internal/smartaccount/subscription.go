package smartaccount

import (
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// subscription is a fixed payment that falls due at midnight UTC
// of its date.
type subscription struct {
	*mandate
	paused bool
}

type subscriptionRequest struct {
	merchant
	Amount    amount `body:"amount,required"`
	StartDate *date  `body:"startDate"`
}

// createSubscription starts today if the request names no start. A payment that
// is due today is made at once.
func (b *Service) createSubscription(c *kit.Call, in subscriptionRequest) any {
	m := b.newMandate(c, "sub", in.merchant, in.Amount)
	today := b.Now().Truncate(24 * time.Hour)
	m.anchor = today
	if in.StartDate != nil {
		m.anchor = in.StartDate.Time
	}
	kit.BadIf(m.anchor.Before(today), "startDate lies in the past")
	x := &subscription{mandate: m}
	m.wallet.subscriptions[m.id] = x
	b.planSubscription(x)
	return map[string]any{
		"id": m.id, "merchant": in.Merchant, "merchantName": in.MerchantName, "amount": in.Amount,
		"frequency": in.Frequency, "status": "active", "nextPayment": kit.Stamp(m.next),
	}
}

func (b *Service) planSubscription(x *subscription) {
	b.plan(x.mandate, paying{b, x})
}

// paying is when a subscription is paid.
type paying struct {
	b *Service
	x *subscription
}

// Happen pays it.
func (p paying) Happen() {
	p.x.period++
	p.b.pay(p.x.mandate)
	p.b.planSubscription(p.x)
}

type subscriptionChange struct {
	Account      string `path:"accountId" open:"an identifier"`
	Subscription string `path:"subscriptionId" open:"an identifier"`
}

func (b *Service) subscription(c *kit.Call, in subscriptionChange) *subscription {
	w := b.wallet(c, in.Account)
	return kit.Found(w.subscriptions[in.Subscription], "there is no subscription %s", in.Subscription)
}

func (b *Service) pauseSubscription(c *kit.Call, in subscriptionChange) map[string]any {
	x := b.subscription(c, in)
	kit.BadIf(x.paused, "the subscription is paused already")
	x.paused = true
	x.planned.Cancel()
	return map[string]any{"status": "paused"}
}

// resumeSubscription continues with the next date that is not past: payments
// missed meanwhile are not made.
func (b *Service) resumeSubscription(c *kit.Call, in subscriptionChange) map[string]any {
	x := b.subscription(c, in)
	kit.BadIf(!x.paused, "the subscription is not paused")
	x.paused = false
	for x.due(x.period).Before(b.Now()) {
		x.period++
	}
	b.planSubscription(x)
	return map[string]any{"status": "active", "nextPayment": kit.Stamp(x.next)}
}

func (b *Service) cancelSubscription(c *kit.Call, in subscriptionChange) map[string]any {
	x := b.subscription(c, in)
	x.planned.Cancel()
	delete(x.wallet.subscriptions, x.id)
	return map[string]any{}
}
