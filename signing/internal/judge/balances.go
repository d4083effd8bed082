package judge

import (
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

// change is the effect of simulating a set on our holdings of one mint.
type change struct {
	mint    Key
	out, in caps.Sum // over all our accounts
	locked  caps.Sum // in new accounts that others have frozen: it arrives, and makes up for no loss
}

// change adds what happened to an account, if it is ours. The rent of our token accounts is
// ours too: we can take it back, so that it is no loss. It returns how much more delegates may
// take of the account.
func (l *ledger) change(c *checker, account Key, before, after program.State) (lent uint64) {
	was, existed := program.ReadTokenState(before)
	is, exists := program.ReadTokenState(after)
	existed = existed && c.holds(account, was)
	exists = exists && c.holds(account, is)
	if !existed {
		was = program.TokenState{}
	}
	if !exists {
		is = program.TokenState{}
	}
	lent = l.lend(c, account, was, is)
	yields := exists && c.yields(account, is)
	if yields {
		is.Amount = min(is.Amount, was.Amount)
	}
	paid := exempted(before, after)
	locked := is.Frozen && !existed // whoever froze it may never let us close it
	cost := rented{account: account}
	if exists && !locked || paid == 0 {
		l.step.own = caps.Add(l.step.own, paid)
	} else {
		cost.lamports = paid
		if c.strangers(&account, after) { // what is beyond the cap is no rent
			paid = min(paid, c.want.caps.ForeignRent-min(c.want.caps.ForeignRent, l.strangers))
			l.strangers = caps.Add(l.strangers, paid)
		}
		l.step.rents = caps.Add(l.step.rents, paid)
	}
	l.costs = append(l.costs, cost)
	if existed && slices.Contains(l.left, account) {
		l.step.rents = caps.Add(l.step.rents, exempted(program.State{}, before))
	}
	plain := account == c.want.owner || c.listed(account) != nil || c.parks(account, before)
	if !plain && !existed && !exists {
		l.released = caps.Add(l.released, freed(before, after))
	}
	sol := l.changed(program.NativeMint)
	if plain || existed {
		sol.out, l.step.out = sol.out.Plus(before.Lamports), l.step.out.Plus(before.Lamports)
	}
	if plain && after.Owner == before.Owner || exists && !locked {
		has := after.Lamports
		if exists && (yields || !plain && program.Asset(is.Mint) != program.NativeMint) {
			has = retained(before, after)
		}
		sol.in, l.step.in = sol.in.Plus(has), l.step.in.Plus(has)
	}
	if existed && program.Asset(was.Mint) != program.NativeMint {
		l.changed(was.Mint).out = l.changed(was.Mint).out.Plus(was.Amount)
	}
	if exists && program.Asset(is.Mint) != program.NativeMint {
		if ch := l.changed(is.Mint); locked {
			ch.locked = ch.locked.Plus(is.Amount)
		} else {
			ch.in = ch.in.Plus(is.Amount)
		}
	}
	return lent
}

// strangers reports a token account of a wallet that is not ours, whose rent is under the cap for others. An
// address that can have no key is a program's, which keeps what it needs for the call there.
func (c *checker) strangers(account *Key, s program.State) bool {
	t, ok := program.ReadTokenState(s)
	return ok && !c.holds(*account, t) && program.OnCurve(t.Owner)
}

// retained is how many lamports an account of a mint other than SOL keeps for us, or one that yields: those that
// it had, and those that exempt it. What it gains beyond is no longer ours, here as in keeps: the mint's authority
// may hold it to ransom.
func retained(before, after program.State) uint64 {
	return min(after.Lamports, max(before.Lamports, program.Rent(uint64(len(after.Data)))))
}

// parks reports the owner's wrapped account before it is made: SOL that lies there is the owner's
// before as after.
func (c *checker) parks(account Key, before program.State) bool {
	return account == c.wrapped()[0].address && before.Owner == program.System
}

// step says how one transaction changes our SOL.
type step struct {
	change
	rents uint64 // what exempted new accounts of others or that others have frozen, and those left
	own   uint64 // what exempted new accounts of ours
}

// paid counts as rent, of what the newest transaction gave to accounts for it, no more than
// our SOL that it took: what others paid is no rent of ours, and does not let SOL leave as
// rent in the next transaction.
func (l *ledger) paid() {
	t := &l.findings.Transactions[len(l.findings.Transactions)-1]
	if t.FeePayer == l.want.owner {
		l.step.in = l.step.in.Plus(t.BaseFee).Plus(t.Priority)
	}
	l.rents, l.own = caps.Add(l.rents, min(l.step.rents, l.step.loss())), caps.Add(l.own, l.step.own)
	l.step = step{}
}

// byBytes counts as lost what the bytes of the newest transaction send: no states show it.
func (l *ledger) byBytes() {
	l.unseen = true
	for i := l.begins[len(l.begins)-1]; i < len(l.items); i++ {
		ch := l.changed(l.items[i].Mint)
		ch.out = ch.out.Plus(l.items[i].Amount)
	}
}

func (l *ledger) changed(mint Key) *change {
	i := slices.IndexFunc(l.changes, func(c change) bool { return c.mint == mint })
	if i < 0 {
		l.changes = append(l.changes, change{mint: mint})
		i = len(l.changes) - 1
	}
	return &l.changes[i]
}

func (c *change) loss() uint64 { return c.out.Over(c.in) }

func (c *change) gain() uint64 { return c.in.And(c.locked).Over(c.out) }

// spent holds what our accounts lost over the set so far against the caps.
func (l *ledger) spent(o *operation) *rule.Refusal {
	for i := range l.changes {
		ch, limits := l.changes[i], &l.want.caps
		most := caps.Add(caps.Most(limits.Spend, ch.mint),
			caps.Add(caps.Most(limits.Fee, ch.mint), caps.Most(limits.Burn, ch.mint)))
		if ch.mint == program.NativeMint {
			most = caps.Add(most, caps.Add(limits.Tip, l.rentAllowed()))
			most = caps.Add(most, l.findings.NetworkFee())
			ch.out = ch.out.Plus(l.own) // rent is under its cap, whosever the account is
		}
		loss := caps.Add(ch.loss(), l.owing(ch.mint))
		for _, burn := range l.burned {
			if burn.Mint == ch.mint {
				most = caps.Add(most, burn.Most)
			}
		}
		if loss > most {
			return o.refuse(rule.SimulationSpend, "a loss of at most what you asked for",
				"%s leaving, approvals included, %s allowed", program.Amount(ch.mint, loss), program.Amount(ch.mint, most))
		}
	}
	return nil
}

// rentAllowed is how much of what left may be rent: no more than new accounts got.
func (l *ledger) rentAllowed() uint64 {
	most := caps.Add(l.want.caps.Rent, l.want.caps.ForeignRent)
	if l.unseen {
		return most
	}
	return min(most, caps.Add(l.rents, min(l.own, l.want.caps.Rent)))
}

// gained is how much our accounts gained of a mint over the set so far. What the owner paid
// in fees, tips and rent of SOL is no part of what arrived, so that it is added back.
func (l *ledger) gained(ch change) uint64 {
	if ch.mint == program.NativeMint {
		ch.in = ch.in.Plus(l.findings.NetworkFee())
		for j := range l.items {
			if item := &l.items[j]; item.Mint == program.NativeMint &&
				item.As&(caps.Tip|caps.Fee|caps.Rent|caps.ForeignRent) != 0 {
				ch.in = ch.in.Plus(l.cost(j, item.As))
			}
		}
	}
	return ch.gain()
}

// arrived holds what our accounts gained over the set against what should
// arrive, and notes it.
func (l *ledger) arrived(o *operation) *rule.Refusal {
	for i := range l.changes {
		if gain := l.gained(l.changes[i]); gain > 0 && l.findings.Simulated {
			l.findings.Arrives = append(l.findings.Arrives, caps.Limit{Mint: l.changes[i].mint, Most: gain})
		}
	}
	for _, expected := range l.want.receive {
		ch := *l.changed(expected.Mint)
		if s := l.want.caps.Spend; len(s) == 1 && s[0].Mint == expected.Mint {
			ch.in = ch.in.Plus(s[0].Most) // an arbitrage: states show both ways as one sum
			ch.out = ch.out.Plus(l.owing(expected.Mint))
		}
		if got := l.gained(ch); got < expected.Most {
			return o.refuse(rule.SimulationArrival, "what you asked to get", "%s arriving, %s expected",
				program.Amount(expected.Mint, got), program.Amount(expected.Mint, expected.Most))
		}
	}
	return nil
}
