package signer

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
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

// ceilings are those of turnover and loss.
func (t *Trades) ceilings() []Ceiling {
	if t == nil {
		return nil
	}
	return []Ceiling{
		{Mint: turnover, Transaction: none, Windows: t.Turnover}, {Mint: loss, Transaction: none, Windows: t.Loss},
	}
}

// trade returns the trade that the bytes prove, nil if they prove none.
func (m *meter) trade() *Trade {
	brings := m.report.Brings
	if m.grade != GradeBytes || m.report.Unproven || len(brings) != 1 {
		return nil
	}
	wanted := func(a walletfi.Asset) bool { return a.Mint == brings[0].Mint }
	if !slices.ContainsFunc(m.report.Intent.Receive, wanted) { // of others Unproven says nothing
		return nil
	}
	t := &Trade{Bought: Mint(brings[0].Mint), Least: most(uint64(brings[0].Amount))}
	for mint, x := range m.taken {
		switch {
		case x.amount <= x.cost:
		case t.Sold != "":
			return nil
		default:
			t.Sold = mint
		}
	}
	if t.Sold == "" || t.Sold == t.Bought || len(m.report.Exposed) > 0 {
		return nil
	}
	return t
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
	t.Prices = slices.DeleteFunc(t.Prices, func(x Price) bool { return !x.counts(t.At, time.Duration(p.Prices.Age)) })
	if debits := p.traded(q.owner, t); debits != nil {
		m.Trade, d.Amount = t, d.Cost
		m.Debits = append(m.Debits, debits...)
	}
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
		{Mint: tradedMint + t.Sold, Amount: t.Out}, {Mint: turnover, Amount: out.Int64()}, {Mint: loss, Amount: lost.Int64()},
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
