package judge

import (
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

// tokenClose covers what pays lamports out of a token account: closing it,
// taking the excess, unwrapping.
func (c *checker) tokenClose(o *operation) *rule.Refusal {
	account, to := o.At(0), o.At(1)
	if o.Count() < 3 || o.Data[0] == program.TokenUnwrap && !wholeUnwrap(o.Data) {
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
	if to != nil && o.Data[0] == program.TokenClose && slices.Contains(c.want.sponsors, *to) &&
		(c.holdsRentOnly(o, account) || c.shownEmpty(account)) {
		if c.seen != nil {
			c.ledger.left = append(c.ledger.left, *account)
		}
		asked := c.askedFor(account)
		c.note(o, NoteClose, account, to, asked)
		if asked == "" { // a wallet may have hundreds of empty accounts
			c.spend(o.site(), outgoing{
				rule:   rule.Rent,
				mint:   program.NativeMint,
				amount: associatedRent(&o.Program),
				may:    caps.Rent,
				to:     to,
			})
		}
		return nil
	}
	by := rule.TokenClose
	if to == nil {
		by = rule.Lookup
	}
	return o.refuse(by,
		"to you or an account of yours; to a named sponsor for the rent of an account that holds no wrapped SOL, by its "+
			"mint (list it in Policy.Accounts) or by a simulation",
		"the SOL of %s to %s", describe(account), describe(to))
}

// wholeUnwrap: an option of a u64.
func wholeUnwrap(data []byte) bool {
	return len(data) >= 2 && (data[1] == 0 || data[1] == 1 && len(data) >= 10)
}

// holdsRentOnly reports whether a token account of ours is known to hold no
// wrapped SOL, and nothing in the set moved lamports into it.
func (c *checker) holdsRentOnly(o *operation, account *Key) bool {
	ours, mint := c.tokenAccount(o, account, nil)
	return ours && mint != nil && program.Asset(*mint) != program.NativeMint &&
		!slices.Contains(c.ledger.credited, *account)
}

// shownEmpty reports whether the ledger shows that an account of the owner's, whatever
// its mint, holds nothing but its rent, and nothing in the set moved lamports into it.
func (c *checker) shownEmpty(account *Key) bool {
	if c.seen == nil || account == nil || slices.Contains(c.ledger.credited, *account) {
		return false
	}
	i := slices.Index(c.seen.accounts, *account)
	if i < 0 {
		return false
	}
	before := &c.seen.before[i]
	t, ok := program.ReadTokenState(*before)
	return ok && c.holds(*account, t) && t.Amount == 0 && program.Asset(t.Mint) != program.NativeMint &&
		before.Lamports <= program.Rent(uint64(len(before.Data)))
}

// askedFor says so of an account that the request asked to close.
func (c *checker) askedFor(account *Key) string {
	if account != nil && slices.Contains(c.want.closes, *account) {
		return "as asked"
	}
	return ""
}
