package signing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
)

// Text is the report for a person who decides whether to sign: what was asked for, what is proven
// and by what, and what is not, with what each program could take at worst. Of what the guard
// refuses it says what it would have done. Amounts are decimal with the token's symbol if
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
	report  *Report
	lasting bool
	ends    int // characters at either end of a short address
	text    strings.Builder
	named   []PublicKey
	shorts  map[PublicKey]address // of those named
	marked  bool                  // an amount has the decimals that the transaction names
	listed  []*ReportToken        // of the amounts, those that the caller's list knows
	units   bool                  // an amount is in smallest units
	told    []bool                // notes that another line has
	grants  []int                 // notes of approvals that none has yet
	wanted  map[PublicKey]bool    // addresses that the request names
	alike   map[PublicKey]string  // tokens whose symbol can be taken for another's: what each is not
}

func (t *people) write() {
	r := t.report
	t.text.Grow(2048 + 128*(len(r.Leaves)+len(r.Reaches)+len(r.Notes)))
	t.told = make([]bool, len(r.Notes))
	for i := range r.Notes {
		if r.Notes[i].Kind == NoteApproval {
			t.grants = append(t.grants, i)
		}
	}
	i := &r.Intent
	t.wanted = map[PublicKey]bool{}
	for _, name := range slices.Concat(i.PayTo, i.OutputTo, i.FeeTo, i.CoSigners, i.Delegates, []string{i.Sponsor}) {
		if k, err := ParsePublicKey(name); err == nil {
			t.wanted[k] = true
		}
	}
	t.compare()
	t.line("You asked for: %s", t.asked(r.Intent))
	for _, b := range r.Blind {
		t.line("NOT CHECKED: nothing shows what the programs in transaction %d do, and nothing holds them to what you "+
			"asked for (%s); it is signed all the same, as this wallet's settings say for service %s (Policy.AllowBlind)",
			b.Transaction+1, b.Why, printable(r.Service))
	}
	t.warnings()
	t.refusals()
	by := ""
	if r.Service != "" {
		by = ", built by service " + plain(r.Service)
	}
	t.line("%s: %s%s, with your wallet %s%s", t.would("You sign", "You would have signed"), t.which(), by,
		t.short(r.Owner), t.wasSimulated())
	t.signers()
	t.steps()
	t.line("Proven by what %s", t.would("you sign, if it is executed",
		"you would have signed, including what was refused"))
	t.proven()
	if !t.lasting {
		t.simulated()
	}
	t.line("Not proven")
	t.notProven()
	for i := range r.Notes {
		n := &r.Notes[i]
		switch {
		case n.Kind == NoteSimulation && (t.lasting || r.inSteps()), t.told[i]:
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
	if n := len(r.Transactions); n > 1 {
		return fmt.Sprintf("%d transactions (each can be executed without the others)", n)
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
			t.line("  %s, named by your request or this wallet's settings, must still sign%s; then it can be executed without "+
				"asking you again", t.short(k), at)
		}
		for _, k := range tx.AwaitsSignaturesOf {
			t.line("  %s, named by neither your request nor this wallet's settings, must still sign%s; then it can be "+
				"executed without asking you again", t.short(k), at)
		}
	}
}

// wasSimulated says which transactions were simulated.
func (t *people) wasSimulated() string {
	r := t.report
	numbers := r.judgedBy(BySimulation)
	switch {
	case t.lasting, r.inSteps():
		return ""
	case r.Simulated || len(numbers) > 0 && len(numbers) == len(r.Transactions):
		return "; simulated" + t.slot() + t.unenforced()
	case len(numbers) > 0:
		return "; simulated: only " + transactionsOf(numbers) + t.slot()
	}
	return "; not simulated"
}

// steps says by what each transaction of a set in steps was judged.
func (t *people) steps() {
	r := t.report
	if !r.inSteps() {
		return
	}
	for i := range r.Transactions {
		says := "is not simulated"
		switch r.Transactions[i].JudgedBy {
		case ByExecution:
			says = "is executed: what it changed counts"
		case BySimulation:
			says = "is simulated" + t.slot()
		case ByBytesUntilItsTurn:
			says = "is not simulated yet; it is checked again before you sign it"
		}
		t.line("  Transaction %d %s", i+1, says)
	}
	if taken := t.amounts(r.Left); taken != "" {
		t.line("  Taken so far, with fees and rent: %s. Your limits are for all transactions together", taken)
	}
}

// unenforced says that what a simulation showed binds no program, if one could take anything.
func (t *people) unenforced() string {
	r := t.report
	if r.Refusal != nil || !slices.ContainsFunc(r.Reaches, func(reach Reach) bool { return reach.danger() > 0 }) {
		return ""
	}
	return ": it kept to what you asked for, but nothing holds its programs to that when it is executed"
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
	for _, m := range r.Leaves {
		if !m.Simulated {
			t.leaves(m, "")
		}
	}
	for _, m := range r.Stays {
		switch reach := r.reaching(m); {
		case m.Simulated, reach != nil && !t.lasting && r.passed(m):
		case reach != nil:
			t.line("  %s, where program %s can take it", t.moved(m), t.program(reach.Program))
		case r.Simulated || m.To == r.Owner:
			t.line("  %s and stays there", t.moved(m))
		default:
			t.line("  %s and stays there; nothing looked up whether you still control that account", t.moved(m))
		}
	}
	for _, a := range r.Brings {
		i := slices.IndexFunc(r.Exposed, func(e walletfi.Asset) bool { return e.Mint == a.Mint })
		if i >= 0 {
			a.Amount -= min(a.Amount, r.Exposed[i].Amount)
		}
		if a.Amount > 0 {
			t.assets("  "+t.would("You get", "You would get")+": %s", []walletfi.Asset{a})
		}
	}
	t.networkFee()
}

// moved says what moves among the owner's accounts: nothing is got by that.
func (t *people) moved(m Movement) string {
	return fmt.Sprintf("Your own %s %s into %s", t.amount(m.Mint, m.Amount), t.would("moves", "would move"),
		t.account(m.To))
}

// leaves says what leaves the owner, and what others may take later.
func (t *people) leaves(m Movement, way string) {
	r := t.report
	switch {
	case m.Rule == RuleTokenApprove:
		t.permission(m)
	case m.Rule == RuleRent && r.own(m):
		t.rent(m)
	case m.Transaction < len(r.Transactions) && r.Transactions[m.Transaction].JudgedBy == ByExecution:
		t.line("  You paid in transaction %d: %s", m.Transaction+1, t.leaving(m))
	default:
		t.line("  %s: %s%s", t.would("You pay", "You would pay"), t.leaving(m), way)
	}
}

// own reports whether an amount goes into an account that is known to be the owner's.
func (r *Report) own(m Movement) bool {
	return m.Wallet == r.Owner || slices.ContainsFunc(r.Stays, func(s Movement) bool { return s.To == m.To }) ||
		slices.ContainsFunc(r.Reaches, func(reach Reach) bool { return slices.Contains(reach.Ours, m.To) })
}

// rent says what an account of the owner's costs while it is there.
func (t *people) rent(m Movement) {
	r := t.report
	back := "you get it back only if you close that account later"
	if reach := r.reaching(m); reach != nil {
		back += ", and program " + t.program(reach.Program) + " has not taken it"
	}
	for i := range r.Notes {
		n := &r.Notes[i]
		if n.Kind == NoteClose && n.Account == m.To && n.To == r.Owner && n.Transaction == m.Transaction &&
			n.Instruction > m.Instruction {
			t.told[i], back = true, "it comes back with all SOL left there, because the same transaction closes that account"
		}
	}
	most, none := "", ""
	if !m.Wallet.IsZero() { // an associated account, which can be there already
		most, none = "at most ", ", none if that account exists already"
	}
	t.line("  You %s rent into %s, in addition to what you spend: %s%s%s; %s", t.would("pay", "would pay"),
		t.account(m.To), most, t.amount(m.Mint, m.Amount), none, back)
}

// permission says what another may take, and whether that lasts.
func (t *people) permission(m Movement) {
	for at, i := range t.grants {
		n := &t.report.Notes[i]
		if n.Transaction == m.Transaction && n.Instruction == m.Instruction && n.To == m.To && n.Amount == m.Amount {
			t.told[i], t.grants = true, slices.Delete(t.grants, at, at+1)
			t.line("  Permission that remains: %s can take up to %s of %s later, once or in parts, until you revoke it",
				t.recipient(m), t.amount(m.Mint, m.Amount), t.account(n.Account))
			return
		}
	}
	t.line("  Permission that ends with the transaction: %s", t.leaving(m))
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
				way = ", by way of " + t.account(first.To)
			}
			t.leaves(m, way)
		}
	}
	get := t.would("You get", "You would get")
	t.assets("  "+get+": %s", r.Arrives)
	if len(r.Arrives) == 0 && r.Simulated {
		t.line("  %s: nothing in your wallet; whether the service owes you anything for it is not known", get)
	}
}

