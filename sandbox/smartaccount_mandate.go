package sandbox

import (
	"net/http"
	"time"

	"github.com/gagliardetto/solana-go"
)

// smartAccountMandate is a payment to a merchant that comes again and again: a
// direct debit or a subscription.
type smartAccountMandate struct {
	id           string
	wallet       *smartAccountWallet
	merchant     solana.PublicKey
	merchantName string
	token        Token
	amount       uint64
	frequency    string
	anchor       time.Time // the date from which the periods are reckoned
	period       int       // of the next payment, 0 at the anchor
	next         time.Time
	stop         func()
}

// smartAccountFrequencies are how many months and days lie between payments.
// Only monthly is documented.
var smartAccountFrequencies = map[string]struct{ months, days int }{
	"daily": {0, 1}, "weekly": {0, 7}, "biweekly": {0, 14}, "monthly": {1, 0}, "quarterly": {3, 0}, "yearly": {12, 0},
}

// smartAccountMerchant is what both kinds of mandate are created from.
type smartAccountMerchant struct {
	merchant, name, mint string
	amount               smartAccountAmount
	frequency            string
}

func (b *smartAccount) newMandate(c *call, w *smartAccountWallet, prefix string, in smartAccountMerchant) (*smartAccountMandate, error) {
	merchant, err := c.key(in.merchant, "merchant")
	if err != nil {
		return nil, err
	}
	t, ok := b.tokenByMint(in.mint)
	_, known := smartAccountFrequencies[in.frequency]
	switch {
	case !ok:
		return nil, refuse(http.StatusBadRequest, "", "the mint %q is not known", in.mint)
	case !known:
		return nil, refuse(http.StatusBadRequest, "", "the frequency %q is not known", in.frequency)
	case in.amount == 0:
		return nil, refuse(http.StatusBadRequest, "", "the amount must be positive")
	}
	return &smartAccountMandate{
		id: b.id(prefix), wallet: w, merchant: merchant, merchantName: in.name, token: t,
		amount: uint64(in.amount), frequency: in.frequency, stop: func() {},
	}, nil
}

// due is when the payment of a period falls due. A month that lacks the day
// has it on its last.
func (m *smartAccountMandate) due(period int) time.Time {
	f := smartAccountFrequencies[m.frequency]
	if f.months == 0 {
		return m.anchor.AddDate(0, 0, period*f.days)
	}
	first := time.Date(m.anchor.Year(), m.anchor.Month()+time.Month(period*f.months), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	clock := m.anchor.Sub(m.anchor.Truncate(24 * time.Hour))
	return first.AddDate(0, 0, min(m.anchor.Day(), last)-1).Add(clock)
}

// plan waits for the next payment: the first one that is not past. A first one
// that is falls due at once.
func (b *smartAccount) plan(m *smartAccountMandate, pay func()) {
	for m.period > 0 && m.due(m.period).Before(b.now()) {
		m.period++
	}
	m.next = m.due(m.period)
	if m.next.Before(b.now()) {
		m.next = b.now()
	}
	m.stop = b.at(m.next, func() {
		m.period++
		pay()
	})
}

// pay moves the amount on the ledger and reports whether it did. An account
// that holds too little pays nothing, and is asked again a period later.
func (b *smartAccount) pay(m *smartAccountMandate) bool {
	w := m.wallet
	moved := move{from: w.key, to: m.merchant, token: m.token, amount: m.amount}
	var instructions []solana.Instruction
	if m.token.key == solana.WrappedSol {
		moved.token = Token{}
	} else {
		instructions = append(instructions, createAccount(publicKey(b.sponsor), m.merchant, m.token))
	}
	instructions = append(instructions, b.instruct(SmartAccount, effect{owner: w.key, moves: []move{moved}}))
	listed, err := smartAccountListed(instructions)
	if err != nil {
		return false
	}
	raw, err := b.compose(w, instructions)
	if err != nil {
		return false
	}
	if _, err := b.rehearse(w, raw); err != nil {
		return false
	}
	_, err = b.land(w, raw, listed)
	return err == nil
}
