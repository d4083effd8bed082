package judge

import (
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

func (c *checker) tokenBurn(o *operation) *rule.Refusal {
	amount, ok := o.U64(1)
	if !ok || o.Count() < 3 || o.Data[0] == program.TokenBurnChecked && len(o.Data) < 10 {
		return o.malformed()
	}
	account, mint := o.At(0), o.At(1)
	ours, of := c.tokenAccount(o, account, mint)
	if !ours && !c.signedByUs(o, 2) {
		return nil
	}
	if mint == nil {
		mint = of
	}
	if mint == nil {
		return o.refuse(rule.TokenBurn, "a burn of a mint that is known",
			"a burn of %d of a mint that only a lookup table names", amount)
	}
	all := slices.Contains(c.want.burnAll, *mint) || account != nil && slices.Contains(c.want.burnAll, *account)
	out := outgoing{rule: rule.TokenBurn, mint: *mint, amount: amount, may: caps.Burn, to: account}
	if all {
		if ours {
			c.ledger.burned = append(c.ledger.burned, caps.Limit{Mint: program.Asset(*mint), Most: amount})
		}
		c.findings.burns(o.site(), out)
		return nil
	}
	c.spend(o.site(), out)
	return nil
}
