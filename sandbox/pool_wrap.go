package sandbox

import (
	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// poolWrap says what goes around a trade so that a wallet can pay and be paid.
type poolWrap struct {
	payer        solana.PublicKey // of the rent of accounts that are made. Zero means the owner
	wrap, unwrap bool             // SOL comes as lamports, and leaves as such
	// held means that the account that is paid is there already.
	held bool
	// closes unwraps what is left of wrapped SOL that an earlier transaction
	// brought and this one spends.
	closes bool
}

// around puts what wraps, makes accounts and unwraps around a trade's own
// instruction.
func (b *poolBook) around(t *poolTrade, w poolWrap) []solana.Instruction {
	trade := b.instruction(t)
	if w.payer.IsZero() {
		w.payer = t.owner
	}
	var before, after []solana.Instruction
	wrapped := w.wrap && t.quote.from.key == solana.WrappedSol
	if wrapped {
		before = b.wrapSOL(t.owner, t.most())
		if w.payer != t.owner {
			before[0] = createAccount(w.payer, t.owner, t.quote.from)
		}
	}
	intoSOL := t.quote.to.key == solana.WrappedSol && !t.lamports
	if !t.lamports && !w.held && !(wrapped && intoSOL) {
		before = append(before, createAccount(w.payer, t.receiver, t.quote.to))
	}
	if wrapped || w.closes || w.unwrap && intoSOL && t.receiver == t.owner && !w.held {
		after = append(after, b.unwrapSOL(t.owner))
	}
	return append(append(before, trade), after...)
}

// most is the most that leaves the wallet.
func (t *poolTrade) most() uint64 {
	if t.quote.exactOut {
		return t.limit
	}
	return t.quote.in + t.fee.input
}

// affords reports whether a wallet has what a trade spends, fees and rent of
// the accounts that it makes not counted. An account of the caller's choice
// stands in for the associated one.
func (b *poolBook) affords(owner solana.PublicKey, t Token, amount uint64, lamports bool, account *solana.PublicKey) bool {
	switch {
	case lamports && t.key == solana.WrappedSol:
		return b.chain.Balance(owner) >= amount
	case account != nil:
		held, ok := ledger.AsToken(b.chain.Account(*account))
		return ok && held.Mint() == t.key && held.Owner() == owner && held.Amount() >= amount
	}
	return b.holding(owner, t) >= amount
}
