package signing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/lookalike"
	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// Text is the report for a person who decides whether to sign: what was asked for, what is
// proven and by what, and what is not. Amounts are decimal with the token's symbol if
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
	marked  bool
}

func (t *people) write() {
	r := t.report
	t.text.Grow(2048 + 128*(len(r.Leaves)+len(r.Reaches)+len(r.Notes)))
	t.line("You asked for: %s", t.asked(r.Intent))
	for _, text := range r.blind() {
		t.line("BLIND: %s", text)
	}
	t.warnings()
	t.refusals()
	by := ""
	if r.Service != "" {
		by = " what " + r.Service + " built,"
	}
	t.line("You sign%s as %s: %s", by, t.short(r.Owner), t.which())
	t.steps()
	t.proven()
	if !t.lasting {
		t.simulated()
	}
	t.notProven()
	for _, n := range r.Notes {
		if n.Kind != NoteSimulation || !t.lasting {
			t.line("Note: %s", t.note(n))
		}
	}
	t.legend()
}

func (t *people) line(format string, args ...any) {
	fmt.Fprintf(&t.text, format, args...)
	t.text.WriteByte('\n')
}

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
		case m.Transaction < len(r.Transactions) && r.Transactions[m.Transaction].JudgedBy == ByExecution:
			t.line("  Left your wallet in transaction %d: %s", m.Transaction+1, t.leaving(m))
		default:
			t.line("  Leaves your wallet: %s", t.leaving(m))
		}
	}
	for _, m := range r.Stays {
		if !m.Simulated && r.reaching(m) == nil {
			t.line("  Stays yours: %s to %s", t.amount(m.Mint, m.Amount), t.recipient(m))
		}
	}
	t.assets("  Arrives: %s", r.Brings)
	t.line("  You pay for the network: %s", program.SOL(r.NetworkFeeLamports()))
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
			t.line("  Leaves your wallet in a program's call: %s", t.leaving(m))
		}
	}
	t.assets("  Arrives: %s", r.Arrives)
	if len(r.Arrives) == 0 {
		t.line("  Nothing arrives")
	}
}

// notProven says what neither bytes nor a simulation settle, and what is at stake.
func (t *people) notProven() {
	r := t.report
	t.line("Not proven")
	for _, m := range r.Stays {
		if reach := r.reaching(m); reach != nil && !m.Simulated {
			t.line("  %s goes to %s, where program %s may take it", t.amount(m.Mint, m.Amount), t.recipient(m),
				t.program(reach.Program))
		}
	}
	t.reaches()
	unseen := r.unseenInside()
	if !t.lasting {
		unseen = r.Unseen()
	}
	for _, text := range unseen {
		t.line("  Not known: %s", text)
	}
}

// reaching is a call of a pinned program that may write the account that an amount moves
// to, nil if none may.
func (r *Report) reaching(m Movement) *Reach {
	i := slices.IndexFunc(r.Reaches, func(reach Reach) bool {
		return reach.Transaction >= m.Transaction && slices.Contains(reach.Ours, m.To)
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
	for i, e := range append([]*GuardError{t.report.Refusal}, t.report.Also...) {
		also := ""
		if i > 0 {
			also = " also"
		}
		t.line("REFUSED%s: %s %s. What passes: %s. (Rule %s.)", also, t.where(e), e.Found, e.Allowed, e.Rule)
	}
	t.line("Nothing is signed. If you did not ask for what is refused, do not try again with this service.")
}

// where names the place of a refusal.
func (t *people) where(e *GuardError) string {
	text := fmt.Sprintf("transaction %d", e.Transaction+1)
	if e.Instruction != EnvelopeInstruction {
		text += fmt.Sprintf(", instruction %d of %s,", e.Instruction+1, t.program(e.Program))
	}
	if e.Simulated {
		text += " in a simulation"
	}
	return text + " has"
}

func (t *people) assets(format string, list []walletfi.Asset) {
	for _, a := range list {
		if mint, err := ParsePublicKey(a.Mint); err == nil {
			t.line(format, t.amount(mint, uint64(a.Amount)))
		}
	}
}

// leaving says what leaves, to whom, and as what it counts.
func (t *people) leaving(m Movement) string {
	text := t.amount(m.Mint, m.Amount)
	switch m.Rule {
	case RuleTokenApprove:
		text += " may be taken by " + t.recipient(m)
	case RuleTokenBurn:
		text += " burned from " + t.recipient(m)
	default:
		text += " to " + t.recipient(m)
	}
	if m.CountsAs != "" {
		text += ", as " + string(m.CountsAs)
	}
	return text
}

func (t *people) recipient(m Movement) string {
	if m.Hidden {
		return hiddenAccount
	}
	text := t.short(m.To)
	switch {
	case m.Wallet == t.report.Owner:
		text += " (your account)"
	case !m.Wallet.IsZero():
		text += " (account of " + t.short(m.Wallet) + ")"
	}
	return text
}

func (t *people) note(n Note) string {
	text := n.text()
	for _, k := range []PublicKey{n.Account, n.To} {
		if !k.IsZero() {
			text = strings.ReplaceAll(text, k.String(), t.short(k))
		}
	}
	return text
}

func (t *people) legend() {
	if t.marked {
		t.line("* decimals as the transaction names them")
	}
	for _, k := range t.named {
		a := t.shorts[k]
		t.line("%s = %s", a.short, a.full)
	}
}

// short is the beginning and the end of an address, or a program's name.
func (t *people) short(k PublicKey) string {
	if program.Lookup((*program.Key)(&k)).Name != "" {
		return ProgramName(k)
	}
	a, named := t.shorts[k]
	if !named {
		if t.shorts == nil {
			t.shorts = map[PublicKey]address{}
		}
		a = t.shortened(k)
		t.shorts[k], t.named = a, append(t.named, k)
	}
	return a.short
}

// program is a program's name, if it has one, and its short address.
func (t *people) program(k PublicKey) string {
	if name := program.FamiliarName(program.Key(k)); name != "" {
		return name + " (" + t.short(k) + ")"
	}
	return t.short(k)
}

// address is an address in full and short, and both ends of it.
type address struct{ full, short, ends string }

func (t *people) shortened(k PublicKey) address {
	text := k.String()
	if 2*t.ends >= len(text) {
		return address{text, text, text}
	}
	begin, end := text[:t.ends], text[len(text)-t.ends:]
	return address{text, begin + "…" + end, begin + end}
}

// distinct reports whether no two addresses are shortened to what the eye does not tell apart.
func (t *people) distinct() bool {
	seen := make(map[string]bool, len(t.named))
	for _, a := range t.shorts {
		seen[lookalike.Skeleton(a.ends)] = true
	}
	return len(seen) == len(t.named)
}

func plural(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}
