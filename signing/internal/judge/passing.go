package judge

import (
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

// passing takes out of the newest transaction's amounts what only passes through the
// owner's accounts: of a route in parts, each part spends what arrived by the one before.
// Of such an asset a simulated call's transfers, out of accounts whose states are shown,
// count as far as our accounts have lost it over the set and nothing else that was counted
// explains the loss.
//
// Only an exchange has such parts, and never of an asset that it spends or that should
// arrive. What a program pays out of an account that it closes, rent above all, was owed
// before, and passes nothing.
func (l *ledger) passing() {
	first := l.begins[len(l.begins)-1]
	var done []Key
	for i := first; i < len(l.items); i++ {
		mint := l.items[i].Mint
		if !l.mayPass(i) || slices.Contains(done, mint) {
			continue
		}
		done = append(done, mint)
		l.pass(mint, first, l.unexplained(mint, first))
	}
	kept := first
	for i := first; i < len(l.items); i++ {
		l.findings.Leaves[l.sources[i].movement].Amount = l.items[i].Amount
		if l.items[i].Amount > 0 {
			l.items[kept], l.sources[kept] = l.items[i], l.sources[i]
			kept++
		}
	}
	l.items, l.sources = l.items[:kept], l.sources[:kept]
}

// pass leaves, of the transfers of an asset from item first on, what counts.
func (l *ledger) pass(mint Key, first int, counts uint64) {
	for i := first; i < len(l.items); i++ {
		if item := &l.items[i]; item.Mint == mint && l.mayPass(i) {
			item.Amount = min(item.Amount, counts)
			counts -= item.Amount
		}
	}
}

// mayPass reports a simulated call's transfer of an asset that an exchange can pass through.
func (l *ledger) mayPass(i int) bool {
	w, from, mint := l.want, &l.sources[i], l.items[i].Mint
	named := func(limits []caps.Limit) bool { return caps.Most(limits, mint) > 0 }
	return from.Simulated && from.shown && (from.rule == rule.TokenTransfer || from.rule == rule.SystemTransfer) &&
		len(w.caps.Spend) > 0 && len(w.receive) > 0 && !named(w.caps.Spend) && !named(w.caps.Burn) && !named(w.receive)
}

// unexplained is the loss of an asset over the set so far, without the fees and without the
// amounts other than the transfers from item first on.
func (l *ledger) unexplained(mint Key, first int) uint64 {
	ch := l.changed(mint)
	in := ch.in
	if mint == program.NativeMint {
		in = in.Plus(l.findings.NetworkFee())
	}
	for i := range l.items {
		counted := l.items[i].Mint == mint && (i < first || !l.mayPass(i))
		if counted && l.sources[i].rule != rule.TokenApprove && !l.inOurs(i) {
			in = in.Plus(l.items[i].Amount)
		}
	}
	out := ch.out.Plus(l.owed(mint))
	for i := range l.lifts {
		if l.lifts[i].mint == mint {
			out = out.Plus(l.lifts[i].amount)
		}
	}
	return out.Over(in)
}

// lift is what a transaction took by our signature out of an account that is not counted among
// ours, a key's or one that we are a delegate of, and moved to one that is.
type lift struct {
	transaction   int
	account, mint Key
	amount        uint64
}

// lift notes that a transfer of ours moves an asset from an account to one of ours.
func (c *checker) lift(from *Key, mint Key) {
	if from == nil || c.seen == nil || slices.ContainsFunc(c.ledger.lifts, func(l lift) bool {
		return l.transaction == c.index && l.account == *from
	}) {
		return
	}
	i := slices.Index(c.seen.accounts, *from)
	if i < 0 || *from == c.want.owner || c.listed(*from) != nil {
		return
	}
	had, has := c.seen.before[i].Lamports, c.seen.after[i].Lamports
	if was, ok := program.ReadTokenState(c.seen.before[i]); ok && c.holds(*from, was) {
		return
	} else if ok {
		is, _ := program.ReadTokenState(c.seen.after[i])
		had, has = was.Amount, is.Amount
	}
	c.ledger.lifts = append(c.ledger.lifts, lift{c.index, *from, program.Asset(mint), had - min(had, has)})
}

// owed adds up what closed accounts of others have paid out.
func (l *ledger) owed(mint Key) uint64 {
	if mint == program.NativeMint {
		return l.released
	}
	return 0
}

// inOurs reports rent of an account that is ours, or that was not paid for.
func (l *ledger) inOurs(i int) bool {
	to := l.sources[i].to
	return l.items[i].May&(caps.Rent|caps.ForeignRent) != 0 && to != nil && slices.Contains(l.unpaid, *to)
}

// freed is how many lamports of an account a transaction set free: those that exempted the
// space that it has no longer, or all of them if it is gone.
func freed(before, after program.State) uint64 {
	if after.Lamports == 0 {
		return before.Lamports
	}
	return exempted(after, before)
}
