package signing

import (
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// stake has the accounts of the owner's that calls may write, each once.
type stake struct {
	ours, positions  []PublicKey
	unknown, unshown int
	upTo             bool // the numbers may count an account twice
}

// add joins what a call may write.
func (s *stake) add(r *Reach) {
	s.ours, s.positions = joined(s.ours, r.Ours), joined(s.positions, r.Positions)
	s.upTo = s.upTo || s.unknown+s.unshown > 0
	s.unknown, s.unshown = s.unknown+r.Unknown, s.unshown+r.Unshown
}

// joined has the keys of both, each once.
func joined(to, from []PublicKey) []PublicKey {
	for _, k := range from {
		if !slices.Contains(to, k) {
			to = append(to, k)
		}
	}
	return to
}

// count counts accounts that have no name.
func (s *stake) count(n int) string {
	if s.upTo && n > 1 {
		return "up to " + plural(n, "account")
	}
	return plural(n, "account")
}

// stakes names accounts that may be written, with what they hold now, "" if there are none.
func (t *people) stakes(s *stake) string {
	var known, unread, others []string
	for _, k := range s.ours {
		name := t.account(k)
		if k == t.report.Owner {
			name = "the SOL of " + name
		}
		i := slices.IndexFunc(t.report.Holds, func(h Holding) bool { return h.Account == k })
		switch {
		case t.lasting:
			known = append(known, name)
		case i < 0:
			unread = append(unread, name+" (amount unknown)")
		case t.report.Holds[i].Amount == 0:
			known = append(known, name+" (nothing now)")
		case t.report.Holds[i].Mint.IsZero():
			known = append(known, "what program "+t.program(t.report.Holds[i].Program)+" keeps for you in "+name)
		default:
			h := t.report.Holds[i]
			known = append(known, name+" ("+t.amount(h.Mint, h.Amount)+" now)")
		}
	}
	for _, k := range s.positions {
		i := slices.IndexFunc(t.report.Holds, func(h Holding) bool { return h.Account == k && !h.Program.IsZero() })
		if i >= 0 && !t.lasting && !slices.Contains(s.ours, k) {
			unread = append(unread, "account "+t.short(k)+" of program "+t.program(t.report.Holds[i].Program)+
				", which has your address in it (amount unknown)")
		}
	}
	if s.unknown > 0 {
		others = append(others, s.count(s.unknown)+
			" that may be yours (only a table outside of the transaction has the address)")
	}
	if s.unshown > 0 {
		others = append(others, s.count(s.unshown)+" that may be yours (nothing looked that up)")
	}
	return and(slices.Concat(known, unread, others))
}

// and joins the parts of a list.
func and(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

// networkFee says what the owner pays for the network.
func (t *people) networkFee() {
	fee := program.SOL(t.report.NetworkFeeLamports())
	if len(t.report.Transactions) > 1 {
		fee += " for all transactions together"
	}
	t.line("  Network fee: %s, in addition to what you spend", fee)
}
