package signing

import "fmt"

// refusal says which item does not fit. It is asked for where no assignment
// was found, and names the first item that cannot be had.
func (m *matching) refusal() *GuardError {
	m.rentFirst()
	if i := m.unmatched(); i >= 0 {
		return m.recipient(&m.items[i])
	}
	if i := m.addsUp(); i >= 0 {
		return m.exceeded(i)
	}
	// Every item fits by itself and no assignment of all was found.
	return m.recipient(&m.items[len(m.items)-1])
}

// unmatched returns the first item that is neither a tip nor a fee nor
// anything that adds up, given that a transaction has one tip and one fee.
func (m *matching) unmatched() int {
	m.tip, m.fees = sum{}, make([]sum, len(m.want.fee))
	for n := range m.begins {
		from, to := m.span(n)
		tip, fee := false, false
		for i := from; i < to; i++ {
			switch {
			case m.items[i].as != 0:
			case !tip && m.take(i, asTip):
				tip = true
			case !fee && m.take(i, asFee):
				fee = true
			default:
				return i
			}
		}
	}
	return -1
}

// recipient refuses an item that only a tip or a fee could cover.
func (m *matching) recipient(item *outgoing) *GuardError {
	allowed := fmt.Sprintf("a recipient that is ours or named; else one tip of at most %d lamports and one service fee of at most %d a transaction",
		m.want.tip, most(m.want.fee, item.mint))
	return item.refuse(item.fallsUnder(m.want), allowed, fmt.Sprintf("%d of %s to %s", item.amount, AssetName(item.mint), describe(item.to)))
}

// unnamedRule is the rule under which value for a recipient whom nobody named
// falls.
func unnamedRule(w *wanted, item *outgoing) Rule {
	switch {
	case item.to == nil:
		return RuleLookup
	case w.tip > 0 && item.may&asTip != 0 || most(w.fee, item.mint) > 0:
		return RuleTip
	}
	return item.rule
}

// exceeded refuses the item whose sum is past its cap.
func (m *matching) exceeded(i int) *GuardError {
	item := &m.items[i]
	if item.as == asRent {
		return item.refuse(RuleRent, fmt.Sprintf("rent of at most %d lamports in all", m.want.rent),
			fmt.Sprintf("%d lamports of rent, past the cap with those before", item.amount))
	}
	verb, cap := "spend", m.cap(item)
	if item.as == asBurn {
		verb = "burn"
	}
	found := fmt.Sprintf("%d of %s to %s", item.amount, AssetName(item.mint), describe(item.to))
	if total := m.total(i); total != (sum{low: item.amount}) {
		found += fmt.Sprintf(", %d in all so far", total.low)
	}
	return item.refuse(item.rule, fmt.Sprintf("to %s at most %d of %s", verb, cap, AssetName(item.mint)), found)
}

// AssetName is "SOL" for lamports, wrapped or not, and the mint otherwise.
func AssetName(mint PublicKey) string {
	if mint == NativeMint {
		return "SOL (in lamports)"
	}
	return mint.String()
}
