package smartaccount

import (
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/snapshot"
)

// debit lets a merchant draw up to an amount each period. The
// merchant of the sandbox draws all of it, first a period after the creation.
type debit struct {
	*mandate
	created   time.Time
	expires   *time.Time
	last      time.Time // zero before the first
	cancelled bool
}

type debitRequest struct {
	merchant
	MaxAmount amount   `body:"maxAmount,required"`
	ExpiresAt *instant `body:"expiresAt"`
}

func (b *Service) createDebit(c *kit.Call, in debitRequest) any {
	m := b.newMandate(c, "dd", in.merchant, in.MaxAmount)
	d := &debit{mandate: m, created: b.Now()}
	if in.ExpiresAt != nil {
		d.expires = &in.ExpiresAt.Time
		kit.BadIf(!d.expires.After(b.Now()), "expiresAt lies in the past")
	}
	m.anchor, m.period = b.Now(), 1
	m.wallet.debits = append(m.wallet.debits, d)
	b.planDebit(d)
	return map[string]any{
		"id": m.id, "merchant": in.Merchant, "merchantName": in.MerchantName, "status": "active",
		"createdAt": kit.Stamp(d.created),
	}
}

func (b *Service) planDebit(d *debit) {
	b.plan(d.mandate, drawing{b, d})
}

// drawing is when a debit is drawn.
type drawing struct {
	b *Service
	d *debit
}

var _ = snapshot.Keep(drawing{}, paying{})

// Happen draws it.
func (x drawing) Happen() {
	x.d.period++
	if x.b.debitStatus(x.d) != "active" {
		return
	}
	if x.b.pay(x.d.mandate) {
		x.d.last = x.b.Now()
	}
	x.b.planDebit(x.d)
}

func (b *Service) debitStatus(d *debit) string {
	switch {
	case d.cancelled:
		return "cancelled"
	case d.expires != nil && !b.Now().Before(*d.expires):
		return "expired"
	}
	return "active"
}

func (b *Service) listDebits(c *kit.Call, in request) any {
	w := b.wallet(c, in.Account)
	debits := kit.List(w.debits, func(d *debit) any { return b.debitAnswer(c, d) })
	return map[string]any{"directDebits": debits, "total": len(debits)}
}

// debitAnswer leaves out, or writes as null, in turn, the times that there are
// not: how they are written then is not documented.
func (b *Service) debitAnswer(c *kit.Call, d *debit) map[string]any {
	a := map[string]any{
		"id": d.id, "merchant": d.merchant.String(), "merchantName": d.merchantName, "mint": d.token.Mint,
		"maxAmount": amount(d.amount), "frequency": d.frequency, "status": b.debitStatus(d),
		"createdAt": kit.Stamp(d.created),
	}
	times := map[string]*time.Time{"expiresAt": d.expires, "lastDebit": &d.last, "nextDebit": &d.next}
	if b.debitStatus(d) != "active" || d.expires != nil && !d.next.Before(*d.expires) {
		times["nextDebit"] = nil
	}
	null := c.Shape(2) == 1
	for name, t := range times {
		if t != nil && !t.IsZero() {
			a[name] = kit.Stamp(*t)
		} else if null {
			a[name] = nil
		}
	}
	return a
}

type debitCancel struct {
	Account string `path:"accountId" open:"an identifier"`
	Debit   string `path:"directDebitId" open:"an identifier"`
}

func (b *Service) cancelDebit(c *kit.Call, in debitCancel) map[string]any {
	w := b.wallet(c, in.Account)
	d := kit.Found(kit.Find(w.debits, func(d *debit) bool { return d.id == in.Debit && !d.cancelled }),
		"there is no direct debit %s", in.Debit)
	d.cancelled = true
	d.planned.Cancel()
	w.debits = retire(c, w.debits, d)
	return map[string]any{}
}
