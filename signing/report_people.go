package signing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/program"
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
	report   *Report
	lasting  bool
	ends     int // characters at either end of a short address
	text     strings.Builder
	named    []PublicKey
	shorts   map[PublicKey]address // of those named
	marked   bool                  // an amount has the decimals that the transaction names
	listed   []*ReportToken        // of the amounts, those that the caller's list knows
	familiar bool                  // a program is named
	units    bool                  // an amount is in smallest units
	told     []bool                // notes that another line has
	grants   []int                 // notes of approvals that none has yet
	wanted   map[PublicKey]string  // addresses that the request names, and what for
	alike    map[PublicKey]string  // tokens whose symbol can be taken for another's: what each is not
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
	t.name()
	t.compare()
	t.asked(r.Intent)
	t.worst()
	for _, b := range r.Blind {
		t.line("NOT CHECKED: nothing shows what the programs in transaction %d do (%s). It is let through only because "+
			"this wallet's settings allow service %s to go unchecked (Policy.AllowBlind)", b.Transaction+1, b.Why,
			printable(r.Service))
	}
	t.warnings()
	t.refusals()
	by := ""
	if r.Service != "" {
		by = ", built by service " + plain(r.Service)
	}
	t.line("%s: %s%s, with your wallet %s%s", t.would("To sign", "You would have signed"), t.which(), by,
		t.short(r.Owner), t.wasSimulated())
	t.signers()
	t.steps()
	t.line("Proven by %s", t.would(t.executed(),
		"what you would have signed: this would have happened, in addition to REFUSED"))
	t.proven()
	if !t.lasting {
		t.simulated()
	}
	t.line("Not proven")
	t.notProven()
	for i := range r.Notes {
		n := &r.Notes[i]
		switch {
		case n.Kind == NoteSimulation && (t.lasting || r.inSteps()), n.Kind == NotePermission, t.told[i]:
		default:
			t.line("Note: %s", t.note(n))
		}
	}
	t.legend()
}

// name notes what the request names addresses for.
func (t *people) name() {
	i := &t.report.Intent
	t.wanted = map[PublicKey]string{}
	for _, names := range []struct {
		what string
		list []string
	}{
		{"to be paid", i.PayTo}, {"to get what you buy", i.OutputTo}, {"for the service fee", i.FeeTo},
		{"to sign too", i.CoSigners}, {"for a permission", i.Delegates}, {"as sponsor", []string{i.Sponsor}},
	} {
		for _, name := range names.list {
			if k, err := ParsePublicKey(name); err == nil && t.wanted[k] == "" {
				t.wanted[k] = names.what
			}
		}
	}
}

func (t *people) line(format string, args ...any) {
	t.say(format, args...)
	t.text.WriteByte('\n')
}

func (t *people) say(format string, args ...any) { fmt.Fprintf(&t.text, format, args...) }

// inSteps reports a set that is signed one transaction at a time.
func (r *Report) inSteps() bool { return len(r.judgedBy(ByExecution, ByBytesUntilItsTurn)) > 0 }

// executed says on which condition the proof is.
func (t *people) executed() string {
	fails := "If the ledger fails it, you pay its network fee only"
	if len(t.report.Transactions) > 1 {
		fails = "For each transaction that the ledger fails, you pay its network fee only"
	}
	if r := t.report; len(r.Intent.Receive) > 0 && (r.Unproven || len(r.keeps()) == 0) {
		fails += "; it can be executed although you get less than you asked for"
	}
	return "what you sign, if the ledger executes it. " + fails
}

// which says which transactions are signed.
func (t *people) which() string {
	r := t.report
	if n := len(r.Transactions); r.inSteps() {
		return fmt.Sprintf("transaction %d of %d", len(r.judgedBy(ByExecution))+1, n)
	}
	if n := len(r.Transactions); n > 1 {
		return fmt.Sprintf("%d transactions (one can be executed and another not)", n)
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
			t.line("  %s has signed%s already; that does not make it safe", t.short(k), at)
		}
		if k := tx.FeePayer; k != r.Owner && !k.IsZero() {
			t.line("  %s pays the network fee%s", t.short(k), strings.Replace(at, " ", " of ", 1))
		}
		for _, k := range tx.Named {
			by := "this wallet's settings"
			if t.wanted[k] != "" {
				by = "your request"
			}
			t.line("  %s, named by %s, must still sign%s: without that, nothing of it is executed", t.short(k), by, at)
		}
		for _, k := range tx.AwaitsSignaturesOf {
			t.line("  WARNING: %s must still sign%s, whom neither your request nor this wallet's settings name: somebody "+
				"unknown decides, after you, whether it is executed", t.short(k), at)
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
		if !r.unheld() {
			return "; simulated" + t.slot()
		}
		return "; simulated" + t.slot() + ", which is a rehearsal and no promise"
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
		if !m.Simulated && !r.refused(m) {
			t.leaves(m, "")
		}
	}
	for _, m := range r.Stays {
		switch reach := r.reaching(m); {
		case m.Simulated, reach != nil && !t.lasting && r.passed(m):
		case reach != nil:
			t.line("  %s, from where program %s can take it: count it as spent", t.moved(m), t.program(reach.Program))
		case !t.lasting && r.lent(m.To):
			t.line("  %s, see the warning", t.moved(m))
		case r.Simulated || m.To == r.Owner:
			t.line("  %s and stays there", t.moved(m))
		default:
			t.line("  %s, which is yours unless you gave it away before (not checked): count it as spent", t.moved(m))
		}
	}
	t.assets("  "+t.would("You get", "You would get")+": %s", r.keeps())
	for _, c := range t.callers() {
		if !c.signs && c.danger == 0 {
			t.line("  Program %s can take nothing: it gets no account of yours and not your signature", t.program(c.Program))
		}
	}
	fee := program.SOL(r.NetworkFeeLamports())
	if len(r.Transactions) > 1 {
		fee += " for all transactions together"
	}
	t.line("  %s to the network: %s, in addition to what you spend", t.would("You pay", "You would pay"), fee)
}

