package judge

import (
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// named reports whether k is among the names, or the associated account of the
// mint of a wallet among them, unless that wallet has given it away.
func (c *checker) named(names []Key, k *Key, mint, by Key) bool {
	return k != nil && slices.ContainsFunc(names, func(name Key) bool {
		return name == *k || c.judge.derived.Associated(name, mint, by) == *k && !c.givenAway(k, name)
	})
}

// givenAway reports a token account that the outcome shows to belong to another than a wallet.
func (c *checker) givenAway(k *Key, wallet Key) bool {
	if c.seen == nil {
		return false
	}
	i := slices.Index(c.seen.accounts, *k)
	if i < 0 {
		return false
	}
	t, ok := program.ReadTokenState(c.seen.before[i])
	return ok && t.Owner != wallet
}

// spends says what a transfer to k may count as, in addition to a fee. A
// payment goes to its payees or nowhere; what a pinned program moves in its own
// call is not bound, because its accounts are not known.
func (c *checker) spends(o *operation, k *Key, mint, by Key) caps.Bucket {
	if len(c.want.payTo) > 0 && !o.simulated && !c.named(c.want.payTo, k, mint, by) {
		return 0
	}
	return caps.Spend
}

// fees says whether a transfer to k may count as the service's fee: if the intent names who
// gets the fee, no other does. What a pinned program moves in its own call is not bound.
func (c *checker) fees(o *operation, k *Key, mint, by Key) caps.Bucket {
	if len(c.want.feeTo) > 0 && !o.simulated && !c.named(c.want.feeTo, k, mint, by) {
		return 0
	}
	return caps.Fee
}

// walletOf is the wallet whose associated account of a mint k is, among those
// that the transaction or the intent names. It is nil if none is.
func (c *checker) walletOf(o *operation, k *Key, mint Key) *Key {
	if k == nil {
		return nil
	}
	if made := o.facts().ataAt(k); made != nil {
		return &made.wallet
	}
	for _, names := range [][]Key{c.want.payTo, c.want.outputTo, c.want.feeTo} {
		for i := range names {
			if c.judge.derived.Associated(names[i], mint, o.Program) == *k {
				return &names[i]
			}
		}
	}
	return nil
}
