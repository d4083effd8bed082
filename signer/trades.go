package signer

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/onchaindata"
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

// Prices is a source of prices of the signer's own: what clients say of prices counts for nothing.
type Prices interface {
	// Source is the name by which a policy lists it.
	Source() string
	// Prices returns what tokens are worth in a unit, such as "USD", by their mints, base58. A token that
	// it has no price of is absent.
	Prices(ctx context.Context, unit string, mints []string) ([]Price, error)
}

// Price is the worth of one whole token.
type Price struct {
	// Source is the source's name. The signer sets it.
	Source string           `json:"source"`
	Mint   string           `json:"mint"` // base58
	Value  walletfi.Decimal `json:"value"`
	// At is the time of the price. Zero means when the source was asked.
	At time.Time `json:"at"`
}

// Pricing says by which prices trades count: see Trades.
type Pricing struct {
	// Unit names the unit of the prices, such as "USD". Amounts of turnover and loss are in millionths of it.
	Unit string `toml:"unit"`
	// Sources are those of Config.Prices that count. If there are several, at least two must have a
	// price of a mint.
	Sources []string `toml:"sources"`
	// Age is how old a price may be, 1s to 1h.
	Age Duration `toml:"age"`
	// Agree is by how many basis points of the highest price the lowest one may be below it, 0 to 1000.
	Agree int64 `toml:"agree"`
	// Mints are those that may be traded, with the decimals of each.
	Mints []Priced `toml:"mint"`
}

// Priced is a mint that may be traded.
type Priced struct {
	Mint Mint `toml:"mint"`
	// Decimals are those of the mint. The signer asks no one for them.
	Decimals int `toml:"decimals"`
}

// The bounds of prices.
const (
	priceTimeout = 3 * time.Second
	longestPrice = 100 // digits
	maxDecimals  = 18
)

func (c *checker) pricing(x *Pricing) {
	if x == nil {
		return
	}
	c.that(x.Unit != "", "prices: the unit has no name")
	unique(c, "source of prices", x.Sources, func(name string) string { return name })
	c.that(len(x.Sources) > 0, "prices have no source")
	age := time.Duration(x.Age)
	c.that(age >= time.Second && age <= time.Hour, "prices: age is %v, of 1s to 1h", x.Age)
	c.that(x.Agree >= 0 && x.Agree <= 1000, "prices: agree is 0 to 1000 basis points, not %d", x.Agree)
	unique(c, "mint with a price", x.Mints, func(m Priced) string { return string(m.Mint) })
	for _, m := range x.Mints {
		c.that(m.Decimals >= 0 && m.Decimals <= maxDecimals, "prices: %s has %d decimals", m.Mint, m.Decimals)
	}
}

// worth returns the highest and the lowest price of a mint's smallest unit that count at a time, in millionths
// of the unit of account, nil if the sources have none, or do not agree.
func (x *Pricing) worth(mint Mint, quotes []Price, at time.Time) (high, low *big.Rat) {
	listed := first(x.Mints, func(m Priced) bool { return m.Mint == mint })
	if listed == nil {
		return nil, nil
	}
	seen := map[string]bool{}
	for _, q := range quotes {
		if q.Mint != string(mint) || !slices.Contains(x.Sources, q.Source) || !q.counts(at, time.Duration(x.Age)) {
			continue
		}
		if seen[q.Source] { // of two prices of one source neither is more true
			return nil, nil
		}
		seen[q.Source] = true
		if price := q.Value.Rat(); high == nil {
			high, low = price, price
		} else if price.Cmp(high) > 0 {
			high = price
		} else if price.Cmp(low) < 0 {
			low = price
		}
	}
	if high == nil || len(seen) < min(2, len(x.Sources)) {
		return nil, nil
	}
	least := new(big.Rat).Mul(high, big.NewRat(basisPoints-x.Agree, basisPoints))
	if low.Cmp(least) < 0 {
		return nil, nil
	}
	unit := new(big.Rat).SetFrac(big.NewInt(1_000_000), power(listed.Decimals))
	return new(big.Rat).Mul(high, unit), new(big.Rat).Mul(low, unit)
}

