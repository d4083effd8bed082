package signing

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/lookalike"
	"github.com/walletfi/walletfi-go/signing/internal/program"
)

func (t *people) assets(format string, list []walletfi.Asset) {
	for _, a := range list {
		if mint, err := ParsePublicKey(a.Mint); err == nil {
			t.line(format, t.amount(mint, a.Amount))
		}
	}
}

// leaving says what leaves, to whom, and what for if it is not spent.
func (t *people) leaving(m Movement) string {
	text := t.amount(m.Mint, m.Amount)
	switch m.Rule {
	case RuleTokenApprove:
		return t.recipient(m) + " may take " + text
	case RuleTokenBurn:
		text += ", destroyed (burned) in " + t.account(m.To)
	default:
		text += " to " + t.recipient(m)
		switch {
		case m.Hidden, m.Wallet == t.report.Owner:
		case t.what(m) != "":
			text += ", named by your request " + t.what(m)
		case t.report.Refusal != nil:
			text += ", chosen by the service and not named by your request"
		default:
			text += ", chosen by the service"
		}
	}
	switch m.CountsAs {
	case CountsAsSpend:
		text += t.would(", within what you asked to spend", "")
	case CountsAsBurn, "":
	case CountsAsRent:
		text += ", for rent, in addition to what you spend"
	case CountsAsForeignRent:
		text = "at most " + text + ", as rent of that account, which you do not get back; 0 if that account exists already"
	default:
		text += ", within the " + string(m.CountsAs) + " that you allow"
	}
	return text
}

// what tells what the request names a recipient for, "" if it does not name it.
func (t *people) what(m Movement) string { return cmp.Or(t.wanted[m.To], t.wanted[m.Wallet]) }

// account names an account, as the owner's if it is known to be.
func (t *people) account(k PublicKey) string {
	switch {
	case k.IsZero():
		return hiddenAccount
	case k == t.report.Owner:
		return "your wallet " + t.short(k)
	}
	return "your account " + t.short(k)
}

func (t *people) recipient(m Movement) string {
	if m.Hidden {
		return "an unknown recipient (the address is in a table on the ledger, which was not read)"
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

func (t *people) note(n *Note) string {
	if n.Kind == NoteClose && n.To == t.report.Owner && !n.Account.IsZero() {
		return t.account(n.Account) + " is closed: all SOL that is left in it comes back to you, its rent too"
	}
	if n.Kind == NoteClose && n.To != t.report.Owner && !n.Account.IsZero() {
		asked := ""
		if n.Text != "" {
			asked = ", " + n.Text
		}
		return fmt.Sprintf("the SOL in %s, its rent of %s or more, goes to %s%s", t.short(n.Account),
			program.SOL(walletfi.Amount(program.TokenAccountRent)), t.short(n.To), asked)
	}
	if n.Kind == NoteMemo {
		return "a text that the transaction carries (memo " + printable(n.Text) + ")"
	}
	text := n.text()
	for _, k := range []PublicKey{n.Account, n.To} {
		if !k.IsZero() {
			text = strings.ReplaceAll(text, k.String(), t.short(k))
		}
	}
	return text
}

// names says what is only known by the caller's list, and what not even by that.
func (t *people) names() {
	var alone []string
	for _, token := range t.listed {
		if token.DecimalsBy == DecimalsByList && !t.lasting {
			alone = append(alone, strings.TrimPrefix(t.symbol(token), "of "))
		}
	}
	switch {
	case len(alone) > 0:
		t.line("  Token names, and the decimals of %s, are from this wallet's list (Policy.Tokens). If the decimals are "+
			"wrong, all amounts of that token in this text, those that you asked for too, are wrong by the same factor",
			and(alone))
	case len(t.listed) > 0:
		t.line("  Token names are from this wallet's list (Policy.Tokens): if a name is wrong, it is another token")
	}
	if t.familiar {
		t.line("  Program names are from a list of this software, by address. That it is the real program does not make " +
			"what you sign harmless")
	}
	if t.units {
		t.line("  Units of unknown size: 1,000 of them can be 1,000 tokens or a millionth of one, so that an amount can be "+
			"worth much or nothing%s; this wallet's list can have the size (Policy.Tokens)",
			t.would(". Do not sign unless you know", ""))
	}
}

func (t *people) legend() {
	if t.marked {
		t.line("* worked out with the decimals that a transaction states; that transaction fails if they are wrong")
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
			t.shorts = make(map[PublicKey]address, len(t.report.Holds)+len(t.report.Leaves))
		}
		a = t.shortened(k)
		t.shorts[k], t.named = a, append(t.named, k)
	}
	return a.short
}

// program is a program's name, if it has one, and its short address.
func (t *people) program(k PublicKey) string {
	if name := program.FamiliarName(program.Key(k)); name != "" {
		t.familiar = true
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
