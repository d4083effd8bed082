package signing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// Text is the report for a person who decides whether to sign. Amounts are
// decimal with the token's symbol if [Policy.Tokens] knows it; decimals that
// only the transaction names are marked with an asterisk. Addresses are short,
// and listed in full at the end.
func (r *Report) Text() string {
	t := people{report: r}
	for _, text := range r.blind() {
		t.line("BLIND: %s", text)
	}
	t.line("You sign as %s", t.short(r.Owner))
	if r.Service != "" {
		t.line("for what %s built, %s", r.Service, plural(len(r.Transactions), "transaction"))
	}
	t.section("Leaves your wallet", r.Leaves, t.leaving)
	t.section("Stays yours", r.Stays, func(m Movement) string {
		return t.amount(m.Mint, m.Amount) + " to " + t.recipient(m)
	})
	t.assets("Arrives, by the bytes", r.Brings)
	t.assets("Arrives, in a simulation", r.Arrives)
	t.line("Network fees: %s", program.SOL(r.NetworkFeeLamports()))
	for _, reach := range r.Reaches {
		t.line("%s", t.reach(reach))
	}
	for _, n := range r.Notes {
		t.line("Note: %s", t.note(n))
	}
	t.proof()
	if r.Refusal != nil {
		t.line("REFUSED: %v", r.Refusal)
		for _, also := range r.Also {
			t.line("REFUSED also: %v", also)
		}
	}
	t.legend()
	return t.text.String()
}

// people writes a report and remembers the addresses that it has shortened.
type people struct {
	report *Report
	text   strings.Builder
	named  []PublicKey
	marked bool
}

func (t *people) line(format string, args ...any) {
	fmt.Fprintf(&t.text, format, args...)
	t.text.WriteByte('\n')
}

func (t *people) section(title string, list []Movement, write func(Movement) string) {
	if len(list) > 0 {
		t.line("%s", title)
	}
	for _, m := range list {
		t.line("  %s", write(m))
	}
}

func (t *people) assets(title string, list []walletfi.Asset) {
	if len(list) > 0 {
		t.line("%s", title)
	}
	for _, a := range list {
		if mint, err := ParsePublicKey(a.Mint); err == nil {
			t.line("  %s", t.amount(mint, uint64(a.Amount)))
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

// amount is an amount with the token's symbol and decimals, if they are known.
func (t *people) amount(mint PublicKey, amount uint64) string {
	token := t.report.token(mint)
	switch {
	case mint == NativeMint:
		return program.SOL(amount)
	case token == nil:
		return fmt.Sprintf("%d smallest units of token %s", amount, t.short(mint))
	}
	text := walletfi.Amount(amount).UI(int(token.Decimals))
	if token.FromTransaction {
		t.marked = true
		text += "*"
	}
	if token.Symbol == "" {
		return text + " of token " + t.short(mint)
	}
	return text + " " + printableSymbol(token.Symbol) + " (" + t.short(mint) + ")"
}

func (t *people) reach(r Reach) string {
	var ours []string
	for _, k := range r.Ours {
		ours = append(ours, t.short(k))
	}
	if r.Unknown > 0 {
		ours = append(ours, plural(r.Unknown, "account")+" in a lookup table")
	}
	if len(ours) == 0 {
		return "Program " + t.short(r.Program) + " may write nothing of yours"
	}
	return "Program " + t.short(r.Program) + " may write " + strings.Join(ours, ", ")
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

// proof says what the bytes prove, what a simulation showed, and what neither
// did.
func (t *people) proof() {
	t.line("Proven by the bytes: what leaves by the transactions' own instructions, what others transfer to you, who " +
		"signs, the network fees")
	if t.report.Simulated {
		t.line("Shown by a simulation only: what programs do in their calls, and what arrives")
	}
	for _, unseen := range t.report.Unseen() {
		t.line("Not known: %s", unseen)
	}
}

func (t *people) legend() {
	if t.marked {
		t.line("* decimals as the transaction names them")
	}
	for _, k := range t.named {
		t.line("%s = %s", shortOf(k), k)
	}
}

// short is the beginning and the end of an address, or a program's name.
func (t *people) short(k PublicKey) string {
	if program.Lookup((*program.Key)(&k)).Name != "" {
		return ProgramName(k)
	}
	if !slices.Contains(t.named, k) {
		t.named = append(t.named, k)
	}
	return shortOf(k)
}

func shortOf(k PublicKey) string {
	text := k.String()
	return text[:4] + "…" + text[len(text)-4:]
}

func plural(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}

// printableSymbol keeps a symbol from writing lines or looking like an amount.
func printableSymbol(symbol string) string {
	const most = 12
	quoted := printable(symbol)
	runes := []rune(symbol)
	if len(runes) > most || quoted != `"`+symbol+`"` || strings.ContainsAny(symbol, " 0123456789.,*") {
		return quoted
	}
	return symbol
}
