package smartaccount

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// mandate is a recurring payment to a merchant: a direct debit or a
// subscription.
type mandate struct {
	id           string
	wallet       *wallet
	merchant     solana.PublicKey
	merchantName string
	token        build.Token
	amount       uint64
	frequency    string
	anchor       time.Time // start of the first period
	period       int       // of the next payment, 0 at the anchor
	next         time.Time
	planned      *kit.Planned // the next payment, nil if there is none
}

// frequencies are how many months and days lie between payments. Only monthly is
// documented: any other word means a month too.
var frequencies = map[string]struct{ months, days int }{
	"daily": {0, 1}, "weekly": {0, 7}, "biweekly": {0, 14}, "monthly": {1, 0}, "quarterly": {3, 0}, "yearly": {12, 0},
}

// merchant is the common part of the requests for both kinds of mandate.
type merchant struct {
	Account      string `path:"accountId" open:"an identifier"`
	Merchant     string `body:"merchant,required" form:"key"`
	MerchantName string `body:"merchantName,required" open:"any text"`
	Mint         string `body:"mint,required" form:"key"`
	Frequency    string `body:"frequency,required" open:"values not shown"`
}

func (b *Service) newMandate(c *kit.Call, prefix string, in merchant, amount amount) *mandate {
	w := b.wallet(c, in.Account)
	merchant := c.Key(in.Merchant, "merchant")
	t, ok := b.TokenByMint(in.Mint)
	kit.BadIf(!ok, "the mint %q is not known", in.Mint)
	kit.BadIf(amount == 0, "the amount must be positive")
	return &mandate{
		id: b.id(prefix), wallet: w, merchant: merchant, merchantName: in.MerchantName, token: t,
		amount: uint64(amount), frequency: in.Frequency,
	}
}

// due is when the payment of a period falls due. In a shorter month it is the
// last day.
func (m *mandate) due(period int) time.Time {
	f, ok := frequencies[m.frequency]
	if !ok {
		f = frequencies["monthly"]
	}
	if f.months == 0 {
		return m.anchor.AddDate(0, 0, period*f.days)
	}
	first := time.Date(m.anchor.Year(), m.anchor.Month()+time.Month(period*f.months), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	clock := m.anchor.Sub(m.anchor.Truncate(24 * time.Hour))
	return first.AddDate(0, 0, min(m.anchor.Day(), last)-1).Add(clock)
}

// plan schedules the next payment that is not past. If the first payment is
// past, it falls due at once.
func (b *Service) plan(m *mandate, payment kit.Event) {
	for m.period > 0 && m.due(m.period).Before(b.Now()) {
		m.period++
	}
	m.next = m.due(m.period)
	if m.next.Before(b.Now()) {
		m.next = b.Now()
	}
	m.planned = b.At(m.next, payment)
}

// pay moves the amount on the ledger and reports whether it did. If the account
// holds too little, it pays nothing until the next period.
func (b *Service) pay(m *mandate) bool {
	w := m.wallet
	moved := build.Move{From: w.key, To: m.merchant, Token: m.token, Amount: m.amount}
	var instructions []solana.Instruction
	if m.token.Key == solana.WrappedSol {
		moved.Token = build.Token{}
	} else {
		instructions = append(instructions, build.CreateAccount(build.PublicKey(b.Sponsor), m.merchant, m.token))
	}
	instructions = append(instructions, b.Instruct(play.SmartAccount, build.Effect{
		Owner: w.key,
		Moves: []build.Move{moved},
	}))
	return kit.Attempt(func() {
		raw := b.compose(w, instructions)
		b.rehearse(w, raw)
		b.land(w, raw, Listed(instructions))
	}) == nil
}

// amount is an amount in smallest units, written as a string of
// digits.
type amount uint64

// UnmarshalJSON takes a string of digits, no number.
func (a *amount) UnmarshalJSON(raw []byte) error {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || !kit.IsInteger(text) {
		return fmt.Errorf("%q is not an amount", text)
	}
	*a = amount(n)
	return nil
}

// MarshalJSON writes the digits as a string.
func (a amount) MarshalJSON() ([]byte, error) { return json.Marshal(a.String()) }

// String is the digits.
func (a amount) String() string { return strconv.FormatUint(uint64(a), 10) }

// instant is an instant, written in ISO 8601 with its zone.
type instant struct{ time.Time }

// UnmarshalJSON takes what names an instant.
func (t *instant) UnmarshalJSON(raw []byte) error { return parse(&t.Time, raw, time.RFC3339) }

// date is a bare date.
type date struct{ time.Time }

// UnmarshalJSON takes a date without a time.
func (t *date) UnmarshalJSON(raw []byte) error { return parse(&t.Time, raw, time.DateOnly) }

func parse(into *time.Time, raw []byte, layout string) error {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	t, err := time.Parse(layout, text)
	if err != nil {
		return err
	}
	*into = t.UTC()
	return nil
}
