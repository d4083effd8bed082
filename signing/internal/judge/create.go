package judge

import (
	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

func (c *checker) systemCreate(o *operation) *rule.Refusal {
	a, ok := o.ReadCreation()
	if !ok {
		return o.refuse(rule.SystemUnknown, "a whole create", "a create with %d bytes and %d accounts",
			len(o.Data), o.Count())
	}
	const allowed = "a token account that this transaction makes yours, or an account of a program in Policy.Pins, " +
		"at a new address"
	ours := c.signs(a.Payer)
	if k := a.Account; k != nil && (c.signs(k) || c.listed(*k) != nil && !(o.simulated && c.shownUnmade(k))) {
		return o.refuse(rule.SystemCreate, allowed, "a create at our own address %s", *a.Account)
	}
	if !ours && !(a.WithSeed && c.signs(&a.Base)) {
		return nil
	}
	if a.WithSeed && !o.simulated {
		if a.Base != c.want.owner {
			return o.refuse(rule.SystemCreate, "the owner as base of the derived address", "base %s", a.Base)
		}
		if a.Account == nil || *a.Account != program.SeedAddress(a.Base, a.Seed, a.Owner) {
			return o.refuse(rule.SystemCreate, "the address that base, seed and program derive", "%s", describe(a.Account))
		}
	}
	if !c.mayOwn(a, o) {
		return o.refuse(rule.SystemCreate, allowed, "an account of program %s, %d bytes, at %s",
			program.Name(a.Owner), a.Space, describe(a.Account))
	}
	if ours {
		c.payFor(o, a)
	}
	return nil
}

// mayOwn reports whether the new account's program is one that the table
// allows. What a pinned program makes in its own call is under the rent's cap.
func (c *checker) mayOwn(a program.Creation, o *operation) bool {
	if o.simulated {
		return true
	}
	if !program.IsToken(a.Owner) {
		return program.Lookup(&a.Owner).Kind == program.Unruled && c.pinned(&a.Owner)
	}
	if a.Account == nil {
		return false
	}
	init := c.facts.initialisedAfter(a.Account, a.Owner, o.order)
	return init != nil && (init.isMint || init.owner == c.want.owner)
}

// payFor splits what a new account gets into rent and what is beyond it.
func (c *checker) payFor(o *operation, a program.Creation) {
	rent := min(a.Lamports, program.Rent(a.Space))
	c.rent(o, rent, a.Account)
	if beyond := a.Lamports - rent; beyond > 0 && c.wraps(o, a) {
		c.findings.stays(o.site(), program.NativeMint, beyond, a.Account)
	} else if beyond > 0 { // else draw would find one with nothing to draw
		c.beyond = append(c.beyond, excess{Site: o.site(), account: a.Account, amount: beyond})
	}
}

// wraps reports a call that makes a wrapped account of ours, which the outcome shows to be ours alone.
func (c *checker) wraps(o *operation, a program.Creation) bool {
	if !o.simulated || c.seen == nil || a.Account == nil || c.shownAnothers(a.Account) {
		return false
	}
	init := c.simulatedFacts.initialisedAfter(a.Account, a.Owner, o.order)
	return init != nil && !init.isMint && init.owner == c.want.owner && init.mint != nil &&
		program.IsNative(*init.mint, init.program)
}

// rent adds what a new account costs.
func (c *checker) rent(o *operation, lamports uint64, account *Key) {
	may := c.rentFor(account)
	c.spend(o.site(), outgoing{rule: rule.Rent, mint: program.NativeMint, amount: lamports, may: may, to: account})
}

// excess is the amount that a new account gets beyond its rent.
type excess struct {
	rule.Site
	account *Key
	amount  uint64
	drawn   uint64 // of it leaves the account again, by a transfer that counts
}

// draw notes that wrapped lamports leave an account by a counted transfer, so
// that they do not count twice.
func (c *checker) draw(source *Key, mint Key, amount uint64) {
	if source == nil || program.Asset(mint) != program.NativeMint {
		return
	}
	for i := range c.beyond {
		e := &c.beyond[i]
		if e.account != nil && *e.account == *source {
			e.drawn = caps.Add(e.drawn, amount)
			return
		}
	}
}

// spendExcess counts as spent what new accounts got beyond their rent.
func (c *checker) spendExcess() {
	may := caps.Spend
	if len(c.want.payTo) > 0 {
		may = 0 // no new account is a payee
	}
	for i := range c.beyond {
		e := &c.beyond[i]
		c.spend(e.Site, outgoing{
			rule:   rule.SystemCreate,
			mint:   program.NativeMint,
			amount: e.amount - min(e.amount, e.drawn),
			to:     e.account,
			may:    may,
		})
	}
}
