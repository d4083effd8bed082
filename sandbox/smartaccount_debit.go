package sandbox

import (
	"net/http"
	"slices"
	"time"
)

// smartAccountDebit lets a merchant draw up to an amount each period. The
// merchant of the sandbox draws all of it, first a period after the creation.
type smartAccountDebit struct {
	*smartAccountMandate
	created   time.Time
	expires   *time.Time
	last      time.Time // zero before the first
	cancelled bool
}

type smartAccountDebitRequest struct {
	Account      string             `path:"accountId"`
	Merchant     string             `body:"merchant,required"`
	MerchantName string             `body:"merchantName,required"`
	Mint         string             `body:"mint,required"`
	MaxAmount    smartAccountAmount `body:"maxAmount,required"`
	Frequency    string             `body:"frequency,required"`
	ExpiresAt    *smartAccountTime  `body:"expiresAt"`
}

func (b *smartAccount) createDebit(c *call, in smartAccountDebitRequest) (any, error) {
	w, err := b.wallet(c, in.Account)
	if err != nil {
		return nil, err
	}
	m, err := b.newMandate(c, w, "dd", smartAccountMerchant{in.Merchant, in.MerchantName, in.Mint, in.MaxAmount, in.Frequency})
	if err != nil {
		return nil, err
	}
	d := &smartAccountDebit{smartAccountMandate: m, created: b.now()}
	if in.ExpiresAt != nil {
		d.expires = &in.ExpiresAt.Time
		if !d.expires.After(b.now()) {
			return nil, refuse(http.StatusBadRequest, "", "expiresAt lies in the past")
		}
	}
	m.anchor, m.period = b.now(), 1
	w.debits = append(w.debits, d)
	b.planDebit(d)
	return map[string]any{
		"id": m.id, "merchant": in.Merchant, "merchantName": in.MerchantName, "status": "active",
		"createdAt": smartAccountStamp(d.created),
	}, nil
}

func (b *smartAccount) planDebit(d *smartAccountDebit) {
	b.plan(d.smartAccountMandate, func() {
		if b.debitStatus(d) != "active" {
			return
		}
		if b.pay(d.smartAccountMandate) {
			d.last = b.now()
		}
		b.planDebit(d)
	})
}

func (b *smartAccount) debitStatus(d *smartAccountDebit) string {
	switch {
	case d.cancelled:
		return "cancelled"
	case d.expires != nil && !b.now().Before(*d.expires):
		return "expired"
	}
	return "active"
}

func (b *smartAccount) listDebits(c *call, in smartAccountRequest) (any, error) {
	w, err := b.wallet(c, in.Account)
	if err != nil {
		return nil, err
	}
	debits := []map[string]any{}
	for _, d := range w.debits {
		debits = append(debits, b.debitAnswer(c, d))
	}
	return map[string]any{"directDebits": debits, "total": len(debits)}, nil
}

// debitAnswer leaves out, or writes as null, in turn, the times that there are
// not: how they are written then is not documented.
func (b *smartAccount) debitAnswer(c *call, d *smartAccountDebit) map[string]any {
	a := map[string]any{
		"id": d.id, "merchant": d.merchant.String(), "merchantName": d.merchantName, "mint": d.token.Mint,
		"maxAmount": smartAccountAmount(d.amount), "frequency": d.frequency, "status": b.debitStatus(d),
		"createdAt": smartAccountStamp(d.created),
	}
	times := map[string]*time.Time{"expiresAt": d.expires, "lastDebit": &d.last, "nextDebit": &d.next}
	if b.debitStatus(d) != "active" || d.expires != nil && !d.next.Before(*d.expires) {
		times["nextDebit"] = nil
	}
	null := c.shape(2) == 1
	for name, t := range times {
		if t != nil && !t.IsZero() {
			a[name] = smartAccountStamp(*t)
		} else if null {
			a[name] = nil
		}
	}
	return a
}

type smartAccountDebitCancel struct {
	Account string `path:"accountId"`
	Debit   string `path:"directDebitId"`
}

// cancelDebit leaves the mandate in the list as cancelled or takes it out, in
// turn, as revokeSession does.
func (b *smartAccount) cancelDebit(c *call, in smartAccountDebitCancel) (map[string]any, error) {
	w, err := b.wallet(c, in.Account)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(w.debits, func(d *smartAccountDebit) bool { return d.id == in.Debit && !d.cancelled })
	if at < 0 {
		return nil, refuse(http.StatusNotFound, "", "there is no direct debit %s", in.Debit)
	}
	d := w.debits[at]
	d.cancelled = true
	d.stop()
	if c.shape(2) == 1 {
		w.debits = slices.Delete(w.debits, at, at+1)
	}
	return map[string]any{}, nil
}
