package signer_test

import (
	"math/big"
	"time"
)

// The model of turnover and loss, written from the documentation alone. It computes in fractions, keeps
// every debit for ever, and adds up at each moment all that counts then.

// A modelWindow allows a sum within any length of time.
type modelWindow struct {
	length time.Duration
	most   uint64
}

// A modelPolicy has the part of a policy that the model knows.
type modelPolicy struct {
	within   uint64 // basis points that a floor may be below the price
	agree    uint64 // basis points between two sources
	sources  int    // that the policy names
	age      time.Duration
	mints    map[string]bool // that may be traded
	ceilings map[string][]modelWindow
}

// A modelQuote is the worth of one smallest unit in millionths of the unit of account.
type modelQuote struct {
	mint string
	each *big.Rat
	at   time.Time
}

// A modelTrade is one transaction that sells an amount, and what it buys at least.
type modelTrade struct {
	sold, bought string
	out, floor   uint64
	fee          uint64
	ours         bool // the income goes to an account of the policy's owners
	proven       bool // of the floor
}

// A modelDebit counts from when it was signed until an hour and so on after it landed.
type modelDebit struct {
	window string
	amount *big.Int
	fee    bool
	open   bool
	dead   bool // it can land no more, which the signer may not know yet
	landed time.Time
}

type model struct {
	policy modelPolicy
	debits []*modelDebit
}

// price returns the highest and the lowest of the sources' prices, or false if none may be believed.
func (m *model) price(mint string, quotes []modelQuote, now time.Time) (high, low *big.Rat, ok bool) {
	var fresh int
	for _, q := range quotes {
		if q.mint != mint || q.each == nil || q.each.Sign() <= 0 {
			continue
		}
		if now.Sub(q.at) > m.policy.age || q.at.After(now.Add(m.policy.age)) {
			continue
		}
		fresh++
		if high == nil || q.each.Cmp(high) > 0 {
			high = q.each
		}
		if low == nil || q.each.Cmp(low) < 0 {
			low = q.each
		}
	}
	if fresh < min(m.policy.sources, 2) || fresh == 0 {
		return nil, nil, false
	}
	least := new(big.Rat).Mul(high, big.NewRat(int64(10_000-m.policy.agree), 10_000))
	return high, low, low.Cmp(least) >= 0
}

// worth returns the trade's debits by window.
func (m *model) worth(t modelTrade, quotes []modelQuote, now time.Time) map[string]*big.Int {
	ordinary := map[string]*big.Int{}
	add := func(window string, amount *big.Int) {
		if ordinary[window] == nil {
			ordinary[window] = new(big.Int)
		}
		ordinary[window].Add(ordinary[window], amount)
	}
	soldHigh, _, soldOK := m.price(t.sold, quotes, now)
	_, boughtLow, boughtOK := m.price(t.bought, quotes, now)
	listed := m.policy.mints[t.sold] && m.policy.mints[t.bought] &&
		len(m.policy.ceilings[t.sold]) > 0 && len(m.policy.ceilings[t.bought]) > 0
	if listed && soldOK && boughtOK && t.ours && t.proven && t.sold != t.bought {
		out := ceil(new(big.Rat).Mul(soldHigh, whole(t.out)))
		in := floor(new(big.Rat).Mul(boughtLow, whole(t.floor)))
		loss := new(big.Int).Sub(out, in)
		if loss.Sign() < 0 {
			loss.SetInt64(0)
		}
		scaled := new(big.Int).Mul(loss, big.NewInt(10_000))
		if scaled.Cmp(new(big.Int).Mul(out, new(big.Int).SetUint64(m.policy.within))) <= 0 {
			add("turnover", out)
			add("loss", loss)
			return ordinary
		}
	}
	add(t.sold, new(big.Int).SetUint64(t.out))
	return ordinary
}

// sum returns what counts in a window of a length at a moment, at the most with what is dead.
func (m *model) sum(window string, length time.Duration, now time.Time, most bool) *big.Int {
	sum := new(big.Int)
	for _, d := range m.debits {
		if d.window == window && (!d.dead || most) && (d.open || now.Sub(d.landed) < length) {
			sum.Add(sum, d.amount)
		}
	}
	return sum
}

// fits reports whether the amounts fit into every window, at a length that the windows' steps may add to.
func (m *model) fits(amounts map[string]*big.Int, now time.Time, slack time.Duration) bool {
	for window, amount := range amounts {
		if amount.Sign() == 0 {
			continue
		}
		if len(m.policy.ceilings[window]) == 0 {
			return false
		}
		for _, w := range m.policy.ceilings[window] {
			sum := m.sum(window, w.length+slack, now, slack > 0)
			if sum.Add(sum, amount).Cmp(new(big.Int).SetUint64(w.most)) > 0 {
				return false
			}
		}
	}
	return true
}

func whole(n uint64) *big.Rat { return new(big.Rat).SetInt(new(big.Int).SetUint64(n)) }

func floor(r *big.Rat) *big.Int { return new(big.Int).Quo(r.Num(), r.Denom()) }

func ceil(r *big.Rat) *big.Int {
	up := new(big.Int).Add(r.Num(), new(big.Int).Sub(r.Denom(), big.NewInt(1)))
	return up.Quo(up, r.Denom())
}
