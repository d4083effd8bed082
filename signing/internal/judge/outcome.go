package judge

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

// simulate asks the simulator, if there is one, and puts what the programs
// called among the operations. blind says why the outcome is none that the
// transaction can be judged on; an outcome can refuse it all the same.
func (c *checker) simulate(ctx context.Context, node Node) (seen *outcome, blind string, err error) {
	if node == nil {
		return nil, "", nil
	}
	accounts := c.writableAccounts()
	s, blind, err := node.Simulate(ctx, c.index, accounts)
	if s == nil || err != nil {
		return nil, c.unresolved(blind), err
	}
	if s.Err != "" && blind != "" {
		// It may need what an earlier transaction does.
		return nil, fmt.Sprintf("%s; by itself it would fail: %.200q", blind, s.Err), nil
	}
	if s.Err != "" {
		o := c.whole()
		o.simulated = true
		c.findings.refuse(o.refuse(rule.SimulationFailed, "a transaction that succeeds", "that it would fail: %.200q", s.Err))
		return new(outcome), "", nil
	}
	if s.Accounts != nil {
		accounts = s.Accounts
	}
	if len(s.Before) != len(accounts) || len(s.After) != len(accounts) {
		return nil, "", fmt.Errorf("signing: simulator: %d and %d account states for %d accounts",
			len(s.Before), len(s.After), len(accounts))
	}
	c.inner = slices.DeleteFunc(s.Inner, c.misplaced)
	slices.SortStableFunc(c.inner, func(a, b Inner) int { return cmp.Compare(a.Outer, b.Outer) })
	c.findings.simulations++
	c.findings.Slot = cmp.Or(c.findings.Slot, s.Slot)
	if blind == "" {
		blind = c.feeless(accounts, s)
	}
	if blind = c.unresolved(blind); blind == "" && s.StatesOnly {
		if blind, err = c.readHolders(accounts, s); err != nil {
			return nil, "", err
		}
		blind = cmp.Or(blind, c.unshown(accounts, s))
	}
	if blind == "" {
		c.findings.judged++
	}
	c.alone, c.untold = s.Alone, s.StatesOnly && !c.executed()
	return &outcome{accounts, s.Before, s.After}, blind, nil
}

// misplaced refuses a simulated call under an instruction that the transaction
// does not have.
func (c *checker) misplaced(in Inner) bool {
	if in.Outer >= 0 && in.Outer < c.tx.InstructionCount {
		return false
	}
	o := c.whole()
	o.simulated = true
	c.findings.refuse(o.refuse(rule.SimulationFailed, "calls under an instruction of the transaction",
		"a call under instruction %d of %d", in.Outer, c.tx.InstructionCount))
	return true
}

// writableAccounts are those that the transaction may change, as far as they
// are known, and the owner.
func (c *checker) writableAccounts() []Key {
	var all []Key
	for i := range c.tx.KeyCount + c.tx.LoadedWritable {
		k := c.account(i)
		if k != nil && (c.tx.Writable(i) || *k == c.want.owner) && !slices.Contains(all, *k) {
			all = append(all, *k)
		}
	}
	return all
}

// outcome holds the accounts of a simulation.
type outcome struct {
	accounts      []Key
	before, after []program.State
}

// changes adds what an outcome shows of our accounts.
func (c *checker) changes(s *outcome) {
	if s == nil {
		return
	}
	for i, account := range s.accounts {
		c.follow(account, s.before[i], s.after[i])
		lent := c.ledger.change(c, account, s.before[i], s.after[i])
		c.ledger.pocket(c, account, s.before[i], s.after[i])
		if c.alone && lent > c.granted(&account) {
			c.findings.refuse(c.unfollowed(account, lent))
		}
	}
	c.ledger.paid()
	if c.executed() {
		c.ledger.lendByBytes(c, s)
	}
	if c.seen != nil {
		c.ledger.passing()
	}
}

// follow remembers a listed account that the transaction closes, as closedListed does by its calls.
func (c *checker) follow(account Key, before, after program.State) {
	_, existed := program.ReadTokenState(before)
	_, exists := program.ReadTokenState(after)
	if c.listed(account) != nil && existed && !exists {
		c.ledger.closed = append(c.ledger.closed, account)
	}
}

// feeless says so of a simulation that shows nothing: the wallet does not pay the fee in it.
func (c *checker) feeless(accounts []Key, s *Simulation) string {
	i := slices.Index(accounts, c.want.owner)
	pays := *c.tx.Key(0) == c.want.owner && !c.executed()
	if pays && (i < 0 || s.Before[i].Lamports == 0 || s.Before[i].Lamports == s.After[i].Lamports || c.paysLess(i, s)) {
		return "the simulation does not show that the wallet pays the fee"
	}
	return ""
}

// paysLess reports an outcome in which the wallet loses less than its signatures cost, and no other account any SOL.
func (c *checker) paysLess(wallet int, s *Simulation) bool {
	for i := range s.Before {
		if i != wallet && s.Before[i].Lamports != s.After[i].Lamports {
			return false
		}
	}
	was, is := s.Before[wallet].Lamports, s.After[wallet].Lamports
	return is < was && was-is < lamportsPerSignature*uint64(c.tx.Required)
}

