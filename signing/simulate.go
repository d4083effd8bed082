package signing

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// simulate asks the policy's simulator, if there is one, and puts what the
// programs called among the operations.
func (c *checker) simulate(ctx context.Context) (*outcome, error) {
	simulator := c.guard.policy.Simulator
	if simulator == nil {
		return nil, nil
	}
	accounts := c.writableAccounts()
	s, err := simulator.Simulate(ctx, SimulationRequest{Transaction: c.tx, Accounts: accounts})
	if err != nil {
		return nil, fmt.Errorf("signing: simulator: %w", err)
	}
	if s.Err != "" {
		return nil, c.failed(s.Err)
	}
	if len(s.Before) != len(accounts) || len(s.After) != len(accounts) {
		return nil, fmt.Errorf("signing: simulator: %d and %d account states for %d accounts", len(s.Before), len(s.After), len(accounts))
	}
	c.inner = slices.Clone(s.Inner)
	slices.SortStableFunc(c.inner, func(a, b InnerInstruction) int { return cmp.Compare(a.Outer, b.Outer) })
	c.report.simulations++
	return &outcome{accounts, s.Before, s.After}, nil
}

// failed refuses the first transaction of a set where it would fail. A later
// one may need what an earlier does, which no simulation of it alone shows.
func (c *checker) failed(why string) error {
	o := operation{check: c, instruction: EnvelopeInstruction}
	if c.index > 0 {
		c.note(&o, NoteSimulation, nil, nil, why)
		return nil
	}
	if err := o.refuse(RuleSimulationFailed, "a transaction that succeeds", "that it would fail: %.200q", why); err != nil {
		err.Simulated = true
		return err
	}
	return nil
}

// writableAccounts are those that the transaction may change, as far as they
// are known, and the owner.
func (c *checker) writableAccounts() []PublicKey {
	var all []PublicKey
	for i := range c.tx.keyCount + c.tx.loadedWritable {
		k := c.account(i)
		if k != nil && (c.tx.writable(i) || *k == c.want.owner) && !slices.Contains(all, *k) {
			all = append(all, *k)
		}
	}
	return all
}

// outcome is what a simulation says of accounts.
type outcome struct {
	accounts      []PublicKey
	before, after []AccountState
}

// outcome holds a simulation against the intent.
func (c *checker) outcome(s *outcome, last bool) *GuardError {
	o := operation{check: c, instruction: EnvelopeInstruction}
	if s != nil {
		for i, account := range s.accounts {
			if err := c.unchanged(&o, account, s.before[i], s.after[i]); err != nil {
				return simulated(err)
			}
			if s.before[i].Lamports > 0 && s.before[i].Owner != SystemProgram {
				c.ledger.existing = append(c.ledger.existing, account)
			}
			c.ledger.change(c, account, s.before[i], s.after[i])
		}
		if err := c.ledger.spent(c, &o); err != nil {
			return simulated(err)
		}
	}
	if !last || c.report.simulations < len(c.report.Transactions) {
		return nil
	}
	c.report.Simulated = true
	return simulated(c.ledger.arrived(c, &o))
}

func simulated(err *GuardError) *GuardError {
	if err != nil {
		err.Simulated = true
	}
	return err
}

// holds reports whether a token account is ours by what the ledger says of it.
func (c *checker) holds(account PublicKey, s tokenState) bool {
	return s.owner == c.want.owner || c.listed(account) != nil
}

// unchanged refuses a change of who holds power over an account of ours.
func (c *checker) unchanged(o *operation, account PublicKey, before, after AccountState) *GuardError {
	const rule, allowed = RuleSimulationAuthority, "owner, delegate and close authority of our accounts as they are"
	if account == c.want.owner {
		if after.Owner != before.Owner && !(after.Owner == SystemProgram || after.Lamports == 0) || len(after.Data) != len(before.Data) {
			return o.refuse(rule, allowed, "the wallet handed to program %s", ProgramName(after.Owner))
		}
		return nil
	}
	was, existed := readTokenState(before)
	is, exists := readTokenState(after)
	if !exists {
		return nil
	}
	switch ours := c.holds(account, is); {
	case existed && is.owner != was.owner && c.holds(account, was):
		return o.refuse(rule, allowed, "%s handed to %s", account, is.owner)
	case !ours:
		return nil
	case is.closeAuthority != was.closeAuthority && !is.closeAuthority.IsZero() && !c.signs(&is.closeAuthority):
		return o.refuse(rule, allowed, "a close authority %s of %s", is.closeAuthority, account)
	case !is.delegate.IsZero() && (is.delegate != was.delegate || is.delegated > was.delegated) &&
		!c.signs(&is.delegate) && !slices.Contains(c.want.delegates, is.delegate):
		return o.refuse(rule, allowed, "a delegate %s of %s for %d", is.delegate, account, is.delegated)
	}
	return nil
}
