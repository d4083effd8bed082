package judge

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

// unresolved adds to a reason that what the tables load is unknown: no one can look
// at accounts without their addresses.
func (c *checker) unresolved(blind string) string {
	if blind != "" && blind != Later || c.tx.LookupCount == 0 || c.accounts.Loaded != nil {
		return blind
	}
	return "what its lookup tables load is unknown"
}

// Later is the reason of a transaction that is not signed yet.
const Later = "it is judged again before it is signed, on what those before it have left"

// unjudged refuses a transaction that was not judged on a simulated outcome and
// calls a pinned program that may take something of ours, unless the caller allows
// it. The bytes bound all that other transactions can do.
func (c *checker) unjudged(seen *outcome, blind string) {
	if seen != nil && blind == "" {
		return
	}
	o := c.whole()
	r := c.blindReach()
	if r == nil || blind == Later {
		if blind != "" {
			c.note(&o, NoteSimulation, nil, nil, blind)
		}
		return
	}
	blind = cmp.Or(blind, "no node to simulate it is set: Policy.Simulator")
	if slices.Contains(c.judge.Policy.AllowBlind, c.want.service) {
		c.findings.Blind = append(c.findings.Blind, Blind{c.index, blind})
		return
	}
	o.instruction, o.Program = r.Instruction, r.Program
	c.findings.refuse(o.refuse(rule.Blind, c.sight(seen), "a program that %s, and no simulation of it: %s",
		c.reached(r), blind))
}

// sight says what would allow a transaction, and at what risk.
func (c *checker) sight(seen *outcome) string {
	need := "Policy.Simulator and Policy.Resolver, such as an rpcnode.Client"
	if seen != nil || c.index > 0 {
		need += ", that run a set in order (signing.SetSimulator) and know its lookup tables"
	}
	return fmt.Sprintf("an outcome to judge, by %s; or Policy.AllowBlind: []string{%q}, at the risk of all that is "+
		"in the accounts that its programs may write", need, c.want.service)
}

