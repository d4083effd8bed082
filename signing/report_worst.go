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

// permitted says when a call may take something without the owner's signature.
const permitted = "if you gave permission earlier or the program itself keeps this for you"

// count counts accounts that have no name.
func (s *stake) count(n int) string {
	if s.upTo && n > 1 {
		return "up to " + plural(n, "account")
	}
	return plural(n, "account")
}

// worst says under what was asked for what pinned programs could take beyond it.
func (t *people) worst() {
	var signed, unsigned stake
	r := t.report
	for i := range r.Reaches {
		switch reach := &r.Reaches[i]; {
		case r.done(reach):
		case reach.Unsigned:
			unsigned.add(reach)
		default:
			signed.add(reach)
		}
	}
	could := "Could be taken at worst"
	if r.Refusal != nil {
		could = "Could have been taken at worst"
	}
	if t.atWorst = t.stakes(&signed); t.atWorst != "" {
		t.line("%s: %s%s", could, t.atWorst, t.unlimited())
	}
	if what := t.stakes(&unsigned); what != "" {
		t.line("%s, %s: %s", could, permitted, what)
	}
}

// unlimited says that the limits of the request do not bind a program.
func (t *people) unlimited() string {
	r := t.report
	text := "; no limit prevents this"
	if limit := t.amounts(r.Intent.Spend); limit != "" {
		text = "; your limit of " + limit + " does not prevent this"
	}
	if r.Simulated && r.Refusal == nil && !t.lasting {
		text += ". In the simulation your limits were kept"
	}
	return text
}

// stakes names accounts that may be written, with what they held before, "" if there are none.
func (t *people) stakes(s *stake) string {
	var known, unread []string
	for _, k := range s.ours {
		name := t.account(k)
		i := slices.IndexFunc(t.report.Holds, func(h Holding) bool { return h.Account == k })
		switch {
		case i < 0 || t.lasting:
			unread = append(unread, name)
		case t.report.Holds[i].Amount == 0:
			known = append(known, "what comes into "+name)
		case t.report.Holds[i].Mint.IsZero():
			known = append(known, "all that program "+t.program(t.report.Holds[i].Program)+" keeps for you in "+name)
		default:
			h := t.report.Holds[i]
			known = append(known, "all "+t.amount(h.Mint, h.Amount)+" of "+name)
		}
	}
	for _, k := range s.positions {
		i := slices.IndexFunc(t.report.Holds, func(h Holding) bool { return h.Account == k && !h.Program.IsZero() })
		if i >= 0 && !t.lasting && !slices.Contains(s.ours, k) {
			unread = append(unread, "account "+t.short(k)+" of program "+t.program(t.report.Holds[i].Program)+
				", which has your address in it")
		}
	}
	if s.unknown > 0 {
		unread = append(unread, s.count(s.unknown)+" that only a lookup table names")
	}
	if s.unshown > 0 {
		unread = append(unread, s.count(s.unshown)+that(s.unshown))
	}
	what := and(known)
	if len(known) > 0 {
		what += " (balances before you sign)"
	}
	if len(unread) == 0 {
		return what
	}
	also, open := "", ""
	if what != "" {
		also = ", and "
	}
	if !t.lasting {
		open = "; how much that is was not looked up"
	}
	return what + also + "everything in " + and(unread) + open
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
	r := t.report
	fee := program.SOL(r.NetworkFeeLamports())
	if r.inSteps() {
		fee += " for all transactions together"
	}
	switch {
	case r.Refusal != nil:
		t.line("  You would pay for the network: %s", fee)
	case r.NetworkFeeLamports() == 0:
		t.line("  You pay for the network: %s", fee)
	default:
		t.line("  You pay for the network: %s, on top of your limits", fee)
	}
}
