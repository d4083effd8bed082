package signing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
)

// Text is the report for a person who decides whether to sign: what was asked for, what could be
// taken at worst, what is proven and by what, and what is not. Of what the guard refuses it says
// what it would have done. Amounts are decimal with the token's symbol if
// [Policy.Tokens] knows it; decimals that only the transaction names are marked with an
// asterisk. Addresses are short, no two alike, and listed in full at the end. Transactions
// and instructions count from 1.
func (r *Report) Text() string { return r.text(false) }

// text writes Text, or the part of it that stays the same when the set is checked again:
// a simulation shows other amounts with every slot, and the end of the blockhash comes closer.
func (r *Report) text(lasting bool) string {
	for ends := 4; ; ends += 2 {
		t := people{report: r, lasting: lasting, ends: ends}
		t.write()
		if 2*ends >= longestAddress || t.distinct() {
			return t.text.String()
		}
	}
}

// longestAddress is that of base58 characters of 32 bytes.
const longestAddress = 44

// people writes a report and remembers the addresses that it has shortened.
type people struct {
	report    *Report
	lasting   bool
	ends      int // characters at either end of a short address
	text      strings.Builder
	named     []PublicKey
	shorts    map[PublicKey]address // of those named
	marked    bool                  // an amount has the decimals that the transaction names
	listed    []*ReportToken        // of the amounts, those that the caller's list knows
	atWorst   string                // what calls with the owner's signature could take
	permitted []bool                // notes of approvals that were told
	alike     map[PublicKey]string  // tokens whose symbol can be taken for another's: what each is not
}

func (t *people) write() {
	r := t.report
	t.text.Grow(2048 + 128*(len(r.Leaves)+len(r.Reaches)+len(r.Notes)))
	t.permitted = make([]bool, len(r.Notes))
	t.compare()
	t.line("You asked for: %s", t.asked(r.Intent))
	t.worst()
	for _, b := range r.Blind {
		t.line("NOT CHECKED: what transaction %d does was not tested (%s); your policy allows unchecked transactions of %s "+
			"(AllowBlind)", b.Transaction+1, b.Why, printable(r.Service))
	}
	t.warnings()
	t.refusals()
	by, sign := "", "You sign"
	if r.Service != "" {
		by = " what " + plain(r.Service) + " built,"
	}
	if r.Refusal != nil {
		sign = "You would have signed"
	}
	t.line("%s%s as %s: %s", sign, by, t.short(r.Owner), t.which())
	t.signers()
	t.steps()
	if !t.lasting {
		t.line("Simulated: %s", t.wasSimulated())
	}
	t.proven()
	if !t.lasting {
		t.simulated()
	}
	t.notProven()
	for i := range r.Notes {
		n := &r.Notes[i]
		switch {
		case n.Kind == NoteSimulation && t.lasting, t.permitted[i]:
		default:
			t.line("Note: %s", t.note(n))
		}
	}
	t.legend()
}

func (t *people) line(format string, args ...any) {
	t.say(format, args...)
	t.text.WriteByte('\n')
}

func (t *people) say(format string, args ...any) { fmt.Fprintf(&t.text, format, args...) }

// inSteps reports a set that is signed one transaction at a time.
func (r *Report) inSteps() bool { return len(r.judgedBy(ByExecution, ByBytesUntilItsTurn)) > 0 }

// which says which transactions are signed.
func (t *people) which() string {
	r := t.report
	if n := len(r.Transactions); r.inSteps() {
		return fmt.Sprintf("transaction %d of %d", len(r.judgedBy(ByExecution))+1, n)
	}
	return plural(len(r.Transactions), "transaction")
}

// signers names the others whose signature it has or needs.
func (t *people) signers() {
	r := t.report
	for i := range r.Transactions {
		tx := &r.Transactions[i]
		at := ""
		if len(r.Transactions) > 1 {
			at = fmt.Sprintf(" transaction %d", i+1)
		}
		for _, k := range tx.SignedBy {
			t.line("  %s has signed%s already", t.short(k), at)
		}
		if k := tx.FeePayer; k != r.Owner && !k.IsZero() {
			t.line("  %s pays the network fee%s", t.short(k), strings.Replace(at, " ", " of ", 1))
		}
		for _, k := range tx.Named {
			t.line("  %s, whom your request or policy names, must still sign%s, and decides whether and when this happens",
				t.short(k), at)
		}
		for _, k := range tx.AwaitsSignaturesOf {
			t.line("  %s must still sign%s, and decides whether and when this happens", t.short(k), at)
		}
	}
}

