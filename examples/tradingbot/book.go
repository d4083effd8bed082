package main

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"time"

	"github.com/walletfi/walletfi-go"
)

// balances are what a wallet holds, to the smallest unit.
type balances struct {
	Lamports walletfi.Amount            `json:"lamports"`
	Tokens   map[string]walletfi.Amount `json:"tokens"` // by mint, no zeros
}

// position is the bot's holding of an instrument.
type position struct {
	Units  walletfi.Amount // smallest units of the instrument
	Cost   walletfi.Amount // paid for these, smallest units of USDC
	Opened time.Time
}

// paid is the mean price that was paid for a whole token, in USDC.
func (p *position) paid(i instrument) float64 {
	if p.Units == 0 {
		return 0
	}
	return float64(p.Cost) / 1e6 / (float64(p.Units) / math.Pow10(i.Decimals))
}

// fill is an order that traded, for reports and charts.
type fill struct {
	Order    order
	At       time.Time
	Given    walletfi.Amount
	Received walletfi.Amount
}

// book says what the bot owns and what became of its orders. It changes by events
// alone, so that the same events give the same book: see log.
type book struct {
	usdc      string // mint
	known     map[string]instrument
	opening   balances // at the start
	holds     balances
	positions map[string]*position
	pending   map[string]order // by key, written down and not settled
	settled   map[string]bool
	realised  map[string]int64 // by instrument, smallest units of USDC
	fees      walletfi.Amount  // lamports, as rents and tips
	tips      walletfi.Amount
	rents     int64
	fills     []fill
	outcomes  map[outcome]int
	unsure    map[string]outcome // by key: intents that were in doubt, empty until they are settled
}

func newBook(usdc string, instruments []instrument) *book {
	b := &book{
		usdc: usdc, known: map[string]instrument{}, positions: map[string]*position{}, pending: map[string]order{},
		settled: map[string]bool{}, realised: map[string]int64{}, outcomes: map[outcome]int{}, unsure: map[string]outcome{},
	}
	for _, i := range instruments {
		b.known[i.Name] = i
	}
	return b
}

// start sets what the wallet held when the bot first saw it.
func (b *book) start(found balances) {
	b.opening = found
	b.holds = balances{found.Lamports, maps.Clone(found.Tokens)}
	if b.holds.Tokens == nil {
		b.holds.Tokens = map[string]walletfi.Amount{}
	}
}

// settle books what an order changed. An order is settled once.
func (b *book) settle(s settlement) error {
	o, ok := b.pending[s.Key]
	if !ok {
		return fmt.Errorf("order %s is not open", s.Key)
	}
	var lamports, fees int64
	tokens := map[string]int64{}
	for _, c := range s.Changes {
		if err := b.holds.apply(c); err != nil {
			return fmt.Errorf("order %s, transaction %s: %w", s.Key, c.Signature, err)
		}
		lamports += c.Lamports
		fees += int64(c.Fee)
		for mint, n := range c.Tokens {
			tokens[mint] += n
		}
	}
	delete(b.pending, s.Key)
	b.settled[s.Key] = true
	b.outcomes[s.Outcome]++
	if _, ok := b.unsure[s.Key]; ok {
		b.unsure[s.Key] = s.Outcome
	}
	b.fees += walletfi.Amount(fees)
	rest := lamports + fees // what is neither the fee
	if len(s.Changes) > 0 && s.Outcome != failed {
		b.tips += o.Tip
		rest += int64(o.Tip) // nor the tip
	}
	i := b.known[o.Instrument]
	if !i.isSOL() || !s.Outcome.executed() {
		b.rents -= rest
	}
	if !s.Outcome.executed() || o.Side == prepare {
		return nil
	}
	units := tokens[i.Mint]
	if i.isSOL() {
		units = rest
	}
	return b.trade(o, s.At, units, tokens[b.usdc])
}

// trade moves a position by units, for that much USDC.
func (b *book) trade(o order, at time.Time, units, usdc int64) error {
	p := b.positions[o.Instrument]
	switch {
	case o.Side == buy && units > 0 && usdc < 0:
		if p == nil {
			p = &position{Opened: at}
			b.positions[o.Instrument] = p
		}
		p.Units, p.Cost = p.Units+walletfi.Amount(units), p.Cost+walletfi.Amount(-usdc)
		b.fills = append(b.fills, fill{o, at, walletfi.Amount(-usdc), walletfi.Amount(units)})
	case o.Side == sell && units < 0 && usdc > 0 && p != nil && walletfi.Amount(-units) <= p.Units:
		cost := share(p.Cost, walletfi.Amount(-units), p.Units)
		b.realised[o.Instrument] += usdc - int64(cost)
		p.Units, p.Cost = p.Units-walletfi.Amount(-units), p.Cost-cost
		if p.Units == 0 {
			delete(b.positions, o.Instrument)
		}
		b.fills = append(b.fills, fill{o, at, walletfi.Amount(-units), walletfi.Amount(usdc)})
	default:
		return fmt.Errorf("order %s to %s moved %d units for %d USDC units", o.Key, o.Side, units, usdc)
	}
	return nil
}

// apply adds a change. No balance can fall below 0 or leave the range.
func (h *balances) apply(c change) error {
	lamports, err := plus(h.Lamports, c.Lamports)
	if err != nil {
		return fmt.Errorf("lamports: %w", err)
	}
	tokens := maps.Clone(h.Tokens)
	for mint, n := range c.Tokens {
		if tokens[mint], err = plus(tokens[mint], n); err != nil {
			return fmt.Errorf("mint %s: %w", mint, err)
		}
		if tokens[mint] == 0 {
			delete(tokens, mint)
		}
	}
	h.Lamports, h.Tokens = lamports, tokens
	return nil
}

func plus(a walletfi.Amount, n int64) (walletfi.Amount, error) {
	sum := new(big.Int).SetUint64(uint64(a))
	if sum.Add(sum, big.NewInt(n)); !sum.IsUint64() {
		return 0, errors.New("the balance leaves its range")
	}
	return walletfi.Amount(sum.Uint64()), nil
}

// share is part of a whole of amount, rounded down.
func share(amount, part, whole walletfi.Amount) walletfi.Amount {
	n := new(big.Int).SetUint64(uint64(amount))
	n.Mul(n, new(big.Int).SetUint64(uint64(part)))
	return walletfi.Amount(n.Quo(n, new(big.Int).SetUint64(uint64(whole))).Uint64())
}
