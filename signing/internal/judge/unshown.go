package judge

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// unshown says which change of a simulation the states of accounts do not explain, if no
// inner instructions are told: what a key of ours has authority over without owning it
// is not among our balances.
func (c *checker) unshown(accounts []Key, s *Simulation) string {
	for i, account := range accounts {
		before, after := s.Before[i], s.After[i]
		same := before.Lamports == after.Lamports && before.Owner == after.Owner && bytes.Equal(before.Data, after.Data)
		if !same && c.hides(account, before, after) {
			return fmt.Sprintf("the simulator tells no inner instructions, and %s of program %s changes",
				account, program.Name(before.Owner))
		}
	}
	return ""
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
		return true
	}
	switch program.Lookup(&before.Owner).Kind {
	case program.OfSystem, program.OfToken: // a nonce, a mint
		return c.namesUs(before.Data)
	}
	return false
}

// namesUs reports whether the data of an account names a key of ours.
func (c *checker) namesUs(data []byte) bool {
	return bytes.Contains(data, c.want.owner[:]) ||
		slices.ContainsFunc(c.judge.Policy.Keys, func(k Key) bool { return bytes.Contains(data, k[:]) })
}
