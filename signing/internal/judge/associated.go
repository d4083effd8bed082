package judge

import (
	"slices"

	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

// associatedToken is the associated token account program's row: a create,
// whoever it is for, at the cost of its rent.
func (c *checker) associatedToken(o *operation) *rule.Refusal {
	const allowed = "create, plain or idempotent, of a token program's account"
	switch {
	case o.simulated:
		return nil // the create or transfer that it calls pays the rent
	case len(o.Data) > 1 || len(o.Data) == 1 && o.Data[0] > 1:
		return o.refuse(rule.AssociatedToken, allowed, "%d bytes, the first of them %d", len(o.Data), o.Data[0])
	case o.Count() < 6:
		return o.refuse(rule.AssociatedToken, allowed, "%d accounts", o.Count())
	}
	of := c.createdUnder(o)
	if of != nil && !program.IsToken(*of) {
		return o.refuse(rule.AssociatedToken, allowed, "an account of program %s", of)
	}
	if account, wallet, mint := o.At(1), o.At(2), o.At(3); account != nil && wallet != nil && mint != nil && of != nil {
		if derived := c.associatedOf(wallet, mint, of); *derived != *account {
			return o.refuse(rule.AssociatedToken, "the address that wallet, mint and program derive, "+derived.String(),
				"%s", account)
		}
	}
	if wallet := o.At(2); c.signs(o.At(0)) && !c.passesOver(o.At(1), wallet) {
		may := caps.ForeignRent
		if wallet != nil && *wallet == c.want.owner {
			may = caps.Rent
		}
		c.spend(o.site(), outgoing{
			rule:   rule.Rent,
			mint:   program.NativeMint,
			amount: associatedRent(of),
			may:    may,
			to:     o.At(1),
			wallet: wallet,
		})
	}
	return nil
}

// passesOver reports that a create of an account of the owner's finds it there, by the outcome, and costs
// nothing. What an outcome does not tell of closing it meanwhile shows in the balances.
func (c *checker) passesOver(account, wallet *Key) bool {
	if account == nil || wallet == nil || *wallet != c.want.owner {
		return false
	}
	there, _ := c.shownMint(account)
	closes := func(e event) bool { return e.account == *account }
	return there && !slices.ContainsFunc(c.facts.closed, closes) && !slices.ContainsFunc(c.simulatedFacts.closed, closes)
}

// createdUnder is the token program of a new associated account. If only a
// lookup table names it, the address tells it: the program fails at any other
// than the derived one. It is nil if that cannot be known either.
func (c *checker) createdUnder(o *operation) *Key {
	account, wallet, mint, of := o.At(1), o.At(2), o.At(3), o.At(5)
	if of != nil || account == nil || wallet == nil {
		return of
	}
	if mint == nil {
		if d := c.associated(account); d != nil && *wallet == c.want.owner {
			return &d.by
		}
		return nil
	}
	for _, by := range []*Key{&program.Token, &program.Token2022} {
		if txwire.Same(c.associatedOf(wallet, mint, by), account) {
			return by
		}
	}
	return nil
}

// associatedRent is the most that an account of a token program costs. A
// program that is unknown chooses the length.
func associatedRent(of *Key) uint64 {
	switch {
	case of == nil:
		return program.CalledRent
	case *of == program.Token:
		return program.TokenAccountRent
	}
	return program.Token2022AccountRent
}

// precompile checks signatures, which costs a fee each and touches nothing.
func (c *checker) precompile(o *operation) {
	c.budget.signatures += uint64(o.Tag())
	c.note(o, NoteSignatures, nil, nil, o.Known.Name)
}
