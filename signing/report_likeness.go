package signing

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/lookalike"
)

// bySkeleton lists the mints of symbols that can be taken for one another.
func (l TokenList) bySkeleton() map[string][]PublicKey {
	mints := map[string][]PublicKey{}
	for mint, info := range l {
		if mint != NativeMint && info.Symbol != "" {
			same := lookalike.Skeleton(info.Symbol)
			mints[same] = append(mints[same], mint)
		}
	}
	for _, same := range mints {
		slices.SortFunc(same, func(a, b PublicKey) int { return bytes.Compare(a[:], b[:]) })
	}
	return mints
}

// liken notes the tokens whose symbol can be taken for that of another in the caller's list,
// which is not among those that the set moves.
func (g *Guard) liken(r *Report, moved []ReportToken) {
	if g.likes == nil {
		return
	}
	for i := range r.Tokens {
		token := &r.Tokens[i]
		if token.Symbol == "" {
			continue
		}
		for _, mint := range g.likes()[lookalike.Skeleton(token.Symbol)] {
			if mint != token.Mint && !slices.ContainsFunc(moved, func(t ReportToken) bool { return t.Mint == mint }) {
				token.LooksLike = mint
				break
			}
		}
	}
}

// warnings name what a list says and the transactions contradict, look-alikes, and who can take what comes.
func (t *people) warnings() {
	for i := range t.report.Notes {
		if n := &t.report.Notes[i]; n.Kind == NotePermission && !t.lasting {
			t.line("WARNING: %s. It stays yours only if you end that permission (revoke it)", t.note(n))
		}
	}
	for _, m := range t.report.Leaves {
		switch what := t.what(m); {
		case m.Simulated:
		case m.CountsAs == CountsAsForeignRent && what == "" && !m.Wallet.IsZero():
			t.line("WARNING: your request does not name %s, for whose account you %s rent. Do not sign unless you know why",
				t.short(m.Wallet), t.would("pay", "would pay"))
		case m.CountsAs == CountsAsSpend && what == "to get what you buy":
			t.line("WARNING: %s that you spend %s to %s, whom your request names only to get what you buy. Do not sign unless "+
				"you mean to pay it", t.amount(m.Mint, m.Amount), t.would("goes", "would go"), t.recipient(m))
		}
	}
	tokens := t.tokens()
	for i := range tokens {
		token := &tokens[i]
		if token.ListDecimals != nil {
			by := "the transaction"
			if token.DecimalsBy == DecimalsByMint {
				by = "the token's own account"
			}
			t.line("WARNING: your list has %d decimals for %s, and %s %d: amounts are by %s",
				*token.ListDecimals, t.symbol(token), by, token.Decimals, by)
		}
		if like := t.likeness(tokens, i); like != nil {
			t.line("WARNING: the token named %s (token %s) %s", quotedSymbol(token.Symbol), t.short(token.Mint),
				t.warning(token, like))
		}
	}
}

// tokens are those of the report; a lasting text leaves out those that only balances name.
func (t *people) tokens() []ReportToken {
	tokens := t.report.Tokens
	if t.lasting {
		tokens = tokens[:len(tokens)-t.report.passing]
	}
	return tokens
}

// compare notes the tokens whose symbol can be taken for another's, and what each is not.
func (t *people) compare() {
	t.alike = map[PublicKey]string{}
	tokens := t.tokens()
	for i := range tokens {
		if like := t.likeness(tokens, i); like != nil {
			t.alike[tokens[i].Mint] = like.not
		}
	}
}

// like names what a symbol can be taken for: another symbol, or one of the caller's list.
type like struct {
	symbol string
	mint   PublicKey // of the other token, zero if there is none
	not    string    // what the token is not, in a sentence
}

// likeness says what a token's symbol can be taken for, nil if for nothing.
func (t *people) likeness(tokens []ReportToken, at int) *like {
	token := &tokens[at]
	if token.Symbol == "" {
		return nil
	}
	foreign := func(symbol string) bool { return strings.ContainsFunc(symbol, lookalike.Foreign) }
	same := lookalike.Skeleton(token.Symbol)
	if same == lookalike.Skeleton("SOL") || same == lookalike.Skeleton("WSOL") {
		return &like{symbol: "SOL", mint: NativeMint, not: " that is not SOL"}
	}
	for i := range tokens {
		other := &tokens[i]
		if i == at || other.Symbol == "" || lookalike.Skeleton(other.Symbol) != same {
			continue
		}
		if foreign(token.Symbol) || !foreign(other.Symbol) { // else the other is the one to warn of
			return &like{symbol: other.Symbol, mint: other.Mint, not: " that is not " + printableSymbol(other.Symbol)}
		}
	}
	switch {
	case !token.LooksLike.IsZero():
		return &like{mint: token.LooksLike, not: " that is another one than that of your list"}
	case foreign(token.Symbol):
		return &like{}
	}
	return nil
}

// warning says of a token what it is not, how its name differs, and what that means.
func (t *people) warning(token *ReportToken, like *like) string {
	var text string
	switch {
	case like.mint.IsZero():
		return "has characters in its name that can look like others"
	case like.symbol == "":
		text = "looks like another token of your list, " + t.short(like.mint) + ", and is not that one"
	case like.mint == NativeMint:
		text = "is not SOL, and only looks like it: " + differs(token.Symbol, like.symbol)
	default:
		text = fmt.Sprintf("is not %s (%s), and only looks like it: %s", printableSymbol(like.symbol), t.short(like.mint),
			differs(token.Symbol, like.symbol))
	}
	if like.symbol != "" && t.gets(token.Mint) && !t.gets(like.mint) {
		text += ". You get no " + printableSymbol(like.symbol) + "; what you get may be worth nothing. " +
			"This wallet does not stop it: do not sign unless you mean this token"
	}
	return text
}

// gets reports whether a token is asked for, or arrives.
func (t *people) gets(mint PublicKey) bool {
	r := t.report
	lists := [][]walletfi.Asset{r.Intent.Receive, r.Brings, r.Arrives}
	if t.lasting {
		lists = lists[:2]
	}
	return slices.ContainsFunc(lists, func(list []walletfi.Asset) bool {
		return slices.ContainsFunc(list, func(a walletfi.Asset) bool { return a.Mint == mint.String() })
	})
}

// differs says by which character a symbol differs from one that it looks like.
func differs(symbol, from string) string {
	one, other := []rune(symbol), []rune(from)
	switch {
	case symbol == from:
		return "the name is the same, the token is another"
	case len(one) != len(other):
		return "its name has other characters, some of which may be invisible"
	}
	i := 0
	for one[i] == other[i] {
		i++
	}
	which := fmt.Sprintf("character %d of its name", i+1)
	if i == len(one)-1 {
		which = "the last character of its name"
	}
	if one[i] < utf8.RuneSelf {
		return fmt.Sprintf("%s is %q", which, string(one[i]))
	}
	for script, letters := range unicode.Scripts {
		if script != "Common" && script != "Inherited" && unicode.Is(letters, one[i]) {
			return fmt.Sprintf("%s is %s, %s here", which, script, strings.Trim(strconv.QuoteToASCII(string(one[i])), `"`))
		}
	}
	return which + " is another one"
}
