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
	rent.may |= c.rentFor(out.to)
	out.amount -= rent.amount
	c.spend(o.site(), rent)
	c.spend(o.site(), out)
}

// rentFor is the cap that the rent of an account is under, by the outcome.
func (c *checker) rentFor(k *Key) caps.Bucket {
	if c.seen != nil && k != nil {
		if i := slices.Index(c.seen.accounts, *k); i >= 0 && c.strangers(k, c.seen.after[i]) {
			return caps.ForeignRent
		}
	}
	return caps.Rent
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
