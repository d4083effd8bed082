package judge

import (
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

// arrivals holds the amounts that arrive by the bytes of a set.
type arrivals struct {
	amounts []caps.Limit // by transfers to ours
	opaque  bool         // a pinned program is called: anything may arrive
	hidden  bool         // a recipient in a lookup table may be ours
	less    []Key        // mints of which a fee may be withheld
}

// arrives adds a transfer of others' value to k.
func (c *checker) arrives(o *operation, k *Key, mint Key, amount uint64) {
	if o.simulated {
		return
	}
	a := &c.ledger.arrivals
	if k == nil {
		a.hidden = true
		return
	}
	mint = program.Asset(mint)
	if i := slices.IndexFunc(a.amounts, func(l caps.Limit) bool { return l.Mint == mint }); i >= 0 {
		a.amounts[i].Most = caps.Add(a.amounts[i].Most, amount)
		return
	}
	a.amounts = append(a.amounts, caps.Limit{Mint: mint, Most: amount})
}

// expected refuses a set of which no part can deliver what the intent expects,
// and notes whether the bytes prove that it arrives.
func (l *ledger) expected(o *operation) *rule.Refusal {
	a := &l.arrivals
	l.findings.Brings = append(l.findings.Brings, a.amounts...)
	for _, expected := range l.want.receive {
		got := caps.Most(a.amounts, expected.Mint)
		if got >= expected.Most {
			if slices.Contains(a.less, expected.Mint) {
				l.findings.Unproven = true
			}
			continue
		}
		l.findings.Unproven = true
		if a.opaque || a.hidden {
			continue
		}
		return o.refuse(rule.Arrival,
			"a call of a pinned program, or a transfer to ours, that can bring what the intent expects",
			"%d of %s arriving, %d expected, and no call that could bring more",
			got, program.AssetName(expected.Mint), expected.Most)
	}
	return nil
}