// wasSimulated says whether the transactions were simulated, and why not.
func (t *people) wasSimulated() string {
	r := t.report
	numbers := r.judgedBy(BySimulation)
	switch {
	case r.Simulated || len(numbers) > 0 && len(numbers) == len(r.Transactions):
		return "yes" + t.slot()
	case len(numbers) > 0:
		return "only " + transactionsOf(numbers) + t.slot()
	case r.Refusal != nil:
		return "no (it was refused without a simulation)"
	case len(r.Blind) > 0:
		return "no (" + r.Blind[0].Why + ")"
	}
	if i := slices.IndexFunc(r.Notes, func(n Note) bool { return n.Kind == NoteSimulation }); i >= 0 {
		return "no (" + printable(r.Notes[i].Text) + ")"
	}
	return "no (your policy did not require it)"
}

// steps says by what each transaction of a set in steps was judged.
func (t *people) steps() {
	r := t.report
	if !r.inSteps() {
		return
	}
	for i := range r.Transactions {
		says := "is judged by its bytes alone"
		switch r.Transactions[i].JudgedBy {
		case ByExecution:
			says = "is executed: what it changed counts"
		case BySimulation:
			says = "is simulated" + t.slot()
		case ByBytesUntilItsTurn:
			says = "is judged by its bytes; it is judged again before you sign it"
		}
		t.line("  Transaction %d %s", i+1, says)
	}
	if taken := t.amounts(r.Left); taken != "" {
		t.line("  Taken so far, with fees and rent: %s. Your limits are for all transactions together", taken)
	}
}

func (t *people) slot() string {
	if t.report.Slot == 0 {
		return ""
	}
	return fmt.Sprintf(" at slot %d", t.report.Slot)
}

// proven says what the bytes prove, whatever programs do in their calls.
func (t *people) proven() {
	r := t.report
	t.line("Proven by the bytes of the transactions")
	for _, m := range r.Leaves {
		switch {
		case m.Simulated:
		case m.Rule == RuleTokenApprove:
			t.permission(m)
		case m.Transaction < len(r.Transactions) && r.Transactions[m.Transaction].JudgedBy == ByExecution:
			t.line("  Left your wallet in transaction %d: %s", m.Transaction+1, t.leaving(m))
		default:
			t.line("  %s: %s", t.would("Leaves your wallet", "Would leave your wallet"), t.leaving(m))
		}
	}
	for _, m := range r.Stays {
		if !m.Simulated && r.reaching(m) == nil {
			still := ""
			if !r.Simulated && m.To != r.Owner {
				still = ", if that account is still yours"
			}
			t.line("  %s: %s to %s%s", t.would("Stays yours", "Would stay yours"), t.amount(m.Mint, m.Amount), t.recipient(m),
				still)
		}
	}
	for _, a := range r.Brings {
		i := slices.IndexFunc(r.Exposed, func(e walletfi.Asset) bool { return e.Mint == a.Mint })
		if i >= 0 {
			a.Amount -= min(a.Amount, r.Exposed[i].Amount)
		}
		if a.Amount > 0 {
			t.assets("  "+t.would("Arrives", "Would arrive")+": %s", []walletfi.Asset{a})
		}
	}
	t.networkFee()
}

// permission says what another may take, and that it lasts.
func (t *people) permission(m Movement) {
	for i := range t.report.Notes {
		n := &t.report.Notes[i]
		if n.Kind == NoteApproval && n.Transaction == m.Transaction && n.Instruction == m.Instruction && n.To == m.To &&
			n.Amount == m.Amount && !t.permitted[i] {
			t.permitted[i] = true
			t.line("  Permission that remains: %s can take up to %s of %s later, until you revoke it", t.recipient(m),
				t.amount(m.Mint, m.Amount), t.account(n.Account))
			return
		}
	}
	t.line("  Permission: %s", t.leaving(m))
}

// would is a text of what is signed, or what would have been.
func (t *people) would(signed, refused string) string {
	if t.report.Refusal != nil {
		return refused
	}
	return signed
}

// simulated says what a simulation showed, which the ledger can do otherwise.
func (t *people) simulated() {
	r := t.report
	inCalls := slices.ContainsFunc(r.Leaves, func(m Movement) bool { return m.Simulated })
	if !r.Simulated && !inCalls && len(r.Arrives) == 0 {
		return
	}
	by := "a simulation"
	if done := r.judgedBy(ByExecution); len(done) > 0 {
		by = "what " + transactionsOf(done) + " did"
		if next := r.judgedBy(BySimulation); len(next) > 0 {
			by += ", and by a simulation of " + transactionsOf(next)
		}
	}
	t.line("Shown by %s%s, not proven", by, t.slot())
	for _, m := range r.Leaves {
		if m.Simulated {
			way := ""
			if first := r.through(m); first != nil {
				way = "; before that the same amount goes to " + t.account(first.To)
			}
			t.line("  %s in a program's call: %s%s", t.would("Leaves your wallet", "Would leave your wallet"), t.leaving(m), way)
		}
	}
	t.assets("  "+t.would("Arrives", "Would arrive")+": %s", r.Arrives)
	if len(r.Arrives) == 0 && r.Simulated {
		t.line("  %s", t.would("Nothing arrives", "Nothing would arrive"))
	}
}

