package judge

import (
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

// noSimulator is why a transaction was not judged on an outcome if nobody could be
// asked.
const noSimulator = "there is no simulator"

// unresolved adds to a reason that what the tables load is unknown: nobody can look
// at accounts without their addresses.
func (c *checker) unresolved(blind string) string {
	if blind != "" || c.tx.LookupCount == 0 || c.accounts.Loaded != nil {
		return blind
	}
	return "what its lookup tables load is unknown"
}

// unjudged refuses a transaction that was not judged on a simulated outcome, unless
// the caller allows it. Without a simulator that concerns pinned programs alone:
// the bytes bound all others.
func (c *checker) unjudged(seen *outcome, blind string) {
	o := c.whole()
	found := "no simulated outcome: " + blind
	if blind == "" {
		r := c.blindReach()
		if seen != nil || r == nil {
			return
		}
		blind, o.instruction, o.Program = noSimulator, r.Instruction, r.Program
		found = fmt.Sprintf("a pinned program that %s, and %s", c.reached(r), noSimulator)
	}
	if slices.Contains(c.judge.Policy.AllowBlind, c.want.service) {
		c.findings.Blind = append(c.findings.Blind, Blind{c.index, blind})
		return
	}
	c.findings.refuse(o.refuse(rule.Blind, c.sight(seen), "%s", found))
}

// sight says what would allow a transaction, and at what risk.
func (c *checker) sight(seen *outcome) string {
	need := "Policy.Simulator and Policy.Resolver, such as an rpcnode.Client"
	if seen != nil || c.index > 0 {
		need += ", that run a set in order (signing.SetSimulator) and know its lookup tables"
	}
	return fmt.Sprintf("an outcome to judge, by %s; or Policy.AllowBlind: []string{%q}, at the risk of all that the "+
		"accounts hold which pinned programs may write", need, c.want.service)
}

// blindReach is the first call of a pinned program in this transaction that may
// take something of ours: we sign it, so that it may act on whichever accounts it
// names, or it may write an account of ours.
func (c *checker) blindReach() *Reach {
	for i := range c.findings.Reaches {
		if r := &c.findings.Reaches[i]; r.Transaction == c.index && (r.signed || r.to > r.from) {
			return r
		}
	}
	return nil
}

// reached says what the call may do to us.
func (c *checker) reached(r *Reach) string {
	if ours := c.findings.Ours(r); len(ours) > 0 {
		return "may write " + ours[0].String()
	}
	return "is called with our signature"
}