// blindReach is the first call of a pinned program in this transaction that may
// take something of ours: we sign it, so that it may act on whichever accounts it
// names, or it may write an account of ours.
func (c *checker) blindReach() *Reach {
	for i := range c.findings.Reaches {
		if r := &c.findings.Reaches[i]; r.Transaction == c.index && (r.Signed || r.to > r.from) {
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
	return "is called with your signature"
}

// unshown says which change of a simulation the states of accounts do not explain, if no
// inner instructions are told: what a key of ours has authority over without owning it
// is not among our balances.
func (c *checker) unshown(accounts []Key, s *Simulation) string {
	for i, account := range accounts {
		before, after := s.Before[i], s.After[i]
		if !gains(before, after) && (c.hides(account, before, after) || c.shares(accounts, s, before, after)) {
			return fmt.Sprintf("the simulator tells no inner instructions, and %s of program %s changes",
				account, program.Name(before.Owner))
		}
	}
	return ""
}

// readHolders reads the accounts of the transaction that control token accounts and mints which change, where
// the outcome does not show them: a multisig is one, and its account says who may sign for it.
// If they are not read, the outcome does not tell whose loss it is, which blind says.
func (c *checker) readHolders(accounts []Key, s *Simulation) (blind string, err error) {
	var unknown []Key
	for i := range accounts {
		was, ok := program.ReadTokenState(s.Before[i])
		if ok && c.holds(accounts[i], was) || gains(s.Before[i], s.After[i]) {
			continue
		}
		all, _ := c.controllers(s.Before[i])
		for _, k := range all {
			if !slices.Contains(accounts, k) && !slices.Contains(unknown, k) {
				unknown = append(unknown, k)
			}
		}
	}
	if len(unknown) == 0 || c.executed() {
		return "", nil
	}
	states, err := c.node.Read(c.ctx, unknown)
	if err != nil {
		return "", err
	}
	if len(states) < len(unknown) {
		return "no node told who controls tokens that change: Policy.Resolver may be no signing.AccountReader", nil
	}
	c.holders = outcome{unknown, states, states}
	return "", nil
}

// maxLooked bounds the bytes that are looked through for keys, to a few milliseconds.
const maxLooked = 16 << 20

// controllers are the accounts of the transaction that may control a token account or a mint: their keys are
// in its data. Its mint is among them, as that may name a freeze authority and a permanent delegate. To act, an
// authority has to be among the transaction's accounts. ok is false if there is too much to look through.
func (c *checker) controllers(of program.State) (all []Key, ok bool) {
	if !program.IsToken(of.Owner) {
		return nil, true
	}
	token, isAccount := program.ReadTokenState(of)
	if !isAccount {
		c.looked += len(of.Data) * (c.tx.KeyCount + len(c.accounts.Loaded))
	}
	if c.looked > maxLooked {
		return nil, false
	}
	for i := range c.tx.KeyCount + len(c.accounts.Loaded) {
		k := c.account(i)
		if k == nil || k.IsZero() {
			continue // a table's, or the System program, which has no data
		}
		if isAccount && (token.ControlledBy(*k) || token.Mint == *k) || !isAccount && bytes.Contains(of.Data, k[:]) {
			all = append(all, *k)
		}
	}
	return all, true
}

// gains reports an account of which nothing is lost: it does not change, or is a token account that holds more
// under the same authorities.
func gains(before, after program.State) bool {
	was, ok := program.ReadTokenState(before)
	is, still := program.ReadTokenState(after)
	if !ok || !still {
		return same(&before, &after)
	}
	more := is.Amount >= was.Amount && after.Lamports >= before.Lamports && after.Owner == before.Owner
	is.Amount = was.Amount
	return more && is == was && program.SameExtensions(before.Data, after.Data)
}

// shares reports a token account or a mint that a multisig controls for which a key of ours may sign, or a token
// account of which the mint lets a key of ours do what has changed.
func (c *checker) shares(accounts []Key, s *Simulation, before, after program.State) bool {
	all, ok := c.controllers(before)
	was, _ := program.ReadTokenState(before)
	is, _ := program.ReadTokenState(after)
	for _, k := range all {
		for _, from := range []outcome{{accounts: accounts, before: s.Before}, c.holders} {
			i := slices.Index(from.accounts, k)
			may := func(k Key) bool { return i >= 0 && program.MayApprove(from.before[i], k) }
			if may(c.want.owner) || slices.ContainsFunc(c.judge.Policy.Keys, may) {
				return true
			}
			if i >= 0 && k == was.Mint {
				freezer, delegate := program.MintPowers(from.before[i])
				if c.signs(&delegate) || c.signs(&freezer) && was.Frozen != is.Frozen {
					return true
				}
			}
		}
	}
	return !ok
}

// same reports an account that does not change.
func same(before, after *program.State) bool {
	return before.Lamports == after.Lamports && before.Owner == after.Owner && bytes.Equal(before.Data, after.Data)
}

// hides reports an account whose change can be a loss that our balances do not show.
func (c *checker) hides(account Key, before, after program.State) bool {
	if program.Lookup(&before.Owner).Kind == program.Denied || program.Lookup(&after.Owner).Kind == program.Denied {
		return true
	}
	if was, ok := program.ReadTokenState(before); ok {
		return !c.holds(account, was) && (c.signs(&was.Owner) || c.signs(&was.Delegate) || c.signs(&was.CloseAuthority))
	}
	if c.listed(account) == nil && slices.Contains(c.judge.Policy.Keys, account) {
		return after.Lamports < before.Lamports || after.Made()
	}
	switch program.Lookup(&before.Owner).Kind {
	case program.OfSystem, program.OfToken: // a nonce, a mint
		return c.namings(before.Data) > 0
	}
	return false
}

// namings counts how often the data of an account name a key of ours.
func (c *checker) namings(data []byte) int {
	n := bytes.Count(data, c.want.owner[:])
	for _, k := range c.judge.Policy.Keys {
		n += bytes.Count(data, k[:])
	}
	return n
}
