package judge

import (
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

// tokenApprove counts an approval as spent. Only a named delegate's approval
// may outlive the transaction: an address that a pinned program derived and an
// address that an attacker derived look the same.
func (c *checker) tokenApprove(o *operation) *rule.Refusal {
	m, ok := o.ReadTokenApproval()
	if !ok {
		return o.malformed()
	}
	ours, mint, refused := c.source(o, m, rule.TokenApprove)
	if !ours || refused != nil {
		return refused
	}
	named := m.To != nil && (c.signs(m.To) || slices.Contains(c.want.delegates, *m.To))
	revoked := m.Source != nil && o.facts().revokedAfter(*m.Source, o.Program, o.order)
	if !named && !revoked {
		return o.refuse(rule.TokenApprove,
			"a delegate that the caller named, or a revoke of the same account later in this transaction",
			"an approval of %s for %s that outlives the transaction",
			program.Amount(program.Asset(*mint), m.Amount), describe(m.To))
	}
	if named && !revoked {
		c.note(o, NoteApproval, m.Source, m.To, "")
	}
	if m.Source != nil {
		c.approved = append(c.approved, approval{*m.Source, m.Amount})
	}
	c.spend(o.site(), outgoing{
		rule:   rule.TokenApprove,
		mint:   *mint,
		amount: m.Amount,
		may:    c.spends(o, m.To, *mint, o.Program),
		to:     m.To,
	})
	return nil
}

// approval is the amount that this transaction lets a delegate take, and counts.
type approval struct {
	account Key
	left    uint64
}

// taken returns how much of what a delegate takes in a simulated call was
// counted with its approval already.
func (c *checker) taken(source *Key, amount uint64) uint64 {
	for i := range c.approved {
		if a := &c.approved[i]; source != nil && a.account == *source {
			n := min(a.left, amount)
			a.left -= n
			return n
		}
	}
	return 0
}
