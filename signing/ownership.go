package signing

import "slices"

// Ours are the owner, its associated token accounts, an account that this
// transaction creates and initialises to the owner, and what the caller
// listed. In a set, what an earlier transaction creates is not ours in a later
// one, because the earlier may fail.

// derivedAccount is an associated token account of the owner's.
type derivedAccount struct{ address, mint, program PublicKey }

// signs reports whether k is the owner, or a key that holds authority for the
// caller. An unknown account is not: signers are always static keys.
func (c *checker) signs(k *PublicKey) bool {
	return k != nil && (same(k, &c.want.owner) || slices.Contains(c.guard.policy.Keys, *k))
}

// signedByUs reports whether an authority of ours stands among the accounts
// from one on: as the authority itself, or as a signer of a multisig.
func (c *checker) signedByUs(o *operation, from int) bool {
	for i := from; i < o.count(); i++ {
		if c.signs(o.at(i)) {
			return true
		}
	}
	return false
}

func (c *checker) listed(k PublicKey) *OwnAccount {
	for i := range c.guard.policy.Accounts {
		if c.guard.policy.Accounts[i].Address == k {
			return &c.guard.policy.Accounts[i]
		}
	}
	return nil
}

// keeps reports whether lamports that move to k at this point stay ours.
func (c *checker) keeps(k *PublicKey, order int) bool {
	if k == nil {
		return false
	}
	if same(k, &c.want.owner) || c.listed(*k) != nil {
		return true
	}
	if len(c.facts.closed) > 0 && c.facts.gone(k, order) {
		return false
	}
	return c.madeHere(k) || c.associated(k) != nil
}

// madeHere reports whether this transaction makes k a token account of the
// owner's.
func (c *checker) madeHere(k *PublicKey) bool {
	for i := range c.facts.atas {
		if a := &c.facts.atas[i]; same(&a.account, k) && a.wallet == c.want.owner {
			return true
		}
	}
	made := c.facts.createdAs(k)
	if made == nil {
		return false
	}
	init := c.facts.initialised(*k, made.owner)
	return init != nil && !init.isMint && init.owner == c.want.owner
}

// associated returns the associated token account of ours that k is, among
// those of the mints that the intent or the transaction names.
func (c *checker) associated(k *PublicKey) *derivedAccount {
	all := c.ourAssociated()
	for i := range all {
		if same(&all[i].address, k) {
			return &all[i]
		}
	}
	return nil
}

// ourAssociated derives them, the first time that it is asked.
func (c *checker) ourAssociated() []derivedAccount {
	if len(c.derived) > 0 {
		return c.derived
	}
	c.deriveNative()
	for _, limits := range [][]limit{c.want.spend, c.want.burn, c.want.receive, c.want.fee} {
		for _, l := range limits {
			c.deriveBoth(l.mint)
		}
	}
	for _, mint := range c.facts.mints {
		c.deriveBoth(mint)
	}
	return c.derived
}

// deriveNative takes the wrapped accounts of an owner from the last check,
// when that was of the same: most wallets sign for one owner.
func (c *checker) deriveNative() {
	if c.natives[0].address.IsZero() || c.nativesOf != c.want.owner {
		c.derive(NativeMint, TokenProgram)
		c.derive(NativeMintToken2022, Token2022Program)
		c.nativesOf, c.natives = c.want.owner, [2]derivedAccount(c.derived)
		return
	}
	c.derived = append(c.derived, c.natives[:]...)
}

func (c *checker) deriveBoth(mint PublicKey) {
	if mint == NativeMint || mint == NativeMintToken2022 ||
		slices.ContainsFunc(c.derived, func(d derivedAccount) bool { return d.mint == mint }) {
		return
	}
	c.derive(mint, TokenProgram)
	c.derive(mint, Token2022Program)
}

func (c *checker) derive(mint, program PublicKey) {
	c.derived = append(c.derived, derivedAccount{c.guard.derived.associated(c.want.owner, mint, program), mint, program})
}

// tokenAccount says whether k is a token account of ours, and of which mint,
// nil where that is not known. mint is what the instruction names, or nil.
func (c *checker) tokenAccount(k, mint *PublicKey, program PublicKey) (ours bool, of *PublicKey) {
	if k == nil {
		return false, nil
	}
	if l := c.listed(*k); l != nil {
		if l.Mint.IsZero() {
			return true, nil
		}
		return true, &l.Mint
	}
	for i := range c.facts.atas {
		if a := &c.facts.atas[i]; a.account == *k && a.program == program {
			return a.wallet == c.want.owner, a.mint
		}
	}
	if init := c.facts.initialised(*k, program); init != nil && c.madeHere(k) {
		return true, init.mint
	}
	if mint != nil {
		return c.guard.derived.associated(c.want.owner, *mint, program) == *k, mint
	}
	if d := c.associated(k); d != nil && d.program == program {
		return true, &d.mint
	}
	return false, nil
}

// named reports whether the request named k, or a wallet whose associated
// account of the mint k is.
func (c *checker) named(k *PublicKey, mint, program PublicKey) bool {
	if k == nil {
		return false
	}
	for _, destination := range c.want.destinations {
		if destination == *k || c.guard.derived.associated(destination, mint, program) == *k {
			return true
		}
	}
	return false
}
