package signing

import (
	"context"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/judge"
	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// TokenSource knows tokens by their mint: a list of the program's, or a cache.
// It is asked while a set is checked and must not block.
type TokenSource interface {
	TokenInfo(mint PublicKey) (info TokenInfo, ok bool)
}

// TokenInfo is how a person knows a token.
type TokenInfo struct {
	Symbol   string `json:"symbol,omitempty"`
	Decimals uint8  `json:"decimals"`
}

// TokenList is a [TokenSource] of fixed entries. It is not changed while a guard has it.
type TokenList map[PublicKey]TokenInfo

// TokenInfo looks the mint up.
func (l TokenList) TokenInfo(mint PublicKey) (TokenInfo, bool) {
	info, ok := l[mint]
	return info, ok
}

// MintDecimals reads the decimals of a mint's account; ok is false if the account is no mint.
func (s AccountState) MintDecimals() (decimals uint8, ok bool) {
	return program.MintDecimals(program.State{Owner: program.Key(s.Owner), Data: s.Data})
}

// TransferFee reads the fee that a mint's account withholds from transfers in a slot or after it, zero if it has no
// such extension; ok is false if the account is no mint, or is not whole. While the mint's fee is about to change, each
// part is the higher one of both.
func (s AccountState) TransferFee(slot uint64) (fee TransferFee, ok bool) {
	points, most, ok := program.MintFee(program.State{Owner: program.Key(s.Owner), Data: s.Data}, slot)
	return TransferFee{BasisPoints: points, Most: walletfi.Amount(most)}, ok
}

// ReportToken describes a token that the report names.
type ReportToken struct {
	Mint PublicKey `json:"mint"`
	TokenInfo
	// FromTransaction says that the decimals are those that the transaction names, and no
	// list: it fails if they are wrong, but nothing else vouches for them. In a set every
	// transaction that moves the token names the same.
	FromTransaction bool `json:"fromTransaction,omitempty"`
	// DecimalsBy says what vouches for the decimals.
	DecimalsBy DecimalsBy `json:"decimalsBy,omitempty"`
	// ListDecimals are those of [Policy.Tokens], if the transaction or the mint contradicts them.
	ListDecimals *uint8 `json:"listDecimals,omitempty"`
	// LooksLike is a mint that the report does not name, of a [TokenList] in [Policy.Tokens],
	// whose symbol can be taken for this one.
	LooksLike PublicKey `json:"looksLike,omitzero"`
}

// DecimalsBy says what vouches for a token's decimals.
type DecimalsBy string

// What can vouch for decimals.
const (
	DecimalsByList        DecimalsBy = ""            // [Policy.Tokens] alone
	DecimalsByTransaction DecimalsBy = "transaction" // the transaction names them, and fails if they are wrong
	DecimalsByMint        DecimalsBy = "mint"        // an [AccountReader] read them in the mint's account
)

// correct takes decimals that stand above the list's.
func (t *ReportToken) correct(decimals uint8, by DecimalsBy) {
	t.DecimalsBy = by
	if t.Decimals != decimals {
		t.ListDecimals = new(t.Decimals)
		t.Decimals, t.FromTransaction = decimals, by == DecimalsByTransaction
	}
}

// readDecimals asks for the mints of which a list alone names the decimals.
func (g *Guard) readDecimals(ctx context.Context, r *Report) error {
	reader, reads := g.policy.Resolver.(AccountReader)
	if !reads || r.Refusal != nil {
		return nil
	}
	var unread []PublicKey
	for i := range r.Tokens {
		token := &r.Tokens[i]
		if token.DecimalsBy != DecimalsByList {
			continue
		}
		if known, ok := g.decimals.Load(token.Mint); ok {
			token.correct(known.(uint8), DecimalsByMint)
		} else if len(unread) < maxHoldings {
			unread = append(unread, token.Mint)
		}
	}
	if len(unread) == 0 {
		return nil
	}
	read, err := reader.Accounts(ctx, unread)
	if err != nil || len(read) != len(unread) {
		return ctx.Err()
	}
	for i, s := range states(read) {
		decimals, ok := program.MintDecimals(s)
		if !ok {
			continue
		}
		if s.Owner == program.Token { // of Token-2022, a mint can be closed and made again
			g.decimals.Store(unread[i], decimals)
		}
		r.token(unread[i]).correct(decimals, DecimalsByMint)
	}
	return nil
}

// describeTokens notes what is known of the tokens that the report names.
func (g *Guard) describeTokens(r *Report, f *judge.Findings) {
	g.describeMoved(r, f)
	moved := len(r.Tokens)
	if g.policy.Tokens != nil {
		for _, h := range r.Holds {
			g.describe(r, h.Mint)
		}
	}
	r.passing = len(r.Tokens) - moved
	g.liken(r, r.Tokens[:moved])
}

// describeMoved notes it of the tokens that the set moves, and that were asked for.
func (g *Guard) describeMoved(r *Report, f *judge.Findings) {
	if g.policy.Tokens != nil {
		for _, list := range [][]Movement{r.Leaves, r.Stays} {
			for i := range list {
				g.describe(r, list[i].Mint)
			}
		}
		for _, list := range [][]caps.Limit{f.Arrives, f.Brings} {
			for _, a := range list {
				g.describe(r, PublicKey(a.Mint))
			}
		}
		i := &r.Intent
		for _, list := range [][]walletfi.Asset{i.Spend, i.Burn, i.Receive, i.ServiceFee} {
			for _, a := range list {
				if mint, err := ParsePublicKey(a.Mint); err == nil {
					g.describe(r, mint)
				}
			}
		}
	}
	for _, named := range f.Decimals {
		mint := PublicKey(named.Mint)
		if mint == NativeMint || !r.vouched(f, named) {
			continue
		}
		token := r.token(mint)
		switch {
		case token == nil:
			r.Tokens = append(r.Tokens, ReportToken{
				Mint:            mint,
				TokenInfo:       TokenInfo{Decimals: named.Decimals},
				FromTransaction: true,
				DecimalsBy:      DecimalsByTransaction,
			})
		default:
			token.correct(named.Decimals, DecimalsByTransaction)
		}
	}
}

// vouched reports whether every transaction that moves a mint names the same
// decimals: one that names wrong ones fails, but the others of its set do not.
func (r *Report) vouched(f *judge.Findings, of judge.Decimals) bool {
	if len(r.Transactions) == 1 {
		return true
	}
	if slices.ContainsFunc(f.Decimals, func(d judge.Decimals) bool {
		return d.Mint == of.Mint && d.Decimals != of.Decimals
	}) {
		return false
	}
	named := func(m Movement) bool {
		return m.Mint != PublicKey(of.Mint) || slices.Contains(f.Decimals, judge.Decimals{
			Transaction: m.Transaction,
			Mint:        of.Mint,
			Decimals:    of.Decimals,
		})
	}
	for _, list := range [][]Movement{r.Leaves, r.Stays} {
		for _, m := range list {
			if !named(m) {
				return false
			}
		}
	}
	for _, list := range [][]caps.Limit{f.Arrives, f.Brings} { // of which it is not known by which transaction
		for _, a := range list {
			for i := range r.Transactions {
				if a.Mint == of.Mint && !named(Movement{Transaction: i, Mint: PublicKey(a.Mint)}) {
					return false
				}
			}
		}
	}
	return true
}

func (g *Guard) describe(r *Report, mint PublicKey) {
	if mint == NativeMint || r.token(mint) != nil {
		return
	}
	if info, ok := g.policy.Tokens.TokenInfo(mint); ok {
		r.Tokens = append(r.Tokens, ReportToken{Mint: mint, TokenInfo: info})
	}
}

// token returns what is known of a mint, nil if nothing is.
func (r *Report) token(mint PublicKey) *ReportToken {
	i := slices.IndexFunc(r.Tokens, func(t ReportToken) bool { return t.Mint == mint })
	if i < 0 {
		return nil
	}
	return &r.Tokens[i]
}
