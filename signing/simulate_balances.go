package signing

import (
	"slices"

	"github.com/walletfi/walletfi-go"
)

// change is what simulations of a set did to our holdings of one mint.
type change struct {
	mint    PublicKey
	out, in sum // over all our accounts
}

// change adds what happened to an account, if it is ours. The lamports of our
// token accounts are ours too, so that rent which we can take back is no loss.
func (l *ledger) change(c *checker, account PublicKey, before, after AccountState) {
	was, existed := readTokenState(before)
	is, exists := readTokenState(after)
	existed = existed && c.holds(account, was)
	exists = exists && c.holds(account, is)
	plain := account == c.want.owner || c.listed(account) != nil
	if plain || existed {
		l.changed(NativeMint).out = l.changed(NativeMint).out.plus(before.Lamports)
	}
	if plain || exists {
		l.changed(NativeMint).in = l.changed(NativeMint).in.plus(after.Lamports)
	}
	if existed && assetOf(was.mint) != NativeMint {
		l.changed(was.mint).out = l.changed(was.mint).out.plus(was.amount)
	}
	if exists && assetOf(is.mint) != NativeMint {
		l.changed(is.mint).in = l.changed(is.mint).in.plus(is.amount)
	}
}

func (l *ledger) changed(mint PublicKey) *change {
	i := slices.IndexFunc(l.changes, func(c change) bool { return c.mint == mint })
	if i < 0 {
		l.changes = append(l.changes, change{mint: mint})
		i = len(l.changes) - 1
	}
	return &l.changes[i]
}

// loss is by how much out exceeds in, 0 where it does not, saturated.
func (c *change) loss() uint64 { return difference(c.out, c.in) }

func (c *change) gain() uint64 { return difference(c.in, c.out) }

func difference(a, b sum) uint64 {
	if a.high < b.high || a.high == b.high && a.low <= b.low {
		return 0
	}
	d := a.minus(b.low)
	if d.high -= b.high; d.high > 0 {
		return ^uint64(0)
	}
	return d.low
}

// spent holds what our accounts lost over the set so far against the caps.
func (l *ledger) spent(c *checker, o *operation) *GuardError {
	for i := range l.changes {
		ch := &l.changes[i]
		cap := addSaturated(most(l.want.spend, ch.mint), addSaturated(most(l.want.fee, ch.mint), most(l.want.burn, ch.mint)))
		if ch.mint == NativeMint {
			cap = addSaturated(cap, addSaturated(l.want.tip, l.want.rent))
			cap = addSaturated(cap, c.report.NetworkFeeLamports())
		}
		if loss := ch.loss(); loss > cap && !slices.Contains(l.want.burnAll, ch.mint) && !l.burnsAllOf(ch.mint) {
			if err := o.refuse(RuleSimulationSpend, "a loss of at most what the intent allows", "%d of %s leaving, %d allowed", loss, AssetName(ch.mint), cap); err != nil {
				return err
			}
		}
	}
	return nil
}

// burnsAllOf reports whether the intent named an account of the mint, rather
// than the mint, whose whole balance may be burned.
func (l *ledger) burnsAllOf(mint PublicKey) bool { return slices.Contains(l.burned, mint) }

// unpaid reports rent that a check of the bytes alone had to assume: creating
// an associated account that is there already costs nothing.
func (l *ledger) unpaid(item *outgoing) bool {
	return item.as == asRent && item.to != nil && slices.Contains(l.existing, *item.to)
}

// arrived holds what our accounts gained over the set against what should
// arrive, and reports it. What the owner paid in fees, tips and rent of SOL is
// no part of what arrived, so that it is added back.
func (l *ledger) arrived(c *checker, o *operation) *GuardError {
	for i := range l.changes {
		ch := &l.changes[i]
		if ch.mint == NativeMint {
			ch.in = ch.in.plus(c.report.NetworkFeeLamports())
			for _, item := range l.items {
				if item.mint == NativeMint && item.as&(asTip|asFee|asRent) != 0 && !l.unpaid(&item) {
					ch.in = ch.in.plus(item.amount)
				}
			}
		}
		if gain := ch.gain(); gain > 0 {
			c.report.Arrives = append(c.report.Arrives, walletfi.Asset{Mint: ch.mint.String(), Amount: walletfi.Amount(gain)})
		}
	}
	for _, expected := range l.want.receive {
		if got := l.changed(expected.mint).gain(); got < expected.most {
			return o.refuse(RuleSimulationArrival, "what the intent expects to arrive", "%d of %s arriving, %d expected", got, AssetName(expected.mint), expected.most)
		}
	}
	return nil
}
