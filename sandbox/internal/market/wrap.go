package market

import (
	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// Wrap says what goes around a trade so that a wallet can pay and be paid.
type Wrap struct {
	Payer        solana.PublicKey // of the rent of accounts that are made. Zero means the owner
	Wrap, Unwrap bool             // SOL comes as lamports, and leaves as such
	// Held means that the account that is paid is there already.
	Held bool
	// Closes unwraps what is left of wrapped SOL that an earlier transaction
	// returned and this one spends.
	Closes bool
}

// Around puts what wraps, makes accounts and unwraps around a trade's own
// instruction.
func (b *Book) Around(t *Trade, w Wrap) []solana.Instruction {
	trade := b.instruction(t)
	if w.Payer.IsZero() {
		w.Payer = t.Owner
	}
	var before, after []solana.Instruction
	wrapped := w.Wrap && t.Quote.From.Key == solana.WrappedSol
	if wrapped {
		before = b.WrapSOL(t.Owner, t.most())
		if w.Payer != t.Owner {
			before[0] = build.CreateAccount(w.Payer, t.Owner, t.Quote.From)
		}
	}
	intoSOL := t.Quote.To.Key == solana.WrappedSol && !t.Lamports
	if !t.Lamports && !w.Held && !(wrapped && intoSOL) {
		before = append(before, build.CreateAccount(w.Payer, t.Receiver, t.Quote.To))
	}
	if wrapped || w.Closes || w.Unwrap && intoSOL && t.Receiver == t.Owner && !w.Held {
		after = append(after, b.UnwrapSOL(t.Owner))
	}
	return append(append(before, trade), after...)
}

// most is the most that leaves the wallet.
func (t *Trade) most() uint64 {
	if t.Quote.ExactOut {
		return t.Limit
	}
	return t.Quote.In + t.Fee.Input
}

// Affords reports whether a wallet has what a trade spends, fees and rent of
// the accounts that it makes not counted. An account of the caller's choice
// replaces the associated one.
func (b *Book) Affords(
	owner solana.PublicKey, t build.Token, amount uint64, lamports bool, account *solana.PublicKey,
) bool {
	switch {
	case lamports && t.Key == solana.WrappedSol:
		return b.Chain.Balance(owner) >= amount
	case account != nil:
		held, ok := ledger.AsToken(b.Chain.Account(*account))
		return ok && held.Mint() == t.Key && held.Owner() == owner && held.Amount() >= amount
	}
	return b.Holding(owner, t) >= amount
}