// basisPoints are the whole.
const basisPoints = 10_000

func power(of int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(of)), nil) }

// counts reports that the price is above zero, and not further from a time than an age: the signer's time lags.
func (q *Price) counts(at time.Time, age time.Duration) bool {
	return len(q.Value.Plain()) <= longestPrice && q.Value.Valid() && q.Value.Sign() > 0 && at.Sub(q.At).Abs() <= age
}

// asked has what a source said last.
type askedPrices struct {
	Prices
	mu     sync.Mutex
	at     time.Time // when it was asked
	quotes []Price
}

// quotes returns what the policy's sources say of two mints. Each is asked for all of the policy's mints, and
// not again within a quarter of the age that a price may have.
func (s *Signer) quotes(ctx context.Context, x *Pricing, mints ...Mint) (all []Price) {
	var wait sync.WaitGroup
	for _, source := range s.prices {
		wait.Go(func() { source.ask(ctx, s.clock, x) })
	}
	wait.Wait()
	for _, source := range s.prices {
		source.mu.Lock()
		for _, q := range source.quotes {
			if slices.Contains(mints, Mint(q.Mint)) {
				all = append(all, q)
			}
		}
		source.mu.Unlock()
	}
	return all
}

func (a *askedPrices) ask(ctx context.Context, clock walletfi.Clock, x *Pricing) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := walletfi.Now(clock)
	if since := now.Sub(a.at); !a.at.IsZero() && since >= 0 && since < time.Duration(x.Age)/4 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), priceTimeout) // others wait for it too
	defer cancel()
	var mints []string
	for _, m := range x.Mints {
		mints = append(mints, string(m.Mint))
	}
	prices, err := a.Prices.Prices(ctx, x.Unit, mints)
	if a.at = now; err != nil {
		return // the last ones count until they are too old
	}
	a.quotes = nil
	for _, price := range prices {
		if len(a.quotes) < 2*len(mints) {
			if price.Source = a.Source(); price.At.IsZero() {
				price.At = now
			}
			a.quotes = append(a.quotes, price)
		}
	}
}

// sources takes in the sources that the policy names. Each must be there.
func (s *Signer) sources(cfg Config) error {
	if cfg.Policy.Prices == nil {
		return nil
	}
	for _, name := range cfg.Policy.Prices.Sources {
		named := func(p Prices) bool { return p.Source() == name }
		i := slices.IndexFunc(cfg.Prices, named)
		if i < 0 {
			return fmt.Errorf("signer: the policy has prices of %q, which is not among the sources", name)
		}
		if slices.ContainsFunc(cfg.Prices[i+1:], named) {
			return fmt.Errorf("signer: two sources of prices have the name %q", name)
		}
		s.prices = append(s.prices, &askedPrices{Prices: cfg.Prices[i]})
	}
	return nil
}

// PricesOf is the source "onchaindata": the prices in USD of a client's network, such as "solana". A price
// is as old as the token's last trade, if the service says when that was.
func PricesOf(client *onchaindata.Client, network string) Prices { return dataPrices{client, network} }

type dataPrices struct {
	client  *onchaindata.Client
	network string
}

func (dataPrices) Source() string { return "onchaindata" }

func (d dataPrices) Prices(ctx context.Context, unit string, mints []string) (all []Price, err error) {
	if unit != "USD" {
		return nil, fmt.Errorf("signer: onchaindata has prices in USD, not in %q", unit)
	}
	got, err := d.client.GetTokenPrices(ctx, d.network, mints, onchaindata.TokenPricesRequest{})
	if err != nil {
		return nil, err
	}
	for _, mint := range mints {
		if price, ok := got.For(mint); ok {
			all = append(all, Price{Mint: mint, Value: price.PriceUSD, At: price.LastTradeAt.Time})
		}
	}
	return all, nil
}
