package judge

import (
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

// exchanged refuses a transaction of an exchange that is signed before the later ones are
// judged, if it takes what the intent spends and nothing arrives for it: the later ones may never
// deliver it, or never be sent. What arrives must be expected, or be in an account that a
// later transaction may write. What that is worth is not known here.
func (c *checker) exchanged(o *operation, s *outcome) *rule.Refusal {
	if len(c.want.receive) == 0 {
		return nil
	}
	var here ledger
	for i, account := range s.accounts {
		here.change(c, account, s.before[i], s.after[i])
	}
	takes := slices.ContainsFunc(c.want.caps.Spend, func(l caps.Limit) bool { return c.takes(&here, l.Mint) })
	if !takes || slices.ContainsFunc(here.changes, func(ch change) bool { return ch.gain() > 0 && c.useful(ch.mint) }) {
		return nil
	}
	return o.refuse(rule.SimulationArrival,
		"a transaction that delivers something for what it takes, as the later ones are signed after it; else send "+
			"the set as a bundle, checked on a node that runs sets in order (signing.SetSimulator), or allow its "+
			"service by Policy.AllowBlind",
		"an amount that leaves, and nothing that arrives for it")
}

// takes reports whether our accounts lose an asset, apart from fees, tips and rent of SOL.
func (c *checker) takes(here *ledger, mint Key) bool {
	ch := here.changed(mint)
	in := ch.in
	if mint == program.NativeMint {
		n := len(c.findings.Transactions) - 1
		t := &c.findings.Transactions[n]
		in = in.Plus(t.BaseFee).Plus(t.Priority)
		for i := c.ledger.begins[len(c.ledger.begins)-1]; i < len(c.ledger.items); i++ {
			if item := &c.ledger.items[i]; item.Mint == mint && item.As&(caps.Spend|caps.Burn) == 0 {
				in = in.Plus(c.ledger.cost(i, item.As))
			}
		}
	}
	return ch.out.Over(in) > 0
}

// useful reports an asset that should arrive, or that a later transaction of the set can
// take up: it may write an account of ours for it.
func (c *checker) useful(mint Key) bool {
	if slices.ContainsFunc(c.want.receive, func(l caps.Limit) bool { return l.Mint == mint }) {
		return true
	}
	for _, tx := range c.set[c.index+1:] {
		for i := range tx.KeyCount {
			k := tx.Key(i)
			if tx.Writable(i) && (mint == program.NativeMint && *k == c.want.owner || c.accountOf(k, &mint)) {
				return true
			}
		}
	}
	return false
}
