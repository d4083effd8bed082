package judge

import (
	"fmt"

	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

// refusal says why item i of a matching, whose first is item first of the
// ledger, does not fit.
func (l *ledger) refusal(m *caps.Matching, i, first int, past bool) *rule.Refusal {
	if past {
		return l.exceeded(m, i, &l.sources[first+i])
	}
	item, from := &m.Items[i], &l.sources[first+i]
	allowed := "it goes to you, or to those whom your request or settings name"
	if len(l.want.payTo) > 0 {
		allowed = "it goes to those whom your request pays"
	}
	if l.want.caps.Tip > 0 {
		allowed += "; or to anyone else a tip of at most " + program.SOL(l.want.caps.Tip)
	}
	if fee := caps.Most(l.want.caps.Fee, item.Mint); fee > 0 {
		allowed += "; or to anyone else a service fee of at most " + program.Amount(item.Mint, fee)
	}
	return from.Refuse(l.fallsUnder(first+i), allowed,
		program.Amount(item.Mint, item.Amount)+" to "+describe(from.to))
}

// exceeded refuses the item whose sum is past its cap.
func (l *ledger) exceeded(m *caps.Matching, i int, from *source) *rule.Refusal {
	item := &m.Items[i]
	if item.As == caps.ForeignRent {
		return from.Refuse(rule.Rent,
			fmt.Sprintf("rent of at most %s for accounts of other wallets", program.SOL(l.want.caps.ForeignRent)),
			fmt.Sprintf("%s of rent for %s, an account of another wallet", program.SOL(item.Amount), describe(from.to)))
	}
	if item.As == caps.Rent {
		return from.Refuse(rule.Rent, fmt.Sprintf("rent of at most %s in all", program.SOL(l.want.caps.Rent)),
			fmt.Sprintf("%s of rent, past the cap with those before", program.SOL(item.Amount)))
	}
	verb := "spend"
	if item.As == caps.Burn {
		verb = "burn"
	}
	found := program.Amount(item.Mint, item.Amount) + " to " + describe(from.to)
	if total := m.Total(i); total != (caps.Sum{}).Plus(item.Amount) {
		found += fmt.Sprintf(", %s in all so far", program.Amount(item.Mint, total.Low()))
	}
	return from.Refuse(from.rule,
		fmt.Sprintf("to %s at most %s", verb, program.Amount(item.Mint, m.Cap(item))), found)
}
