package judge

import (
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

func (c *checker) tokenTransfer(o *operation) *rule.Refusal {
	if o.Data[0] == program.TokenTransferFee &&
		(o.Program != program.Token2022 || len(o.Data) < 2 || o.Data[1] != program.TransferFeeTransfer) {
		if o.Program == program.Token2022 && len(o.Data) >= 2 && o.Data[1] == program.TransferFeeHarvest {
			return nil
		}
		return c.tokenDenied(o)
	}
	m, ok := o.ReadTokenTransfer()
	if !ok {
		return o.malformed()
	}
	if o.MayHook() && !o.simulated {
		if refused := c.lent(o, m); refused != nil {
			return refused
		}
	}
	ours, mint, refused := c.source(o, m, rule.TokenTransfer)
	if refused != nil {
		return refused
	}
	if !ours {
		c.received(o, m)
		return nil
	}
	c.decimals(o, m)
	if m.Amount == 0 {
		c.note(o, NoteZero, m.Source, m.To, "")
	}
	if keeps, of := c.tokenAccount(o, m.To, mint); keeps && (of == nil || *of == *mint) && !c.shownAnothers(m.To) &&
		!o.facts().gone(m.To, o.order) && !slices.Contains(c.ledger.closed, *m.To) {
		c.lift(m.Source)
		withheld, may := c.withheld(o, m, *mint), c.spends(o, mint, *mint, o.Program)
		if len(c.want.feeTo) == 0 {
			may |= caps.Fee // what a mint withholds goes to no receiver that is named
		}
		c.findings.stays(o.site(), *mint, m.Amount-min(withheld, m.Amount), m.To)
		c.spend(o.site(), outgoing{rule: rule.TokenTransfer, mint: *mint, amount: withheld, may: may, to: mint})
		return nil
	}
	if o.simulated && !c.signedByUs(o, m.Authorities) {
		m.Amount -= c.taken(m.Source, m.Amount)
	}
	c.draw(m.Source, *mint, m.Amount)
	c.spend(o.site(), outgoing{
		rule:   rule.TokenTransfer,
		mint:   *mint,
		amount: m.Amount,
		may:    c.spends(o, m.To, *mint, o.Program) | c.fees(o, m.To, *mint, o.Program),
		from:   m.Source,
		to:     m.To,
		wallet: c.walletOf(o, m.To, *mint),
	})
	return nil
}

// received notes what another's transfer adds.
func (c *checker) received(o *operation, m program.TokenMove) {
	if gets, of := c.tokenAccount(o, m.To, m.Mint); gets && of != nil && !c.shownAnothers(m.To) {
		fee, known := c.transferFee(o, m, *of)
		if !known && !o.simulated {
			c.ledger.arrivals.less = append(c.ledger.arrivals.less, *of)
		}
		c.arrives(o, *m.To, *of, m.Amount-min(fee, m.Amount))
	}
}

// source says whether a transfer or an approval is ours, and of which mint. An
// instruction that names no mint, or a mint that only a table names, passes
// only from an account whose mint is known.
func (c *checker) source(o *operation, m program.TokenMove, by string) (ours bool, mint *Key, refused *rule.Refusal) {
	signed := c.signedByUs(o, m.Authorities)
	if signed && m.Mint != nil {
		return true, m.Mint, nil
	}
	account, mint := c.tokenAccount(o, m.Source, m.Mint)
	if mint == nil && o.simulated {
		account, mint = c.shownMint(m.Source)
	}
	if !signed && !account {
		return false, nil, nil
	}
	if m.Mint != nil {
		return true, m.Mint, nil
	}
	if !account || mint == nil {
		return true, nil, o.refuse(by, "a source whose mint is known: an associated account of a mint that you asked "+
			"for, one made in this transaction, or one that Policy.Accounts lists",
			"a source %s of an unknown mint", describe(m.Source))
	}
	return true, mint, nil
}

// shownMint is the mint of a token account of ours that the outcome shows.
func (c *checker) shownMint(account *Key) (ours bool, mint *Key) {
	if account == nil || c.seen == nil {
		return false, nil
	}
	i := slices.Index(c.seen.accounts, *account)
	if i < 0 {
		return false, nil
	}
	t, ok := program.ReadTokenState(c.seen.before[i])
	if !ok || !c.holds(*account, t) {
		return false, nil
	}
	return true, &t.Mint
}

// decimals notes the decimals that a checked transfer names.
func (c *checker) decimals(o *operation, m program.TokenMove) {
	if o.simulated || m.Mint == nil || o.Data[0] != program.TokenTransferChecked {
		return
	}
	if f, d := c.findings, (Decimals{c.index, *m.Mint, o.Data[9]}); !slices.Contains(f.Decimals, d) {
		f.Decimals = append(f.Decimals, d)
	}
}
