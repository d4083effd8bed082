package signing

import (
	"fmt"
	"slices"
	"strings"
)

// would is a text of what is signed, or what would have been.
func (t *people) would(signed, refused string) string {
	if t.report.Refusal != nil {
		return refused
	}
	return signed
}

func (t *people) refusals() {
	if t.report.Refusal == nil {
		return
	}
	t.line("NOT SIGNED: nothing has happened, and nothing is lost unless you sign it elsewhere. What follows is what " +
		"would have happened.")
	for i, e := range append([]*GuardError{t.report.Refusal}, t.report.Also...) {
		also := ""
		if i > 0 {
			also = " also"
		}
		t.line("REFUSED%s: %s; the rule allows only: %s. (Details: %s; rule %s.)", also, t.found(e), e.Allowed, t.where(e),
			e.Rule)
	}
	if t.report.Refusal.Rule == RuleBlind && len(t.report.Also) == 0 {
		t.line("What it does could not be checked. Do not sign it elsewhere unchecked.")
		return
	}
	if !slices.ContainsFunc(append([]*GuardError{t.report.Refusal}, t.report.Also...), (*GuardError).takes) {
		t.line("This can have an honest cause, such as an old quote. Ask for a new one; do not sign this one elsewhere.")
		return
	}
	by := "the service that built it, which your request does not name,"
	if t.report.Service != "" {
		by = "the service named " + plain(t.report.Service)
	}
	t.line("Treat this as an attempted theft, because you did not ask for it: do not sign it elsewhere, raise no limit "+
		"for it, add no address of it to your request or settings, and do not use %s again until somebody whom you trust "+
		"already, and not whoever writes to you, has found out why.", by)
}

// refused reports an amount that a refusal tells.
func (r *Report) refused(m Movement) bool {
	return r.Refusal != nil && slices.ContainsFunc(append([]*GuardError{r.Refusal}, r.Also...), func(e *GuardError) bool {
		return !m.Simulated && !e.Simulated && e.Transaction == m.Transaction && e.Instruction == m.Instruction && e.sends()
	})
}

// sends reports a refusal of an amount that goes to somebody.
func (e *GuardError) sends() bool {
	return strings.Contains(e.Found, " to ") && strings.IndexAny(e.Found, "0123456789") == 0
}

// takes reports a refusal of what gives away value or authority, or may.
func (e *GuardError) takes() bool {
	switch e.Rule {
	case RuleLifetime, RuleTooComplex, RuleBlind, RuleNetworkFee, RuleComputeBudget, RuleSimulationFailed,
		RuleSimulationArrival, RuleApproval, RuleVersion:
		return false
	}
	return true
}

// found says what was refused.
func (t *people) found(e *GuardError) string {
	text := t.shorten(e.Found)
	switch {
	case e.Rule == RuleTokenAuthority:
		text = "would give " + strings.Replace(text, " given to ", " to ", 1)
		if strings.HasPrefix(e.Found, "control of ") && !strings.HasSuffix(text, " to no key") {
			text += ", who could then take all that is in it"
		}
		return text
	case e.sends():
		return "would send " + text
	}
	return text
}

// shorten shortens the addresses in a text.
func (t *people) shorten(text string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		if k, err := ParsePublicKey(word); err == nil {
			words[i] = t.short(k)
		}
	}
	return strings.Join(words, " ")
}

// where names the place of a refusal.
func (t *people) where(e *GuardError) string {
	text := fmt.Sprintf("Transaction %d", e.Transaction+1)
	if e.Instruction != EnvelopeInstruction {
		text += fmt.Sprintf(", instruction %d, program %s", e.Instruction+1, t.program(e.Program))
	}
	if e.Simulated {
		text += " in a simulation"
	}
	return text
}
