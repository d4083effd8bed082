package judge

import (
	"slices"

	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// Ours are the owner, its associated token accounts, an account that this
// transaction creates and initialises to the owner, and what the caller
// listed. In a set, what an earlier transaction creates is not ours in a later
// one, because the earlier may fail.

// derivedAccount is an associated token account of the owner's.
type derivedAccount struct{ address, mint, by Key }

// signs reports whether k is the owner, or a key that holds authority for the
// caller. An unknown account is not: signers are always static keys.
func (c *checker) signs(k *Key) bool {
	return k != nil && (txwire.Same(k, &c.want.owner) || slices.Contains(c.judge.Policy.Keys, *k))
}

// signedByUs reports whether an authority of ours is among the accounts
// from an index on: as the authority itself, or as a signer of a multisig.
func (c *checker) signedByUs(o *operation, from int) bool {
	for i := from; i < o.Count(); i++ {
		if c.signs(o.At(i)) {
			return true
		}
	}
	return false
}

func (c *checker) listed(k Key) *OwnAccount {
	for i := range c.judge.Policy.Accounts {
		if c.judge.Policy.Accounts[i].Address == k {
			return &c.judge.Policy.Accounts[i]
		}
	}
	return nil
}

// keeps reports whether lamports that move to k at this point stay ours. An
// associated account of another mint than SOL keeps none: it may be impossible
// to create, or its mint's authority may hold it to ransom.
func (c *checker) keeps(k *Key, o *operation) bool {
	if k == nil {
		return false
	}
	if txwire.Same(k, &c.want.owner) {
		return true
	}
	f := o.facts()
	if f.gone(k, o.order) || c.simulatedFacts.gone(k, o.order) || c.shownAnothers(k) {
		return false
	}
	if c.listed(*k) != nil && !slices.Contains(c.ledger.closed, *k) || txwire.Same(k, &c.wrapped()[0].address) {
		return true
	}
	if init := c.madeHere(f, k, o.order); init != nil {
		return init.mint != nil && program.IsNative(*init.mint, init.program)
	}
	if made := f.ataAt(k); made != nil {
		return made.wallet == c.want.owner && program.IsNative(*made.mint, made.program)
	}
	return false
}

// shownAnothers reports a token account that the outcome shows to be another wallet's before or after, or to
// yield: the owner of an associated account may have handed it over, and its address is still the derived one.
func (c *checker) shownAnothers(k *Key) bool {
	if k == nil || c.seen == nil {
		return false
	}
	i := slices.Index(c.seen.accounts, *k)
	if i < 0 {
		return false
	}
	for _, s := range []program.State{c.seen.before[i], c.seen.after[i]} {
		if t, ok := program.ReadTokenState(s); ok && (!c.holds(*k, t) || c.yields(*k, t)) {
			return true
		}
	}
	return false
}

// yields reports an account of which we may lose something, and that keeps nothing for us: one of another's that is
// ours by the list alone, or wrapped SOL, all of which is his who may close the account.
func (c *checker) yields(account Key, t program.TokenState) bool {
	by := t.CloseAuthority
	if program.Asset(t.Mint) == program.NativeMint && !by.IsZero() && by != t.Owner && !c.answers(&by) {
		return true
	}
	return c.listed(account) != nil && !c.answers(&t.Owner)
}

// answers reports a key of ours, or an account of the caller's list that is no token account.
func (c *checker) answers(k *Key) bool {
	l := c.listed(*k)
	return c.signs(k) || l != nil && l.Mint.IsZero()
}

// ours reports whether k is an account of ours: one that keeps lamports, or a
// token account.
func (c *checker) ours(k *Key, o *operation) bool {
	if k == nil || !o.simulated && !c.maybeOurs(k) {
		return false
	}
	if txwire.Same(k, &c.want.owner) || c.listed(*k) != nil {
		return true
	}
	f := o.facts()
	if f.gone(k, o.order) {
		return false
	}
	return c.madeHere(f, k, o.order) != nil || c.associated(k) != nil
}

// maybeOurs tells nearly all foreign accounts by their first byte: a pinned
// program's call names dozens of them.
func (c *checker) maybeOurs(k *Key) bool {
	if !c.filtered {
		c.fillFilter()
	}
	return c.filter[k[0]>>6]>>(k[0]&63)&1 != 0
}

func (c *checker) fillFilter() {
	c.filtered = true
	mark := func(k *Key) { c.filter[k[0]>>6] |= 1 << (k[0] & 63) }
	mark(&c.want.owner)
	for i := range c.judge.Policy.Accounts {
		mark(&c.judge.Policy.Accounts[i].Address)
	}
	for i := range c.facts.created {
		mark(&c.facts.created[i].account)
	}
	all := c.ourAssociated()
	for i := range all {
		mark(&all[i].address)
	}
}

// madeHere returns the initialisation by which this transaction has made k a
// token account of the owner's before an order, nil if it has not.
func (c *checker) madeHere(f *facts, k *Key, order int) *initialisation {
	made := f.createdBefore(k, order)
	if made == nil {
		return nil
	}
	init := f.initialisedAfter(k, made.owner, made.order)
	if init == nil || init.isMint || init.owner != c.want.owner {
		return nil
	}
	return init
}

// ataAt returns the creation of an associated account at k in this transaction,
// if k is the address that wallet, mint and program derive. The address has no
// key, so that it does not matter when.
func (f *facts) ataAt(k *Key) *ataCreation {
	for i := range f.atas {
		if a := &f.atas[i]; a.proven && txwire.Same(&a.account, k) {
			return a
		}
	}
	return nil
}

// associated returns the associated token account of ours that k is, among
// those of the mints that the intent or the transaction names.
func (c *checker) associated(k *Key) *derivedAccount {
	all := c.ourAssociated()
	for i := range all {
		if txwire.Same(&all[i].address, k) {
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
	c.derived = append(c.derived, c.wrapped()[:]...)
	for _, limits := range [][]caps.Limit{c.want.caps.Spend, c.want.caps.Burn, c.want.receive, c.want.caps.Fee} {
		for _, l := range limits {
			c.deriveBoth(l.Mint)
		}
	}
	mints := c.facts.mints
	if len(c.inner) > 0 {
		mints = c.simulatedFacts.mints
	}
	for _, named := range [][]Key{mints, c.ledger.mints} {
		for _, mint := range named {
			c.deriveBoth(mint)
		}
	}
	return c.derived
}

// wrapped are the owner's wrapped accounts, of the classic program first. They
// are kept from the last check if it was of the same owner: most wallets sign
// for one owner.
func (c *checker) wrapped() *[2]derivedAccount {
	if c.nativesOf != c.want.owner {
		c.nativesOf = c.want.owner
		c.natives = [2]derivedAccount{
			c.derive(program.NativeMint, program.Token), c.derive(program.NativeMint2022, program.Token2022),
		}
	}
	return &c.natives
}

// associatedOf is the associated account of a wallet. The owner's wrapped
// account, which most transactions make, takes no look into the cache.
func (c *checker) associatedOf(wallet, mint, by *Key) *Key {
	if w := &c.wrapped()[0]; txwire.Same(mint, &w.mint) && txwire.Same(wallet, &c.want.owner) && txwire.Same(by, &w.by) {
		return &w.address
	}
	return new(c.judge.derived.Associated(*wallet, *mint, *by))
}

func (c *checker) deriveBoth(mint Key) {
	if slices.ContainsFunc(c.derived, func(d derivedAccount) bool { return d.mint == mint }) {
		return
	}
	c.derived = append(c.derived, c.derive(mint, program.Token), c.derive(mint, program.Token2022))
}

func (c *checker) derive(mint, by Key) derivedAccount {
	return derivedAccount{c.judge.derived.Associated(c.want.owner, mint, by), mint, by}
}

// tokenAccount says whether k is a token account of ours, and of which mint,
// nil if that is not known. mint is the mint that the operation names, or nil.
func (c *checker) tokenAccount(o *operation, k, mint *Key) (ours bool, of *Key) {
	if k == nil {
		return false, nil
	}
	if l := c.listed(*k); l != nil {
		if l.Mint.IsZero() {
			return true, nil
		}
		return true, &l.Mint
	}
	f := o.facts()
	if made := f.ataAt(k); made != nil && made.program == o.Program {
		return made.wallet == c.want.owner, made.mint
	}
	if init := c.madeHere(f, k, o.order); init != nil && init.program == o.Program {
		return true, init.mint
	}
	if mint != nil {
		return c.judge.derived.Associated(c.want.owner, *mint, o.Program) == *k, mint
	}
	if d := c.associated(k); d != nil && d.by == o.Program {
		return true, &d.mint
	}
	return false, nil
}
