package judge

import (
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
	rent := uint64(program.Token2022AccountRent)
	if of := o.At(5); of != nil {
		if !program.IsToken(*of) {
			return o.refuse(rule.AssociatedToken, allowed, "an account of program %s", of)
		}
		if *of == program.Token {
			rent = program.TokenAccountRent
		}
	}
	if account, wallet, mint, of := o.At(1), o.At(2), o.At(3), o.At(5); account != nil && wallet != nil && mint != nil && of != nil {
		if derived := c.associatedOf(wallet, mint, of); *derived != *account {
			return o.refuse(rule.AssociatedToken, "the address that wallet, mint and program derive, "+derived.String(), "%s", account)
		}
	}
	if c.signs(o.At(0)) {
		wallet := o.At(2)
		may := caps.ForeignRent
		if wallet != nil && *wallet == c.want.owner {
			may = caps.Rent
		}
		c.spend(o.site(), outgoing{rule: rule.Rent, mint: program.NativeMint, amount: rent, may: may, to: o.At(1), wallet: wallet})
	}
	return nil
}

// precompile checks signatures, which costs a fee each and touches nothing.
func (c *checker) precompile(o *operation) *rule.Refusal {
	if len(o.Data) > 0 {
		c.budget.signatures += uint64(o.Data[0])
	}
	c.note(o, NoteSignatures, nil, nil, o.Known.Name)
	return nil
}
