package judge

import (
	"cmp"
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/caps"
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
			"a delegate that you named, or a revoke of the same account later in this transaction",
			"an approval of %s for %s that outlives the transaction",
			program.Amount(program.Asset(*mint), m.Amount), describe(m.To))
	}
	if named && !revoked {
		c.note(o, NoteApproval, m.Source, m.To, "")
		c.findings.Notes[len(c.findings.Notes)-1].Amount = m.Amount
	}
	a := approval{mint: *mint, amount: m.Amount, left: m.Amount}
	if a.lasts = named && !revoked && !o.simulated && !c.signs(m.To); m.Source != nil {
		a.account = *m.Source
	}
	c.approved = append(c.approved, a)
	out := outgoing{
		rule:   rule.TokenApprove,
		mint:   *mint,
		amount: m.Amount,
		may:    c.spends(o, m.To, *mint, o.Program),
		to:     m.To,
	}
	if revoked { // then it can pass, as a transfer by the delegate would
		out.from = m.Source
	}
	c.spend(o.site(), out)
	return nil
}

// approval is the amount that this transaction lets a delegate take, and counts.
type approval struct {
	account, mint Key
	amount, left  uint64
	lasts         bool // by the bytes it outlives the transaction
}

// granted is how much of k may be taken after this transaction, by its bytes.
func (c *checker) granted(k *Key) (amount uint64) {
	for i := range c.approved {
		if a := &c.approved[i]; a.lasts && a.account == *k {
			amount = caps.Add(amount, a.amount)
		}
	}
	return amount
}

// lent is how much the set has let delegates take of an account, and how much of that they
// have not yet taken, which is a loss to come.
type lent struct {
	account, mint Key
	all, left     uint64
}

// lend notes how a transaction changes what delegates may take of an account of ours. It
// returns by how much that has grown.
func (l *ledger) lend(c *checker, account Key, was, is program.TokenState) (grown uint64) {
	had, has := c.delegated(was), c.delegated(is)
	if had == 0 && has == 0 {
		return 0
	}
	of := l.lentOf(account, cmp.Or(is.Mint, was.Mint))
	of.left = max(of.left, min(of.all, had))
	if was.Delegate != is.Delegate {
		of.takes(had)
		had = 0
	}
	of.takes(had - min(has, had))
	grown = has - min(has, had)
	of.lends(grown)
	return grown
}

// delegated is how much somebody else may take of an account.
func (c *checker) delegated(s program.TokenState) uint64 {
	if s.Delegate.IsZero() || c.signs(&s.Delegate) {
		return 0
	}
	return s.Delegated
}

// lendByBytes notes what an executed transaction lets delegates take, which effects do not
// tell. What an account has lost, its delegate is taken to have taken.
func (l *ledger) lendByBytes(c *checker, s *outcome) {
	for i := range c.approved {
		if a := &c.approved[i]; a.lasts {
			l.lentOf(a.account, a.mint).lends(a.amount)
		}
	}
	for i := range l.lent {
		of := &l.lent[i]
		if at := slices.Index(s.accounts, of.account); at >= 0 {
			was, _ := program.ReadTokenState(s.before[at])
			is, _ := program.ReadTokenState(s.after[at])
			of.takes(was.Amount - min(was.Amount, is.Amount))
		}
	}
}

func (l *ledger) lentOf(account, mint Key) *lent {
	i := slices.IndexFunc(l.lent, func(of lent) bool { return of.account == account })
	if i < 0 {
		i = len(l.lent)
		l.lent = append(l.lent, lent{account: account, mint: program.Asset(mint)})
		l.changed(program.Asset(mint)) // so that it is held against its cap
	}
	return &l.lent[i]
}

func (of *lent) lends(n uint64) { of.all, of.left = caps.Add(of.all, n), caps.Add(of.left, n) }

func (of *lent) takes(n uint64) { of.left -= min(of.left, n) }

// owing is how much of a mint delegates may still take.
func (l *ledger) owing(mint Key) (amount uint64) {
	for i := range l.lent {
		if l.lent[i].mint == mint {
			amount = caps.Add(amount, l.lent[i].left)
		}
	}
	return amount
}

// taken returns how much of what a delegate takes in a simulated call was
// counted with its approval already, the last one: it has replaced those before.
func (c *checker) taken(source *Key, amount uint64) uint64 {
	for i := len(c.approved) - 1; i >= 0; i-- {
		if a := &c.approved[i]; source != nil && a.account == *source {
			n := min(a.left, amount)
			a.left -= n
			return n
		}
	}
	return 0
}

// unfollowed refuses an approval that a call makes while later transactions are to be signed
// after it: what the ledger tells of an executed transaction says nothing of delegates.
func (c *checker) unfollowed(account Key, amount uint64) *rule.Refusal {
	o := c.whole()
	o.simulated = true
	return o.refuse(rule.SimulationAuthority, "approvals by instructions of the transaction itself, as later ones are "+
		"signed after it; else send the set as a bundle, checked on a node that runs sets in order", "an approval "+
		"of %d of %s within a program's call", amount, account)
}
