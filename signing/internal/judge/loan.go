package judge

import (
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// loan is an amount that another's account sends to an account of ours within a call, until the
// call sends it back there.
type loan struct {
	from, mint Key
	left       uint64
}

// borrows notes a transfer to us as a loan, if the outcome shows that the lender has no less
// in the end: a flash loan. What a program pays out of a position of ours can be sent back, too,
// as somebody else's: there is no loan where an account that a program keeps for us changes.
func (c *checker) borrows(m program.TokenMove, mint Key) bool {
	if c.seen == nil || m.Source == nil || !c.shows(m.To) {
		return false
	}
	i := slices.Index(c.seen.accounts, *m.Source)
	if i < 0 {
		return false
	}
	was, isToken := program.ReadTokenState(c.seen.before[i])
	is, stays := program.ReadTokenState(c.seen.after[i])
	if !isToken || !stays || is.Owner != was.Owner || is.Amount < was.Amount || c.positionChanges() {
		return false
	}
	c.loans = append(c.loans, loan{*m.Source, mint, m.Amount})
	return true
}

// positionChanges reports whether the outcome shows a change of what a program keeps for the owner.
func (c *checker) positionChanges() bool {
	if !c.positionsSeen {
		c.positionsSeen = true
		for i := range c.seen.accounts {
			before := &c.seen.before[i]
			c.positionsChange = c.positionsChange || c.kept(before) && !same(before, &c.seen.after[i])
		}
	}
	return c.positionsChange
}

// repays returns how much of a transfer of ours pays a loan back.
func (c *checker) repays(m program.TokenMove, mint Key) (amount uint64) {
	if m.To == nil || !c.shows(m.Source) {
		return 0
	}
	for i := range c.loans {
		if l := &c.loans[i]; l.from == *m.To && l.mint == mint {
			n := min(l.left, m.Amount-amount)
			l.left -= n
			amount += n
		}
	}
	return amount
}