// notProven says what neither bytes nor a simulation settle, and what is at stake.
func (t *people) notProven() {
	r := t.report
	t.reaches()
	could := t.would("could take it", "could have taken it")
	t.assets("  %s comes to you from others, but a program that is called after that "+could+" again", r.Exposed)
	least, closes := t.amounts(r.Intent.Receive), func(n Note) bool { return n.Kind == NoteClose && n.To == r.Owner }
	switch {
	case r.Unproven && !r.Simulated && least != "":
		t.line("  You %s get nothing: that at least %s comes and stays is not proven", t.would("may", "might"), least)
	case !r.Simulated && len(r.Brings)+len(r.Arrives) == 0 && !slices.ContainsFunc(r.Notes, closes):
		t.line("  You %s get nothing: nothing here shows that anything comes to your wallet", t.would("may", "might"))
	}
	if r.Untold {
		t.line("  Which programs those call in turn: the simulation did not tell")
	}
	if r.Unresolved {
		t.line("  Some accounts are named only in tables outside of the transaction, which nothing looked up " +
			"(Policy.Resolver): they can be anyone's")
	}
	if end := r.until(); end != "" && !t.lasting && r.Refusal == nil {
		t.line("  Until when this can be executed: %s", end)
	}
	t.names()
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
	t.line("NOT SIGNED: it got no signature of yours here, and without one it cannot happen. What follows is what would " +
		"have happened.")
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
	t.line("Treat this as an attempted theft, because you did not ask for it: do not sign it elsewhere, add no " +
		"address of it to your request or settings, and do not use the service that built it again until you know why.")
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
	case strings.Contains(text, " to ") && strings.Trim(text[:1], "0123456789") == "":
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
