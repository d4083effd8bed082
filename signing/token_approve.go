package signing

import "slices"

func readApprove(o *operation) (m tokenMove, ok bool) {
	m.amount, ok = o.u64(1)
	if o.data[0] == tokenApprove {
		m.source, m.to, m.authorities = o.at(0), o.at(1), 2
		return m, ok && o.count() >= 3
	}
	m.source, m.mint, m.to, m.authorities = o.at(0), o.at(1), o.at(2), 3
	return m, ok && len(o.data) >= 10 && o.count() >= 4
}

// tokenApprove counts an approval as spent, and lets none outlive the
// transaction but a named delegate's: an address that a pinned program derived
// and one that an attacker derived look the same.
func (c *checker) tokenApprove(o *operation) *GuardError {
	m, ok := readApprove(o)
	if !ok {
		return o.malformed()
	}
	ours, mint, err := c.source(o, m, RuleTokenApprove)
	if !ours || err != nil || mint == nil {
		return err
	}
	named := m.to != nil && (c.signs(m.to) || slices.Contains(c.want.delegates, *m.to))
	revoked := m.source != nil && o.facts().revokedAfter(*m.source, o.order)
	if !named && !revoked {
		return o.refuse(RuleTokenApprove, "a delegate that the caller named, or a revoke of the same account later in this transaction",
			"an approval of %d of %s for %s that outlives the transaction", m.amount, AssetName(assetOf(*mint)), describe(m.to))
	}
	if named && !revoked {
		c.note(o, NoteApproval, m.source, m.to, "")
	}
	if m.source != nil {
		c.approved = append(c.approved, approval{*m.source, m.amount})
	}
	c.spend(o.site(), outgoing{rule: RuleTokenApprove, mint: *mint, amount: m.amount, may: asSpend, to: m.to})
	return nil
}

// approval is what this transaction lets a delegate take, and counted so.
type approval struct {
	account PublicKey
	left    uint64
}

// taken returns how much of what a delegate takes in a simulated call was
// counted with its approval already.
func (c *checker) taken(source *PublicKey, amount uint64) uint64 {
	for i := range c.approved {
		if a := &c.approved[i]; source != nil && a.account == *source {
			n := min(a.left, amount)
			a.left -= n
			return n
		}
	}
	return 0
}
