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
	moves := from.rule == rule.TokenTransfer || from.rule == rule.SystemTransfer || from.rule == rule.TokenApprove
	return from.Simulated && from.shown && moves &&
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
		if counted && l.sources[i].rule != rule.TokenApprove && l.cost(i, l.items[i].May) > 0 {
			in = in.Plus(l.items[i].Amount)
		}
	}
	return ch.out.Plus(l.owed(mint)).Over(in)
}

// pocket counts what left an account that a key of ours holds, which is not among ours: what moves from there
// to the owner does not arrive, and does not pass on.
func (l *ledger) pocket(c *checker, account Key, before, after program.State) {
	was, isToken := program.ReadTokenState(before)
	switch {
	case c.listed(account) != nil:
	case isToken && was.Owner != c.want.owner && c.signs(&was.Owner):
		is, _ := program.ReadTokenState(after)
		l.lost(program.Asset(was.Mint), was.Amount, is.Amount)
	case !isToken && account != c.want.owner && c.signs(&account):
		left := after.Lamports
		if t := &c.findings.Transactions[c.index]; t.FeePayer == account {
			left = caps.Add(left, caps.Add(t.BaseFee, t.Priority))
		}
		l.lost(program.NativeMint, before.Lamports, left)
	}
}

func (l *ledger) lost(mint Key, had, has uint64) {
	ch := l.changed(mint)
	ch.out = ch.out.Plus(had - min(had, has))
}

// lift counts what a transfer of ours moves to us from an account of another's, who let us take it: as a key's.
func (c *checker) lift(from *Key) {
	if from == nil || c.seen == nil || slices.Contains(c.lifted, *from) {
		return
	}
	i := slices.Index(c.seen.accounts, *from)
	if i < 0 || c.listed(*from) != nil {
		return
	}
	was, ok := program.ReadTokenState(c.seen.before[i])
	if !ok || c.signs(&was.Owner) {
		return
	}
	c.lifted = append(c.lifted, *from)
	is, _ := program.ReadTokenState(c.seen.after[i])
	c.ledger.lost(program.Asset(was.Mint), was.Amount, is.Amount)
}

// shows reports an account that an outcome shows, and that nobody but the owner held before.
func (c *checker) shows(k *Key) bool {
	if k == nil || c.seen == nil {
		return false
	}
	i := slices.Index(c.seen.accounts, *k)
	if i < 0 {
		return false
	}
	if was, ok := program.ReadTokenState(c.seen.before[i]); ok {
		return c.holds(*k, was)
	}
	return *k == c.want.owner || !c.signs(k) || c.listed(*k) != nil
}

// owed adds up what closed accounts of others have paid out.
func (l *ledger) owed(mint Key) uint64 {
	if mint == program.NativeMint {
		return l.released
	}
	return 0
}

// freed is how many lamports of an account a transaction set free: those that exempted the
// space that it has no longer, or all of them if it is gone.
func freed(before, after program.State) uint64 {
	if after.Lamports == 0 {
		return before.Lamports
	}
	return exempted(after, before)
}