// keeps has the amounts that others transfer to the owner, without what a program could take again.
func (r *Report) keeps() (list []walletfi.Asset) {
	for _, a := range r.Brings {
		i := slices.IndexFunc(r.Exposed, func(e walletfi.Asset) bool { return e.Mint == a.Mint })
		if i >= 0 {
			a.Amount -= min(a.Amount, r.Exposed[i].Amount)
		}
		if a.Amount > 0 {
			list = append(list, a)
		}
	}
	return list
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
	case m.Simulated:
		t.line("  In the simulation you %s: %s%s", t.would("pay", "paid"), t.leaving(m), way)
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
	back := "you get it back only if you close that account yourself later"
	if i := r.closing(m); i >= 0 {
		t.told[i], back = true, "the same transaction closes that account, and it comes back then"
	}
	if reach := r.reaching(m); reach != nil {
		back += ", unless program " + t.program(reach.Program) + " takes it first"
	}
	most, none := "", ""
	if !m.Wallet.IsZero() { // an associated account, which can be there already
		most, none = "at most ", ", or 0 if that account exists already, even with nothing in it"
	}
	t.line("  You %s rent, a deposit, into %s, in addition to what you spend: %s%s%s; %s", t.would("put", "would put"),
		t.account(m.To), most, t.amount(m.Mint, m.Amount), none, back)
}

// permission says what another may take, and whether that lasts.
func (t *people) permission(m Movement) {
	for at, i := range t.grants {
		n := &t.report.Notes[i]
		if n.Transaction == m.Transaction && n.Instruction == m.Instruction && n.To == m.To && n.Amount == m.Amount {
			t.told[i], t.grants = true, slices.Delete(t.grants, at, at+1)
			t.line("  Permission that remains: %s can take %s in all from %s, at any time until you revoke it by another "+
				"transaction", t.recipient(m), t.amount(m.Mint, m.Amount), t.account(n.Account))
			return
		}
	}
	t.line("  Permission that ends with the transaction: %s", t.leaving(m))
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
	t.line("Shown by %s%s; the ledger can do otherwise", by, t.slot())
	for _, m := range r.Leaves {
		if m.Simulated {
			way := ""
			if first := r.through(m); first != nil {
				way = ", through " + t.account(first.To) + " and counted once"
			}
			t.leaves(m, way)
		}
	}
	get := "In the simulation you " + t.would("get", "got")
	if len(r.judgedBy(ByExecution)) > 0 {
		get = "You got by now, or get in the simulation"
	}
	t.assets("  "+get+": %s", r.Arrives)
	if len(r.Arrives) == 0 && r.Simulated {
		t.line("  %s: nothing into your accounts. It was not checked whether what you pay is still yours then, "+
			"as after a deposit, or gone: a theft looks the same", get)
	}
}

// notProven says what neither bytes nor a simulation settle, and what is at stake.
func (t *people) notProven() {
	r := t.report
	t.reaches()
	t.assets("  "+t.would("That you keep", "That you would have kept")+" %s: that it is paid into an account of yours is "+
		"proven, but a program that is called afterwards "+t.would("could take", "could have taken")+" it", r.Exposed)
	if r.Refusal != nil && len(r.keeps()) == 0 {
		t.line("  That you would have got anything for it")
	}
	if r.Untold {
		t.line("  Which programs those call in turn: the simulation did not tell")
	}
	if r.Unresolved {
		t.line("  The addresses of some accounts are in a table on the ledger, which was not read (Policy.Resolver): " +
			"they can be anyone's")
	}
	if end := r.until(); end != "" && !t.lasting && r.Refusal == nil {
		t.line("  Until when this can be executed: %s", end)
	}
	t.names()
}
