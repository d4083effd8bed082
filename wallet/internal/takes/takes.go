// Package takes reads out of the guard's report how much a transaction takes of its owner's at worst.
package takes

import (
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/spendwindow"
	"github.com/walletfi/walletfi-go/signing"
)

// Take is how much leaves of a mint.
type Take struct {
	Mint   string
	Amount walletfi.Amount
	// Cost is the part that counts of a transaction that failed, too: fees, tips and rent.
	Cost walletfi.Amount
}

// List has each mint once.
type List []Take

// Add adds an amount of a mint. A sum past 64 bits stays at the most.
func (l *List) Add(mint string, amount walletfi.Amount, cost bool) {
	if amount == 0 {
		return
	}
	i := slices.IndexFunc(*l, func(t Take) bool { return t.Mint == mint })
	if i < 0 {
		i, *l = len(*l), append(*l, Take{Mint: mint})
	}
	t := &(*l)[i]
	t.Amount = plus(t.Amount, amount)
	if cost {
		t.Cost = plus(t.Cost, amount)
	}
}

// And adds all of another list.
func (l *List) And(other List) {
	for _, t := range other {
		l.Add(t.Mint, t.Amount-t.Cost, false)
		l.Add(t.Mint, t.Cost, true)
	}
}

// Of is how much it takes of a mint.
func (l List) Of(mint string) Take {
	for _, t := range l {
		if t.Mint == mint {
			return t
		}
	}
	return Take{Mint: mint}
}

func plus(a, b walletfi.Amount) walletfi.Amount {
	return walletfi.Amount(spendwindow.Add(uint64(a), uint64(b)))
}

func minus(a, b walletfi.Amount) walletfi.Amount { return a - min(a, b) }

// costs are paid whether the rest of a transaction is or not.
var costs = []signing.Counts{signing.CountsAsTip, signing.CountsAsRent, signing.CountsAsForeignRent}

// Shown lists how much transaction i is shown to take: by its bytes and, as far as it was simulated, by what it
// calls. What comes back does not make up for it.
func Shown(r *signing.Report, i int) (all List) {
	for _, m := range r.Leaves {
		if m.Transaction == i {
			all.Add(m.Mint.String(), m.Amount, slices.Contains(costs, m.CountsAs))
		}
	}
	if tx := &r.Transactions[i]; tx.FeePayer == r.Owner {
		all.Add(walletfi.NativeMint, plus(tx.BaseFeeLamports, tx.PriorityLamports), true)
	}
	return all
}

// AtWorst lists how much transaction i takes at worst: what it is shown to take and, if it calls a pinned program that
// can take something, all that the guard lets that take in addition.
func AtWorst(r *signing.Report, i int) List {
	all := Shown(r, i)
	if reaches(r, i) {
		for _, b := range allowed(r, i, simulated(r, i), nil) {
			if !b.rent() || !told(r, i) {
				all.Add(b.mint, b.most, b.cost())
			}
		}
	}
	return all
}

// Step is AtWorst of transaction i of a set that is signed step by step, and what those after it can take in addition.
// Those before it have taken so much, costs apart: the guard's bounds hold over the set.
func Step(r *signing.Report, i int, taken List) (now, rest List) {
	now = Shown(r, i)
	later := false
	for n := range r.Transactions[i+1:] {
		rest.And(Shown(r, i+1+n))
		later = later || reaches(r, i+1+n)
	}
	for _, b := range allowed(r, i, true, taken) {
		switch {
		case reaches(r, i) && (!b.rent() || !told(r, i)):
			now.Add(b.mint, b.most, b.cost())
		case later:
			rest.Add(b.mint, b.most, b.cost())
		}
	}
	return now, rest
}

// Executed lists how much the executed transactions of a set have taken, costs apart as far as the bytes show them.
func Executed(r *signing.Report) (taken List) {
	for _, a := range r.Left {
		for i := range r.Transactions {
			if executed(r, i) {
				a.Amount = minus(a.Amount, Shown(r, i).Of(a.Mint).Cost)
			}
		}
		taken.Add(a.Mint, a.Amount, false)
	}
	return taken
}

// Exact lists how much an executed transaction has taken: what it was shown to take, and no less than by how much the
// loss of its set has grown by it. What arrives of a mint can hide what leaves of it.
func Exact(shown List, before, after []walletfi.Asset) List {
	all := append(List{}, shown...)
	for _, a := range after {
		for _, b := range before {
			if b.Mint == a.Mint {
				a.Amount = minus(a.Amount, b.Amount)
			}
		}
		all.Add(a.Mint, minus(a.Amount, shown.Of(a.Mint).Amount), false)
	}
	return all
}

// reaches reports a transaction that calls a pinned program which could take something.
func reaches(r *signing.Report, i int) bool {
	return slices.ContainsFunc(r.Reaches, func(c signing.Reach) bool {
		some := len(c.Ours)+len(c.Positions)+c.Unknown+c.Unshown > 0
		return c.Transaction == i && (some || !c.Unsigned)
	})
}

func executed(r *signing.Report, i int) bool {
	return r.Transactions[i].JudgedBy == signing.ByExecution
}

// simulated reports a transaction of which a simulation shows what becomes of the accounts.
func simulated(r *signing.Report, i int) bool {
	blind := slices.ContainsFunc(r.Blind, func(b signing.Blind) bool { return b.Transaction == i })
	return r.Transactions[i].JudgedBy == signing.BySimulation && !blind
}

// told reports one of which it shows each transfer, too. Its rent is then what is shown.
func told(r *signing.Report, i int) bool { return simulated(r, i) && !r.Untold }
