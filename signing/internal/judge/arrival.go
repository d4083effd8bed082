package judge

import (
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

// arrivals holds the amounts that arrive by the bytes of a set.
type arrivals struct {
	amounts []caps.Limit // by transfers to ours, and what arrived by the executed transactions
	calls   []Key        // expected mints that a call of a pinned program may deliver
	less    []Key        // mints of which a fee may be withheld
	to      []arrival    // those by transfers of transactions that are not executed
}

// arrival is an amount that transfers move to an account of ours between two calls of pinned programs.
type arrival struct {
	reached int // the calls before
	account Key
	caps.Limit
}

// arrives adds a transfer of others' value to an account of ours. A recipient that
// only a lookup table names is not ours.
func (c *checker) arrives(o *operation, to, mint Key, amount uint64) {
	if o.simulated || c.executed() {
		return
	}
	a, calls, mint := &c.ledger.arrivals, len(c.findings.Reaches), program.Asset(mint)
	a.add(mint, amount)
	i := slices.IndexFunc(a.to, func(has arrival) bool {
		return has.reached == calls && has.account == to && has.Mint == mint
	})
	if i < 0 {
		a.to = append(a.to, arrival{calls, to, caps.Limit{Mint: mint, Most: amount}})
		return
	}
	a.to[i].Most = caps.Add(a.to[i].Most, amount)
}

// exposed is how much of what arrives of each mint a pinned program could take again.
func (f *Findings) exposed(a *arrivals) []caps.Limit {
	var exposed arrivals
	for i := range a.to {
		to := &a.to[i]
		if slices.ContainsFunc(f.Reaches[to.reached:], func(r Reach) bool {
			return r.Signed && r.Unknown+r.Unshown > 0 || slices.Contains(f.Ours(&r), to.account)
		}) {
			exposed.add(to.Mint, to.Most)
		}
	}
	return exposed.amounts
}

func (a *arrivals) add(mint Key, amount uint64) {
	if i := slices.IndexFunc(a.amounts, func(l caps.Limit) bool { return l.Mint == mint }); i >= 0 {
		a.amounts[i].Most = caps.Add(a.amounts[i].Most, amount)
		return
	}
	a.amounts = append(a.amounts, caps.Limit{Mint: mint, Most: amount})
}

// mayDeliver notes which of the expected mints a call of a pinned program may deliver.
func (c *checker) mayBring(o *operation) {
	if c.executed() {
		return
	}
	a := &c.ledger.arrivals
	for _, expected := range c.want.receive {
		if !slices.Contains(a.calls, expected.Mint) && c.fills(o, expected.Mint) {
			a.calls = append(a.calls, expected.Mint)
		}
	}
}

// fills reports whether a call may write an account of ours that can hold an asset,
// or an account that is unknown.
func (c *checker) fills(o *operation, asset Key) bool {
	for i := range o.Count() {
		if k := o.At(i); o.Writes(i) && (k == nil || c.canHold(o, k, asset)) {
			return true
		}
	}
	return false
}

// canHold reports whether k is an account of ours in which an asset may arrive.
func (c *checker) canHold(o *operation, k *Key, asset Key) bool {
	if asset == program.NativeMint && c.keeps(k, o) {
		return true
	}
	if !c.ours(k, o) {
		return false
	}
	if l := c.listed(*k); l != nil {
		return l.Mint.IsZero() || program.Asset(l.Mint) == asset
	}
	if init := c.madeHere(o.facts(), k, o.order); init != nil {
		return init.mint == nil || program.Asset(*init.mint) == asset
	}
	d := c.associated(k)
	return d != nil && program.Asset(d.mint) == asset
}

// expected refuses a set of which no part can deliver what the intent expects,
// and notes whether the bytes prove that it arrives.
func (l *ledger) expected(o *operation) *rule.Refusal {
	a := &l.arrivals
	l.findings.Brings = append(l.findings.Brings, a.amounts...)
	l.findings.Exposed = append(l.findings.Exposed, l.findings.exposed(a)...)
	for _, expected := range l.want.receive {
		got := caps.Most(a.amounts, expected.Mint)
		if got >= expected.Most {
			safe := got - min(got, caps.Most(l.findings.Exposed, expected.Mint))
			if slices.Contains(a.less, expected.Mint) || safe < expected.Most {
				l.findings.Unproven = true
			}
			continue
		}
		l.findings.Unproven = true
		if slices.Contains(a.calls, expected.Mint) {
			continue
		}
		return o.refuse(rule.Arrival,
			"a transfer to you, or a call of a program that may write an account of yours, that can bring what you asked for",
			"%s arriving, %s expected, and no call that could bring more",
			program.Amount(expected.Mint, got), program.Amount(expected.Mint, expected.Most))
	}
	return nil
}
