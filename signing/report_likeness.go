package signing

import (
	"bytes"
	"slices"
	"strings"

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

// warnings name what a list says and the transactions contradict, and look-alikes.
func (t *people) warnings() {
	tokens := t.report.Tokens
	if t.lasting {
		tokens = tokens[:len(tokens)-t.report.passing]
	}
	for i := range tokens {
		token := &tokens[i]
		if token.ListDecimals != nil {
			t.line("WARNING: your list has %d decimals for %s, and the transaction %d: amounts are by the transaction",
				*token.ListDecimals, t.symbol(token), token.Decimals)
		}
		if likeness := t.likeness(tokens, i); likeness != "" {
			t.line("WARNING: %s %s", t.symbol(token), likeness)
		}
	}
}

// likeness says how a token's symbol can be taken for another's, "" if it cannot.
func (t *people) likeness(tokens []ReportToken, at int) string {
	token := &tokens[at]
	if token.Symbol == "" {
		return ""
	}
	foreign := func(symbol string) bool { return strings.ContainsFunc(symbol, lookalike.Foreign) }
	same := lookalike.Skeleton(token.Symbol)
	if same == lookalike.Skeleton("SOL") || same == lookalike.Skeleton("WSOL") {
		return "is not SOL"
	}
	for i := range tokens {
		other := &tokens[i]
		if i == at || other.Symbol == "" || lookalike.Skeleton(other.Symbol) != same {
			continue
		}
		if foreign(token.Symbol) || !foreign(other.Symbol) { // else the other is the one to warn of
			return "looks like " + t.symbol(other) + " and is another token"
		}
	}
	switch {
	case !token.LooksLike.IsZero():
		return "looks like another token of your list, " + t.short(token.LooksLike)
	case foreign(token.Symbol):
		return "has letters that can look like others"
	}
	return ""
}
