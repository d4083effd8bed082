package signing

import (
	"encoding/binary"
	"slices"
)

const (
	rentPerByte       = 6960     // lamports that exempt a byte from rent
	rentOverhead      = 128      // bytes that every account counts beside its space
	maxPermittedSpace = 10 << 20 // bytes
)

// rentOf is what an account of so much space needs at most; what it gets
// beyond is spent.
func rentOf(space uint64) uint64 {
	return rentPerByte * (min(space, maxPermittedSpace) + rentOverhead)
}

// systemCreateArgs is a create of any of the three kinds.
type systemCreateArgs struct {
	payer, account *PublicKey
	base           PublicKey // of a derived address
	seed           string
	withSeed       bool
	lamports       uint64
	space          uint64
	owner          PublicKey // program
}

func readCreate(o *operation) (a systemCreateArgs, ok bool) {
	at := 4
	switch systemTag(o) {
	case systemCreateAccount:
		a.payer, a.account = o.at(0), o.at(1)
		ok = o.count() >= 2
	case systemCreateAllowPrefund:
		a.account, a.payer = o.at(0), o.at(1)
		ok = o.count() >= 1
	case systemCreateAccountWithSeed:
		a.payer, a.account, a.withSeed = o.at(0), o.at(1), true
		ok = o.count() >= 2
		if a.base, a.seed, at, ok = readSeed(o.data, ok); !ok {
			return a, false
		}
	}
	if !ok || len(o.data) < at+8+8+32 {
		return a, false
	}
	a.lamports, a.space = binary.LittleEndian.Uint64(o.data[at:]), binary.LittleEndian.Uint64(o.data[at+8:])
	a.owner = PublicKey(o.data[at+16 : at+48])
	return a, true
}

// readSeed reads base and seed, and returns where the next field begins.
func readSeed(data []byte, soFar bool) (base PublicKey, seed string, at int, ok bool) {
	if !soFar || len(data) < 4+32+8 {
		return base, "", 0, false
	}
	length := binary.LittleEndian.Uint64(data[36:])
	if length > maxSeed || len(data) < 44+int(length) {
		return base, "", 0, false
	}
	return PublicKey(data[4:36]), string(data[44 : 44+length]), 44 + int(length), true
}

func (c *checker) systemCreate(o *operation) *GuardError {
	a, ok := readCreate(o)
	if !ok {
		return o.refuse(RuleSystemUnknown, "a whole create", "a create with %d bytes and %d accounts", len(o.data), o.count())
	}
	const allowed = "a token account that this transaction initialises to the owner, or an account of a pinned program, at a new address"
	ours := c.signs(a.payer)
	if a.account != nil && (c.signs(a.account) || c.listed(*a.account) != nil) {
		return o.refuse(RuleSystemCreate, allowed, "a create at our own address %s", *a.account)
	}
	if !ours && !(a.withSeed && c.signs(&a.base)) {
		return nil
	}
	if a.withSeed && !o.simulated {
		if a.base != c.want.owner {
			return o.refuse(RuleSystemCreate, "the owner as base of the derived address", "base %s", a.base)
		}
		if a.account == nil || *a.account != SeedAddress(a.base, a.seed, a.owner) {
			return o.refuse(RuleSystemCreate, "the address that base, seed and program derive", "%s", describe(a.account))
		}
	}
	if !c.mayOwn(a, o) {
		return o.refuse(RuleSystemCreate, allowed, "an account of program %s, %d bytes, at %s", ProgramName(a.owner), a.space, describe(a.account))
	}
	if ours {
		c.payFor(o, a)
	}
	return nil
}

// mayOwn reports whether the new account's program is one that the table
// allows. What a pinned program makes in its own call is under the rent's cap.
func (c *checker) mayOwn(a systemCreateArgs, o *operation) bool {
	if o.simulated {
		return true
	}
	if !isTokenProgram(a.owner) {
		return lookupProgram(&a.owner).kind == programUnknown && slices.Contains(c.pins, a.owner)
	}
	if a.account == nil {
		return false
	}
	init := c.facts.initialisedAfter(a.account, a.owner, o.order)
	return init != nil && (init.isMint || init.owner == c.want.owner)
}

// payFor splits what a new account gets into rent and what is beyond it.
func (c *checker) payFor(o *operation, a systemCreateArgs) {
	rent := min(a.lamports, rentOf(a.space))
	c.rent(o, rent, a.account)
	if beyond := a.lamports - rent; beyond > 0 {
		c.beyond = append(c.beyond, excess{site: o.site(), account: a.account, amount: beyond})
	}
}

// rent adds what a new account costs.
func (c *checker) rent(o *operation, lamports uint64, account *PublicKey) {
	c.spend(o.site(), outgoing{rule: RuleRent, mint: NativeMint, amount: lamports, may: asRent, to: account})
}

// excess is what a new account gets beyond its rent.
type excess struct {
	site
	account *PublicKey
	amount  uint64
	drawn   uint64 // of it leaves the account again, by a transfer that counts
}

// draw notes that wrapped lamports leave an account by a counted transfer, so
// that they do not count twice.
func (c *checker) draw(source *PublicKey, mint PublicKey, amount uint64) {
	if source == nil || assetOf(mint) != NativeMint {
		return
	}
	for i := range c.beyond {
		e := &c.beyond[i]
		if e.account != nil && *e.account == *source {
			e.drawn = addSaturated(e.drawn, amount)
			return
		}
	}
}

// spendExcess counts as spent what new accounts got beyond their rent.
func (c *checker) spendExcess() {
	for i := range c.beyond {
		e := &c.beyond[i]
		c.spend(e.site, outgoing{rule: RuleSystemCreate, mint: NativeMint, amount: e.amount - min(e.amount, e.drawn), to: e.account, may: asSpend})
	}
}
