package judge

import (
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// rented holds what the calls of a transaction sent to an account as its rent.
type rented struct {
	account  Key
	lamports uint64
}

// spendInCall adds lamports that leave by a pinned program's call. Its recipients
// cannot be identified; caps hold. Rent is only what an account still lacks of
// the exemption of its space, if the transaction makes it or it has data.
func (c *checker) spendInCall(o *operation, out outgoing) {
	out.may |= caps.Spend
	rent := out
	rent.amount = c.asRent(out.to, out.amount)
	rent.may |= caps.Rent
	out.amount -= rent.amount
	c.spend(o.site(), rent)
	c.spend(o.site(), out)
}

// asRent is the part of an amount that is rent of k. All of it may be if it was
// not seen what the transaction does, which the caller allowed by name.
func (c *checker) asRent(k *Key, amount uint64) uint64 {
	if c.seen == nil {
		return amount
	}
	lacks := c.lacks(k)
	i := slices.IndexFunc(c.rented, func(r rented) bool { return r.account == *k })
	if i < 0 {
		i = len(c.rented)
		c.rented = append(c.rented, rented{account: *k})
	}
	rent := min(amount, lacks-min(lacks, c.rented[i].lamports))
	c.rented[i].lamports += rent
	return rent
}

// lacks is how many lamports exempt k, beyond those that it had.
func (c *checker) lacks(k *Key) uint64 {
	space, made := c.simulatedFacts.spaceOf(k)
	var had uint64
	if i := slices.Index(c.seen.accounts, *k); i >= 0 {
		had = c.seen.before[i].Lamports
		if after := &c.seen.after[i]; after.Made() {
			space, made = max(space, uint64(len(after.Data))), true
		}
	}
	if !made {
		return 0
	}
	rent := program.Rent(space)
	return rent - min(rent, had)
}

// measured cuts the rent of the newest transaction's token accounts, which the bytes can only
// bound, to that of the length which the outcome shows.
func (c *checker) measured(s *outcome) {
	l := c.ledger
	for i := l.begins[len(l.begins)-1]; i < len(l.items); i++ {
		item, from := &l.items[i], &l.sources[i]
		if item.May&^(caps.Rent|caps.ForeignRent) != 0 || from.to == nil {
			continue
		}
		at := slices.Index(s.accounts, *from.to)
		if at < 0 {
			continue
		}
		if _, ok := program.ReadTokenState(s.after[at]); ok {
			item.Amount = min(item.Amount, program.Rent(uint64(len(s.after[at].Data))))
			c.findings.Leaves[from.movement].Amount = item.Amount
		}
	}
}

// leftWith is the most that closing an account of ours leaves to a sponsor as its rent.
func (c *checker) leftWith(account, of *Key) uint64 {
	bound := associatedRent(of)
	if c.seen == nil || c.executed() {
		return bound
	}
	if at := slices.Index(c.seen.accounts, *account); at >= 0 && c.seen.before[at].Made() {
		return min(bound, c.seen.before[at].Lamports)
	}
	return bound
}

// exempted is how many lamports a transaction gave an account towards the
// exemption of its space.
func exempted(before, after program.State) uint64 {
	if !after.Made() {
		return 0
	}
	rent := program.Rent(uint64(len(after.Data)))
	has := min(after.Lamports, rent)
	return has - min(has, before.Lamports)
}
