package signer

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// Trades are windows of their own for trades of an owner: one mint for another, where the bytes of the
// transaction prove how much of the other comes in at least, and both have prices. The amount sold counts
// whole as turnover, and as loss by how much more it is worth than that, in the place of the ceiling of
// the mint. Fees, tips and rent count under the ceiling of SOL as ever.
type Trades struct {
	// Within is how many basis points of its worth a trade may lose, 0 to 1000. One that may lose more is
	// none: it counts under the ceiling of the mint.
	Within int64 `toml:"within"`
	// Turnover and Loss are the most within any time of a length, in millionths of Pricing.Unit.
	Turnover []Limit `toml:"turnover"`
	Loss     []Limit `toml:"loss"`
}

// Trade is a message's trade, with the prices by which it was counted.
type Trade struct {
	Sold   Mint  `json:"sold"`
	Out    int64 `json:"out,string"`
	Bought Mint  `json:"bought"`
	// Least is how much of it comes in at least, if the transaction executes.
	Least  int64     `json:"least,string"`
	At     time.Time `json:"at"`
	Prices []Price   `json:"prices"`
}

// The mints of debits that have another unit, which are turnover and loss in the unit of account, and the
// prefix of a mint that is sold and counts as turnover.
const (
	turnover   = Mint("turnover")
	loss       = Mint("loss")
	tradedMint = "traded:"
)

// counted reports that a debit counts under no ceiling, as another one has it as turnover.
func (d *Debit) counted() bool { return strings.HasPrefix(string(d.Mint), tradedMint) }

// traded reports that a debit is one of those that traded makes.
func (d *Debit) traded() bool { return d.counted() || d.Mint == turnover || d.Mint == loss }

func (c *checker) trades(where string, t *Trades) {
	if t == nil {
		return
	}
	c.that(c.p.Prices != nil, "%s: trades have no prices", where)
	c.that(t.Within >= 0 && t.Within <= 1000, "%s: within is 0 to 1000 basis points, not %d", where, t.Within)
	for name, all := range map[string][]Limit{"turnover": t.Turnover, "loss": t.Loss} {
		c.that(len(all) > 0, "%s: trades have no window of %s", where, name)
		c.limits(where+": "+name, all)
		c.that(!slices.ContainsFunc(all, func(l Limit) bool { return l.Unapproved != nil }),
			"%s: %s: trades need no grant", where, name)
	}
}

// ceilings are all of the owner's, with those of turnover and loss.
func (o *Owner) ceilings() []Ceiling { return append(o.Trades.ceilings(), o.Ceilings...) }

// ceilings are those of turnover and loss.
func (t *Trades) ceilings() []Ceiling {
	if t == nil {
		return nil
	}
	return []Ceiling{
		{Mint: turnover, Transaction: none, Windows: t.Turnover}, {Mint: loss, Transaction: none, Windows: t.Loss},
	}
}

// trade returns the trade that a transaction makes, nil if there is none.
func (m *meter) trade() *Trade {
	t := m.income()
	if t == nil || len(m.report.Exposed) > 0 {
		return nil
	}
	wanted := func(a walletfi.Asset) bool { return a.Mint == string(t.Bought) }
	if !slices.ContainsFunc(m.report.Intent.Receive, wanted) { // of others Unproven says nothing
		return nil
	}
	for mint, x := range m.taken {
		switch {
		case x.amount <= x.cost:
		case t.Sold != "":
			return nil
		default:
			t.Sold = mint
		}
	}
	if t.Sold == "" || t.Sold == t.Bought {
		return nil
	}
	return t
}

// income is the one amount that must come in if the transaction executes, nil if there is none: by the bytes, as
// another one transfers it, or by the floor of the one call of a program.
func (m *meter) income() *Trade {
	all := m.report.Brings
	switch {
	case m.grade == GradeBytes && len(all) == 1 && !m.report.Unproven:
		return &Trade{Bought: Mint(all[0].Mint), Least: most(uint64(all[0].Amount))}
	case m.grade == GradeSimulation && len(all) == 0:
		return m.floor()
	}
	return nil
}

// least has the lower amount of two nodes, nil if they show different trades.
func (t *Trade) least(by *Trade) *Trade {
	if t == nil || by == nil || t.Sold != by.Sold || t.Bought != by.Bought {
		return nil
	}
	both := *t
	both.Least = min(t.Least, by.Least)
	return &both
}

// trades has a message that trades count so, if it may.
func (s *Signer) trades(ctx context.Context, q *request, m *Message) {
	p, t := s.Policy(), m.trade
	_, durable := nonceOf(m.tx) // on which it can land when prices are others
	if t == nil || q.owner.Trades == nil || q.asked != nil || q.asksGrant || q.Grant != "" || durable {
		return
	}
	d := first(m.Debits, func(d Debit) bool { return d.Mint == t.Sold && d.Payee == "" })
	if d.Amount == none {
		return
	}
	t.Out, t.Prices, t.At = d.Amount-d.Cost, s.quotes(ctx, p.Prices, t.Sold, t.Bought), s.time().UTC()
	t.Prices = slices.DeleteFunc(t.Prices, s.outdated(t.At))
	if debits := p.traded(q.owner, t); debits != nil {
		m.Trade, d.Amount = t, d.Cost
		m.Debits = append(m.Debits, debits...)
	}
}

// outdated tells prices that are too old at a time, or now.
func (s *Signer) outdated(at time.Time) func(Price) bool {
	age, now := time.Duration(s.Policy().Prices.Age), walletfi.Now(s.clock) // the signer's time may lag
	return func(x Price) bool { return !x.counts(at, age) || !x.counts(now, age) }
}

