package signing

import (
	"fmt"
	"log/slog"
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/lookalike"
	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// String is the report as a person reads it, a line a fact.
func (r *Report) String() string {
	var b strings.Builder
	for _, text := range r.blind() {
		fmt.Fprintf(&b, "BLIND: %s\n", text)
	}
	fmt.Fprintf(&b, "Signing as %s", r.Owner)
	if r.Service != "" {
		fmt.Fprintf(&b, " for service %s", plain(r.Service))
	}
	b.WriteByte('\n')
	r.writeTransactions(&b)
	for _, m := range r.Leaves {
		fmt.Fprintf(&b, "  leaves   %s\n", m.text(r.Owner))
	}
	for _, m := range r.Stays {
		fmt.Fprintf(&b, "  stays    %s\n", m.text(r.Owner))
	}
	for _, a := range r.Brings {
		fmt.Fprintf(&b, "  brings   %s\n", amountText(a.Mint, a.Amount))
	}
	for _, a := range r.Arrives {
		fmt.Fprintf(&b, "  arrives  %s, simulated\n", amountText(a.Mint, a.Amount))
	}
	for _, reach := range r.Reaches {
		fmt.Fprintf(&b, "  reaches  %s\n", reach.text())
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "  note     %s\n", n.text())
	}
	fmt.Fprintf(&b, "  costs    %s of network fees\n", program.SOL(r.NetworkFeeLamports()))
	for _, unseen := range r.Unseen() {
		fmt.Fprintf(&b, "  unseen   %s\n", unseen)
	}
	if r.Refusal != nil {
		fmt.Fprintf(&b, "  REFUSED  %v\n", r.Refusal)
	}
	return b.String()
}

// blind names what was signed for without a simulated outcome.
func (r *Report) blind() (texts []string) {
	for _, b := range r.Blind {
		texts = append(texts, fmt.Sprintf("transaction %d was not judged on an outcome: %s; allowed for %s by AllowBlind",
			b.Transaction+1, b.Why, printable(r.Service)))
	}
	return texts
}

func (r *Report) writeTransactions(b *strings.Builder) {
	for i, t := range r.Transactions {
		fmt.Fprintf(b, "  tx %d     %s, fee paid by %s", i+1, t.Version, nameOf(t.FeePayer, r.Owner))
		for _, k := range t.SignedBy {
			fmt.Fprintf(b, ", signed by %s", k)
		}
		for _, k := range t.AwaitsSignaturesOf {
			fmt.Fprintf(b, ", awaits %s", k)
		}
		for _, k := range t.Named {
			fmt.Fprintf(b, ", named co-signer %s", k)
		}
		b.WriteByte('\n')
	}
}

func nameOf(k, owner PublicKey) string {
	if k == owner {
		return "the owner"
	}
	return k.String()
}

const hiddenAccount = "an account that only a lookup table names"

func (m Movement) text(owner PublicKey) string {
	to := m.To.String()
	if m.Hidden {
		to = hiddenAccount
	}
	if !m.Wallet.IsZero() {
		to += ", an account of " + nameOf(m.Wallet, owner)
	}
	text := amountText(m.Mint.String(), m.Amount) + " to " + to
	switch m.Rule {
	case RuleTokenApprove:
		text = amountText(m.Mint.String(), m.Amount) + " may be taken by " + to
	case RuleTokenBurn:
		text = amountText(m.Mint.String(), m.Amount) + " burned from " + to
	}
	if m.CountsAs != "" {
		text += ", counted as " + string(m.CountsAs)
	}
	if m.Simulated {
		text += ", simulated"
	}
	return text
}

func (r Reach) text() string {
	text := "program " + ProgramName(r.Program)
	var parts []string
	if len(r.Ours) > 0 {
		parts = append(parts, strings.Join(texts(r.Ours), ", "))
	}
	if len(r.Positions) > 0 {
		parts = append(parts, strings.Join(texts(r.Positions), ", ")+", which a program owns and which has the owner's key")
	}
	if r.Unknown > 0 {
		parts = append(parts, plural(r.Unknown, "account")+" that only a lookup table names")
	}
	if r.Unshown > 0 {
		parts = append(parts, plural(r.Unshown, "account")+" that nothing looked up")
	}
	if len(parts) == 0 {
		return text + " may write nothing of ours"
	}
	return text + " may write " + strings.Join(parts, " and ")
}

func texts(keys []PublicKey) (all []string) {
	for _, k := range keys {
		all = append(all, k.String())
	}
	return all
}

func (n Note) text() string {
	if n.Kind == NoteMemo {
		return "memo " + printable(n.Text)
	}
	account := n.Account.String()
	if n.Account.IsZero() {
		account = hiddenAccount
	}
	switch n.Kind {
	case NoteApproval:
		return n.To.String() + " may take from " + account + " after this transaction, too"
	case NoteMint:
		return "makes the mint " + account
	case NoteNonce:
		return "a durable nonce: the signature stays good until " + account + " advances"
	case NoteClose:
		text := "the lamports of " + account + " go to " + n.To.String()
		if n.Text != "" {
			text += ", " + n.Text
		}
		return text
	case NoteSignatures:
		return n.Text + " verifies signatures that the transaction carries"
	case NoteRevoke:
		return "ends every approval of " + account
	case NoteZero:
		return "moves nothing from " + account + " to " + n.To.String()
	case NoteFrozen:
		return account + " is frozen: you cannot move what is in it until the token's issuer thaws it"
	case NotePermission:
		return n.To.String() + " can take what comes into " + account + ", by a permission that was given before"
	case NoteSimulation:
		return fmt.Sprintf("transaction %d was not simulated: %s", n.Transaction+1, printable(n.Text))
	}
	return string(n.Kind) + " " + printable(n.Text)
}

// printable quotes text that others wrote, so that it cannot write lines of
// the report.
func printable(text string) string {
	const most = 160
	quote, end := strconv.QuoteToGraphic, ""
	if strings.ContainsFunc(text, func(r rune) bool { return r != ' ' && lookalike.Blank(r) }) {
		quote = strconv.QuoteToASCII // it would move or cover what is next to it
	}
	if len(text) > most {
		text, end = text[:most], "..."
	}
	return quote(text) + end
}

// plain leaves a service's name as it is, and quotes what is none.
func plain(service string) string {
	if strings.Trim(service, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return printable(service)
	}
	return service
}

func amountText(mint string, amount walletfi.Amount) string {
	if mint == walletfi.NativeMint {
		return program.SOL(amount)
	}
	return fmt.Sprintf("%d units of %s", amount, mint)
}

// LogValue gives slog the totals, and the refusal if there is one.
func (r *Report) LogValue() slog.Value {
	attrs := []slog.Attr{
		slog.String("owner", r.Owner.String()),
		slog.String("service", r.Service),
		slog.Int("transactions", len(r.Transactions)),
		slog.Uint64("networkFeeLamports", uint64(r.NetworkFeeLamports())),
	}
	for _, m := range r.Leaves {
		attrs = append(attrs, slog.String("leaves", m.text(r.Owner)))
	}
	if unseen := r.Unseen(); len(unseen) > 0 {
		attrs = append(attrs, slog.Any("unseen", unseen))
	}
	if r.Refusal != nil {
		attrs = append(attrs, slog.Any("refusal", r.Refusal))
	}
	return slog.GroupValue(attrs...)
}