// notProven says what neither bytes nor a simulation settle, and what is at stake.
func (t *people) notProven() {
	r := t.report
	t.line("Not proven")
	for _, m := range r.Stays {
		if reach := r.reaching(m); reach != nil && !m.Simulated && (t.lasting || !r.passed(m)) {
			t.line("  %s goes to %s first; program %s could take it from there", t.amount(m.Mint, m.Amount),
				t.account(m.To), t.program(reach.Program))
		}
	}
	could := t.would("could take it again", "could have taken it again")
	t.assets("  From others comes %s first; a program that is called later "+could, r.Exposed)
	t.reaches()
	for _, text := range r.unseenInside() {
		least := t.amounts(r.Intent.Receive)
		if least == "" || !strings.HasPrefix(text, unseenArrival) {
			t.line("  Not known: %s", text)
			continue
		}
		t.line("  Arrives: not proven; you asked for at least %s and %s get nothing", least, t.would("may", "might"))
	}
	if end := r.unseenEnd(); end != "" && !t.lasting {
		when := t.would("can still be executed after you sign", "could have been executed")
		t.line("  Not known: until when this %s: %s", when, end)
	}
}

// through is the same amount as a simulated one, which goes to an account of the owner's earlier
// in the transaction; nil if none does. Whether it is the one that leaves is not known.
func (r *Report) through(of Movement) *Movement {
	i := slices.IndexFunc(r.Stays, func(m Movement) bool {
		return !m.Simulated && m.Transaction == of.Transaction && m.Instruction < of.Instruction &&
			m.Mint == of.Mint && m.Amount == of.Amount && r.reaching(m) != nil
	})
	if i < 0 {
		return nil
	}
	return &r.Stays[i]
}

// passed reports whether an amount was seen to leave again, whole.
func (r *Report) passed(m Movement) bool {
	return slices.ContainsFunc(r.Leaves, func(out Movement) bool {
		through := r.through(out)
		return out.Simulated && through != nil && *through == m
	})
}

// reaching is a call of a pinned program that may write the account that an amount moves
// to, as one with our signature may that writes unknown accounts; nil if none may.
func (r *Report) reaching(m Movement) *Reach {
	i := slices.IndexFunc(r.Reaches, func(reach Reach) bool {
		return reach.Transaction >= m.Transaction &&
			(slices.Contains(reach.Ours, m.To) || !reach.Unsigned && reach.Unknown+reach.Unshown > 0)
	})
	if i < 0 {
		return nil
	}
	return &r.Reaches[i]
}

func (t *people) refusals() {
	if t.report.Refusal == nil {
		return
	}
	t.line("NOT SIGNED: the guard refused it. What follows says what it would have done.")
	for i, e := range append([]*GuardError{t.report.Refusal}, t.report.Also...) {
		found := t.shorten(e.Found)
		if e.Rule == RuleTokenAuthority {
			found = "would give " + strings.Replace(found, " given to ", " to ", 1)
		}
		also := ""
		if i > 0 {
			also = " also"
		}
		t.line("REFUSED%s: %s: %s. What passes: %s. (Rule %s.)", also, t.where(e), found, e.Allowed, e.Rule)
	}
	if t.report.Refusal.Rule == RuleBlind && len(t.report.Also) == 0 {
		t.line("What it does could not be checked. Do not sign it elsewhere unchecked.")
		return
	}
	if !slices.ContainsFunc(append([]*GuardError{t.report.Refusal}, t.report.Also...), (*GuardError).takes) {
		t.line("This can have an honest cause, such as an old quote. Ask for a new one; do not sign this one elsewhere.")
		return
	}
	t.line("Treat this as an attempted theft unless you asked for it; do not sign it elsewhere.")
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
	text := fmt.Sprintf("transaction %d", e.Transaction+1)
	if e.Instruction != EnvelopeInstruction {
		text += fmt.Sprintf(", instruction %d of %s", e.Instruction+1, t.program(e.Program))
	}
	if e.Simulated {
		text += " in a simulation"
	}
	return text
}