// fresh waits if prices of a trade have become too old since it was judged.
func (s *Signer) fresh(m *Message) error {
	if m.Trade != nil && slices.ContainsFunc(m.Trade.Prices, s.outdated(s.time())) {
		return waits(CodeNodes, "the prices of the trade became too old while it was judged")
	}
	return nil
}

// traded are the debits of a trade, nil if it is to count as what leaves of its mint. Turnover and loss are
// rounded up.
func (p *Policy) traded(o *Owner, t *Trade) []Debit {
	if p.Prices == nil || o == nil || o.Trades == nil {
		return nil
	}
	for _, mint := range []Mint{t.Sold, t.Bought} {
		if len(ceiling(o.Ceilings, mint).Windows) == 0 { // which cannot leave
			return nil
		}
	}
	sold, _ := p.Prices.worth(t.Sold, t.Prices, t.At)
	_, bought := p.Prices.worth(t.Bought, t.Prices, t.At)
	if sold == nil || bought == nil || t.Out <= 0 {
		return nil
	}
	out, in := up(times(sold, t.Out)), down(times(bought, t.Least))
	lost := new(big.Int).Sub(out, in)
	if lost.Sign() < 0 {
		lost.SetInt64(0)
	}
	part := new(big.Int).Mul(lost, big.NewInt(basisPoints))
	if !out.IsInt64() || part.Cmp(new(big.Int).Mul(out, big.NewInt(o.Trades.Within))) > 0 {
		return nil
	}
	return []Debit{
		{Mint: tradedMint + t.Sold, Amount: t.Out},
		{Mint: turnover, Amount: out.Int64()}, {Mint: loss, Amount: lost.Int64()},
	}
}

func times(price *big.Rat, amount int64) *big.Rat {
	return new(big.Rat).Mul(price, new(big.Rat).SetInt64(amount))
}

func down(x *big.Rat) *big.Int { return new(big.Int).Quo(x.Num(), x.Denom()) }

func up(x *big.Rat) *big.Int {
	n := new(big.Int).Add(x.Num(), x.Denom())
	return n.Quo(n.Sub(n, big.NewInt(1)), x.Denom())
}

// words is an amount of the unit of account.
func (x *Pricing) words(millionths int64) string {
	if x == nil { // of a policy that ParsePolicy refuses
		return fmt.Sprintf("%d millionths", millionths)
	}
	text := fmt.Sprintf("%d.%06d", millionths/1_000_000, millionths%1_000_000)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + " " + x.Unit
}

// Floor says where an instruction has the least amount that it pays, as its program's documentation has it.
type Floor struct {
	// Least is the place in the data, in bytes from 0, of the least amount that comes in: 8 bytes, little-endian.
	Least int `toml:"least"`
	// To is the position, from 0, among the call's accounts of the token account to which it comes.
	To int `toml:"to"`
}

// floor checks the floor of a pin.
func (c *checker) floor(where string, pin Pin) {
	if pin.Floor == nil {
		return
	}
	c.that(pin.MustBeOurs != nil && slices.Contains(*pin.MustBeOurs, pin.Floor.To),
		"%s: account %d of its floor is not in must_be_ours", where, pin.Floor.To)
	c.that(len(pin.Instructions) > 0, "%s has a floor, and not the instructions that have it", where)
	for _, text := range pin.Instructions {
		c.that(pin.Floor.Least >= hex.DecodedLen(len(text)) && pin.Floor.Least < maxData,
			"%s: the floor at byte %d is within instruction %q, or beyond its data", where, pin.Floor.Least, text)
	}
}

// maxData bounds the place of a floor: no transaction has more bytes.
const maxData = 4096

// floor returns the least that the one call of a program pays, as its pin says. Two calls have no floor: one may take
// what the other has paid.
func (m *meter) floor() *Trade {
	var calls []signing.Instruction
	for _, ins := range m.tx.Instructions() {
		if len(m.policy.pinned(m.report.Service, ins.Program)) > 0 {
			calls = append(calls, ins)
		}
	}
	if len(calls) != 1 {
		return nil
	}
	var found *Trade
	for _, pin := range m.policy.pinned(m.report.Service, calls[0].Program) {
		if !pin.matches(calls[0].Data) || pin.Floor == nil || !m.oursAt(calls[0].Accounts, *pin.MustBeOurs) {
			continue
		}
		t := m.floorOf(pin.Floor, calls[0])
		if t == nil || found != nil && (t.Bought != found.Bought || t.Least != found.Least) {
			return nil
		}
		found = t
	}
	return found
}

// pinned are the pins of a program that a service may call.
func (p *Policy) pinned(service string, program signing.PublicKey) []Pin {
	return slices.DeleteFunc(slices.Clone(p.pinsOf(service)), func(pin Pin) bool { return pin.Program != program })
}

// floorOf reads the least amount, and of which mint it is by the account's derivation.
func (m *meter) floorOf(f *Floor, call signing.Instruction) *Trade {
	if len(call.Data) < f.Least+8 || m.policy.Prices == nil {
		return nil
	}
	to := m.accounts[call.Accounts[f.To]]
	for _, priced := range m.policy.Prices.Mints {
		mint := signing.MustPublicKey(string(priced.Mint))
		for _, program := range []signing.PublicKey{signing.TokenProgram, signing.Token2022Program} {
			if to == signing.AssociatedTokenAddress(m.owner.Key, mint, program) {
				return &Trade{Bought: priced.Mint, Least: most(binary.LittleEndian.Uint64(call.Data[f.Least:]))}
			}
		}
	}
	return nil
}
