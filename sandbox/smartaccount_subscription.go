package sandbox

import (
	"net/http"
	"time"
)

// smartAccountSubscription is a fixed payment that falls due at midnight UTC
// of its date.
type smartAccountSubscription struct {
	*smartAccountMandate
	paused bool
}

type smartAccountSubscriptionRequest struct {
	Account      string             `path:"accountId"`
	Merchant     string             `body:"merchant,required"`
	MerchantName string             `body:"merchantName,required"`
	Mint         string             `body:"mint,required"`
	Amount       smartAccountAmount `body:"amount,required"`
	Frequency    string             `body:"frequency,required"`
	StartDate    *smartAccountDate  `body:"startDate"`
}

type smartAccountSubscriptionAnswer struct {
	ID           string             `json:"id"`
	Merchant     string             `json:"merchant"`
	MerchantName string             `json:"merchantName"`
	Amount       smartAccountAmount `json:"amount"`
	Frequency    string             `json:"frequency"`
	Status       string             `json:"status"`
	NextPayment  string             `json:"nextPayment"`
}

// createSubscription takes today for the start where the request names none.
// A payment that is due today is made at once.
func (b *smartAccount) createSubscription(c *call, in smartAccountSubscriptionRequest) (*smartAccountSubscriptionAnswer, error) {
	w, err := b.wallet(c, in.Account)
	if err != nil {
		return nil, err
	}
	m, err := b.newMandate(c, w, "sub", smartAccountMerchant{in.Merchant, in.MerchantName, in.Mint, in.Amount, in.Frequency})
	if err != nil {
		return nil, err
	}
	today := b.now().Truncate(24 * time.Hour)
	m.anchor = today
	if in.StartDate != nil {
		m.anchor = in.StartDate.Time
	}
	if m.anchor.Before(today) {
		return nil, refuse(http.StatusBadRequest, "", "startDate lies in the past")
	}
	x := &smartAccountSubscription{smartAccountMandate: m}
	w.subscriptions[m.id] = x
	b.planSubscription(x)
	return &smartAccountSubscriptionAnswer{
		m.id, in.Merchant, in.MerchantName, in.Amount, in.Frequency, "active", smartAccountStamp(m.next),
	}, nil
}

func (b *smartAccount) planSubscription(x *smartAccountSubscription) {
	b.plan(x.smartAccountMandate, func() {
		b.pay(x.smartAccountMandate)
		b.planSubscription(x)
	})
}

type smartAccountSubscriptionChange struct {
	Account      string `path:"accountId"`
	Subscription string `path:"subscriptionId"`
}

func (b *smartAccount) subscription(c *call, in smartAccountSubscriptionChange) (*smartAccountSubscription, error) {
	w, err := b.wallet(c, in.Account)
	if err != nil {
		return nil, err
	}
	x, ok := w.subscriptions[in.Subscription]
	if !ok {
		return nil, refuse(http.StatusNotFound, "", "there is no subscription %s", in.Subscription)
	}
	return x, nil
}

func (b *smartAccount) pauseSubscription(c *call, in smartAccountSubscriptionChange) (map[string]any, error) {
	x, err := b.subscription(c, in)
	if err != nil {
		return nil, err
	}
	if x.paused {
		return nil, refuse(http.StatusBadRequest, "", "the subscription is paused already")
	}
	x.paused = true
	x.stop()
	return map[string]any{"status": "paused"}, nil
}

// resumeSubscription goes on with the next date that is not past: what fell
// due meanwhile is not paid.
func (b *smartAccount) resumeSubscription(c *call, in smartAccountSubscriptionChange) (map[string]any, error) {
	x, err := b.subscription(c, in)
	if err != nil {
		return nil, err
	}
	if !x.paused {
		return nil, refuse(http.StatusBadRequest, "", "the subscription is not paused")
	}
	x.paused = false
	for x.due(x.period).Before(b.now()) {
		x.period++
	}
	b.planSubscription(x)
	return map[string]any{"status": "active", "nextPayment": smartAccountStamp(x.next)}, nil
}

func (b *smartAccount) cancelSubscription(c *call, in smartAccountSubscriptionChange) (map[string]any, error) {
	x, err := b.subscription(c, in)
	if err != nil {
		return nil, err
	}
	x.stop()
	delete(x.wallet.subscriptions, x.id)
	return map[string]any{}, nil
}
