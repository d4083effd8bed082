package signing

import "slices"

// tokenClose covers what pays lamports out of a token account: closing it,
// taking the excess, unwrapping.
func (c *checker) tokenClose(o *operation) *GuardError {
	account, to := o.at(0), o.at(1)
	if o.count() < 3 || o.data[0] == tokenUnwrap && !wholeUnwrap(o.data) {
		return o.malformed()
	}
	if !c.signedByUs(o, 2) {
		if ours, _ := c.tokenAccount(o, account, nil); !ours {
			return nil
		}
	}
	if c.keeps(to, o) {
		c.note(o, NoteClose, account, to, c.askedFor(account))
		return nil
	}
	if to != nil && o.data[0] == tokenClose && slices.Contains(c.want.sponsors, *to) && c.holdsRentOnly(o, account) {
		c.note(o, NoteClose, account, to, c.askedFor(account))
		return nil
	}
	rule := RuleTokenClose
	if to == nil {
		rule = RuleLookup
	}
	return o.refuse(rule, "the owner or an account of ours; a named sponsor for the rent of an account that holds no wrapped SOL",
		"the lamports of %s to %s", describe(account), describe(to))
}

// wholeUnwrap: an option of a u64.
func wholeUnwrap(data []byte) bool {
	return len(data) >= 2 && (data[1] == 0 || data[1] == 1 && len(data) >= 10)
}

// holdsRentOnly reports whether a token account of ours is known to hold no
// wrapped SOL, and nothing in the set moved lamports into it.
func (c *checker) holdsRentOnly(o *operation, account *PublicKey) bool {
	ours, mint := c.tokenAccount(o, account, nil)
	return ours && mint != nil && assetOf(*mint) != NativeMint && !slices.Contains(c.ledger.credited, *account)
}

// askedFor says so of an account that the request asked to close.
func (c *checker) askedFor(account *PublicKey) string {
	if account != nil && slices.Contains(c.want.closes, *account) {
		return "as asked"
	}
	return ""
}

func (c *checker) tokenBurn(o *operation) *GuardError {
	amount, ok := o.u64(1)
	if !ok || o.count() < 3 || o.data[0] == tokenBurnChecked && len(o.data) < 10 {
		return o.malformed()
	}
	account, mint := o.at(0), o.at(1)
	ours, of := c.tokenAccount(o, account, mint)
	if !ours && !c.signedByUs(o, 2) {
		return nil
	}
	if mint == nil {
		mint = of
	}
	if mint == nil {
		return o.refuse(RuleTokenBurn, "a burn of a mint that is known", "a burn of %d of a mint that only a lookup table names", amount)
	}
	all := slices.Contains(c.want.burnAll, *mint) || account != nil && slices.Contains(c.want.burnAll, *account)
	item := outgoing{rule: RuleTokenBurn, mint: *mint, amount: amount, may: asBurn, to: account}
	if all {
		c.ledger.burned = append(c.ledger.burned, *mint)
		c.report.burns(o.site(), item)
		return nil
	}
	c.spend(o.site(), item)
	return nil
}
