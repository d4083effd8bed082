package signing

import (
	"context"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/judge"
	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// AccountReader is a [Resolver] that reads accounts, too: the report then says what a pinned
// program may take from those that no simulation has shown, and takes the decimals of a token from
// its mint if the transaction does not name them, whatever [Policy.Tokens] says.
type AccountReader interface {
	// Accounts returns the states of accounts, in order. After an error they stay unknown.
	Accounts(ctx context.Context, accounts []PublicKey) ([]AccountState, error)
}

// Holding says what an account of the owner's held before the set: that a pinned program may
// write it puts all of it at stake.
type Holding struct {
	Account PublicKey       `json:"account"`
	Mint    PublicKey       `json:"mint,omitzero"` // NativeMint for SOL; zero if Program is set
	Amount  walletfi.Amount `json:"amount"`        // smallest units
	// Program owns an account of which only it knows what is in it: a position, for one.
	Program PublicKey `json:"program,omitzero"`
}

// maxHoldings bounds the accounts that an [AccountReader] is asked for.
const maxHoldings = 100

// hold notes what the accounts that pinned programs may write held before the set, as the
// simulations saw it, and otherwise the resolver does.
func (g *Guard) hold(ctx context.Context, r *Report, n *node) error {
	if n == nil {
		return nil
	}
	var unread []PublicKey
	for i := range r.Reaches {
		for _, keys := range [...][]PublicKey{r.Reaches[i].Ours, r.Reaches[i].Positions} {
			for _, k := range keys {
				if slices.Contains(unread, k) || r.holds(k) {
					continue
				}
				if s, ok := n.saw(judge.Key(k)); ok {
					r.Holds = append(r.Holds, holdingOf(k, s))
				} else {
					unread = append(unread, k)
				}
			}
		}
	}
	reader, reads := g.policy.Resolver.(AccountReader)
	if !reads || len(unread) == 0 || r.Refusal != nil {
		return nil
	}
	unread = unread[:min(len(unread), maxHoldings)]
	read, err := reader.Accounts(ctx, unread)
	if err != nil || len(read) != len(unread) {
		return ctx.Err()
	}
	for i, s := range states(read) {
		r.Holds = append(r.Holds, holdingOf(unread[i], s))
	}
	return nil
}

func (r *Report) holds(k PublicKey) bool {
	return slices.ContainsFunc(r.Holds, func(h Holding) bool { return h.Account == k })
}

// holdingOf says what an account holds: tokens, or the lamports of one that no program made.
func holdingOf(k PublicKey, s program.State) Holding {
	if token, ok := program.ReadTokenState(s); ok {
		return Holding{Account: k, Mint: PublicKey(program.Asset(token.Mint)), Amount: walletfi.Amount(token.Amount)}
	}
	if s.Made() && s.Lamports > 0 {
		return Holding{Account: k, Amount: walletfi.Amount(s.Lamports), Program: PublicKey(s.Owner)}
	}
	return Holding{Account: k, Mint: NativeMint, Amount: walletfi.Amount(s.Lamports)}
}

// look has the accounts of a simulation before it ran.
type look struct {
	accounts []judge.Key
	before   []program.State
}

// saw is an account's state before the first transaction that was simulated with it.
func (n *node) saw(k judge.Key) (program.State, bool) {
	for _, l := range n.looks {
		if i := slices.Index(l.accounts, k); i >= 0 && i < len(l.before) {
			return l.before[i], true
		}
	}
	return program.State{}, false
}