// outcome holds a simulation against the intent.
func (c *checker) outcome(s *outcome, last bool) {
	o := c.whole()
	o.simulated = true
	if s != nil {
		c.ledger.unseen = c.ledger.unseen || c.seen == nil
		for i, account := range s.accounts {
			c.findings.refuse(c.unchanged(&o, account, s.before[i], s.after[i]))
		}
		if c.alone {
			c.findings.refuse(c.exchanged(&o, s))
		}
	} else {
		c.ledger.byBytes()
	}
	if c.findings.simulations > 0 {
		c.findings.refuse(c.ledger.spent(&o))
	}
	if c.index == c.want.executed-1 {
		for i := range c.ledger.changes {
			if ch := &c.ledger.changes[i]; ch.loss() > 0 {
				c.findings.Left = append(c.findings.Left, caps.Limit{Mint: ch.mint, Most: ch.loss()})
			}
		}
		for _, expected := range c.want.receive {
			c.ledger.arrivals.add(expected.Mint, c.ledger.gained(*c.ledger.changed(expected.Mint)))
		}
	}
	if !last || c.findings.simulations < len(c.findings.Transactions) {
		return
	}
	c.findings.Simulated = c.findings.judged == len(c.findings.Transactions)
	c.findings.refuse(c.ledger.arrived(&o))
}

// holds reports whether a token account is ours by what the ledger says of it. A listed account that
// is no token account may own some, as the vault of a smart account does.
func (c *checker) holds(account Key, s program.TokenState) bool {
	if s.Owner == c.want.owner || c.listed(account) != nil {
		return true
	}
	l := c.listed(s.Owner)
	return l != nil && l.Mint.IsZero()
}

// unchanged refuses a new owner, delegate or close authority of an account of
// ours.
func (c *checker) unchanged(o *operation, account Key, before, after program.State) *rule.Refusal {
	const by = rule.SimulationAuthority
	const allowed = "your accounts as they are, but for what they hold: owner, delegate, close authority, extensions"
	if account == c.want.owner {
		if after.Owner != before.Owner && !(after.Owner == program.System || after.Lamports == 0) ||
			len(after.Data) != len(before.Data) {
			return o.refuse(by, allowed, "the wallet handed to program %s", program.Name(after.Owner))
		}
		return nil
	}
	if c.listed(account) != nil && after.Owner != before.Owner && before.Lamports > 0 && after.Lamports > 0 {
		return o.refuse(by, allowed, "%s handed to program %s", account, program.Name(after.Owner))
	}
	if c.listed(account) != nil && before.Lamports > 0 && !before.Made() && after.Made() {
		return o.refuse(by, allowed, "data in %s, which can pay nothing any more", account)
	}
	if c.replaced(account, &before, &after) {
		return o.refuse(by, allowed, "%s of program %s, which named you and names another there now", account,
			program.Name(before.Owner))
	}
	was, existed := program.ReadTokenState(before)
	is, exists := program.ReadTokenState(after)
	if !exists {
		return nil
	}
	held := existed && c.holds(account, was)
	if !held {
		was.CloseAuthority, was.Delegate = Key{}, Key{} // what we are given is ours alone
	}
	if is.Frozen && !held && c.holds(account, is) {
		c.note(o, NoteFrozen, &account, nil, "")
	}
	switch ours := c.holds(account, is); {
	case held && is.Owner != was.Owner:
		return o.refuse(by, allowed, "%s handed to %s", account, is.Owner)
	case !ours:
		return nil
	case held && was.Frozen != is.Frozen && is.Frozen:
		return o.refuse(by, allowed, "%s frozen, so that nothing can leave it", account)
	case held && !program.SameExtensions(before.Data, after.Data):
		return o.refuse(by, allowed, "other extensions of %s, which can bind it", account)
	case is.CloseAuthority != was.CloseAuthority && !is.CloseAuthority.IsZero() && !c.signs(&is.CloseAuthority):
		return o.refuse(by, allowed, "a close authority %s of %s", is.CloseAuthority, account)
	case !is.Delegate.IsZero() && (is.Delegate != was.Delegate || is.Delegated > was.Delegated) &&
		!c.signs(&is.Delegate) && !slices.Contains(c.want.delegates, is.Delegate):
		return o.refuse(by, allowed, "a delegate %s of %s for %d", is.Delegate, account, is.Delegated)
	case c.delegated(is) > was.Amount && holdsMore(&before, &after, was, is) &&
		!slices.Contains(c.want.delegates, is.Delegate):
		c.note(o, NotePermission, &account, &is.Delegate, "")
	}
	return nil
}

// holdsMore reports a token account into which something came. Wrapped SOL may be counted in it later.
func holdsMore(before, after *program.State, was, is program.TokenState) bool {
	return is.Amount > was.Amount || program.Asset(is.Mint) == program.NativeMint && after.Lamports > before.Lamports
}

// mostShared bounds an account that one user has alone, as large as a call can make one: larger ones, such as order
// books, hand the place of one user to the next.
const mostShared = 10_240

// replaced reports an account that a program keeps for us, and in which another key has taken the place of ours.
func (c *checker) replaced(account Key, before, after *program.State) bool {
	was, is := before.Data, after.Data
	shared := len(was) > mostShared && c.listed(account) == nil
	if shared || program.Lookup(&before.Owner).Kind != program.Unruled || c.namings(was) <= c.namings(is) {
		return false
	}
	for i := 0; i+len(Key{}) <= min(len(was), len(is)); i++ {
		if k := Key(was[i:]); c.signs(&k) && Key(is[i:]) != k && !Key(is[i:]).IsZero() {
			return true
		}
	}
	return false
}
