package signing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// asked says the intent in words.
func (t *people) asked(i walletfi.Intent) {
	var parts, more []string
	say := func(to *[]string, format string, list []walletfi.Asset) {
		if amounts := t.amounts(list); amounts != "" {
			*to = append(*to, fmt.Sprintf(format, amounts))
		}
	}
	say(&parts, "spend at most %s", i.Spend)
	for _, all := range i.BurnAll {
		if k, err := ParsePublicKey(all); err == nil {
			parts = append(parts, "burn all of "+t.short(k))
		}
	}
	get := "get at least %s"
	if len(i.OutputTo) > 0 {
		get += " yourself"
	}
	if i.ReceiveAfter != nil {
		get += " later, by other transactions"
	}
	expects := slices.DeleteFunc(slices.Clone(i.Receive), func(a walletfi.Asset) bool { return a.Amount == 0 })
	say(&parts, get, expects)
	if n := len(i.CloseAccounts); n > 0 {
		parts = append(parts, "close "+plural(n, "account"))
	}
	parts = append(parts, t.toWhom("pay %s", i.PayTo)...)
	say(&more, "burn (destroy) %s", i.Burn)
	if i.TipLamports > 0 {
		more = append(more, "tip "+program.SOL(i.TipLamports))
	}
	say(&more, "pay a service fee of %s", i.ServiceFee)
	more = append(more, raised(i)...)
	if len(expects) == 0 && len(i.Spend)+len(i.Burn)+len(i.BurnAll) > 0 {
		parts = append(parts, "no minimum is set for what you get in return (usual for a deposit, not for an exchange)")
	}
	if len(parts) == 0 {
		parts = append(parts, "nothing that spends or arrives")
	}
	enforced := ""
	if t.report.unheld() {
		enforced = " (a program that is called can do otherwise, see \"At worst\")"
	}
	t.line("You asked for%s: %s", enforced, strings.Join(parts, "; "))
	if len(more) > 0 {
		t.line("  And in addition, at most: %s", strings.Join(more, "; "))
	}
	given := t.would("what you sign gives none", "what you would have signed gives none")
	switch {
	case len(t.grants) > 0:
		given = "see \"Permission\" below"
	case t.report.unheld():
		given = "what can be read gives none; a program that is called " + t.would("could give one", "could have given one")
	}
	for _, line := range slices.Concat(t.toWhom("  You allow that %s gets what you buy, and not you", i.OutputTo),
		t.toWhom("  You allow a permission for %s to take what you spend, also later: "+given, i.Delegates)) {
		t.line("%s", line)
	}
}

// raised are the caps of an intent that are above what applies without a word of it.
func raised(i walletfi.Intent) (parts []string) {
	say := func(most *walletfi.Amount, ordinary walletfi.Amount, of string) {
		if most != nil && *most > ordinary {
			parts = append(parts, "pay "+program.SOL(*most)+" "+of)
		}
	}
	say(i.MaxNetworkFeeLamports, DefaultMaxNetworkFeeLamports, "to the network")
	say(i.MaxRentLamports, DefaultMaxRentLamports, "for rent")
	say(&i.MaxForeignRentLamports, 0, "for rent of accounts of others, which you do not get back")
	return parts
}

func (t *people) toWhom(format string, names []string) (parts []string) {
	for _, name := range names {
		if k, err := ParsePublicKey(name); err == nil {
			parts = append(parts, fmt.Sprintf(format, t.short(k)))
		}
	}
	return parts
}

// amounts are those of a list, "" if it has none.
func (t *people) amounts(list []walletfi.Asset) string {
	var amounts []string
	for _, a := range list {
		if mint, err := ParsePublicKey(a.Mint); err == nil {
			amounts = append(amounts, t.amount(mint, a.Amount))
		}
	}
	return strings.Join(amounts, " and ")
}

// amount is an amount with the token's symbol and decimals, if they are known.
func (t *people) amount(mint PublicKey, amount walletfi.Amount) string {
	token := t.report.token(mint)
	switch {
	case program.Asset(program.Key(mint)) == program.NativeMint:
		return program.SOL(amount)
	case token == nil:
		t.units = true
		return fmt.Sprintf("%d units of unknown size of token %s", amount, t.short(mint))
	}
	text := amount.UI(int(token.Decimals))
	if token.FromTransaction {
		t.marked = true
		text += "*"
	} else if !slices.Contains(t.listed, token) {
		t.listed = append(t.listed, token)
	}
	return text + " " + t.symbol(token)
}

// symbol is a token's symbol with its mint.
func (t *people) symbol(token *ReportToken) string {
	if token.Symbol == "" {
		return "of token " + t.short(token.Mint)
	}
	if not, alike := t.alike[token.Mint]; alike {
		return "of a token named " + quotedSymbol(token.Symbol) + not + " (token " + t.short(token.Mint) + ")"
	}
	return printableSymbol(token.Symbol) + " (" + t.short(token.Mint) + ")"
}

// quotedSymbol is a symbol that claims to be another's.
func quotedSymbol(symbol string) string {
	if text := printableSymbol(symbol); text != symbol {
		return text
	}
	return strconv.Quote(symbol)
}

// printableSymbol keeps a symbol from writing lines or looking like an amount or like
// another symbol.
func printableSymbol(symbol string) string {
	const most = 12
	letters := strings.Trim(strings.ToLower(symbol), "abcdefghijklmnopqrstuvwxyz") == ""
	switch {
	case len(symbol) > 160:
		return strconv.QuoteToASCII(symbol[:160]) + "..."
	case len(symbol) > most || !letters:
		return strconv.QuoteToASCII(symbol)
	}
	return symbol
}
