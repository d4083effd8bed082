package signing

import (
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// TokenState is the state of a token account: its amount, and who has power over it.
type TokenState struct {
	Mint   PublicKey       `json:"mint"`
	Owner  PublicKey       `json:"owner"`
	Amount walletfi.Amount `json:"amount"` // smallest units
	// Delegate may take up to Delegated of it, zero if nobody may.
	Delegate  PublicKey       `json:"delegate"`
	Delegated walletfi.Amount `json:"delegated"`
	// CloseAuthority may close it in the owner's place, and gets what it holds of wrapped SOL.
	// Zero leaves that to the owner.
	CloseAuthority PublicKey `json:"closeAuthority"`
}

// Token reads an account of either token program; ok is false if it is another kind of account,
// or not initialised.
func (s AccountState) Token() (t TokenState, ok bool) {
	read, ok := program.ReadTokenState(states([]AccountState{s})[0])
	return TokenState{
		PublicKey(read.Mint), PublicKey(read.Owner), walletfi.Amount(read.Amount), PublicKey(read.Delegate),
		walletfi.Amount(read.Delegated), PublicKey(read.CloseAuthority),
	}, ok
}

// Approves reports whether the account is a multisig of a token program that has a key among its
// signers.
func (s AccountState) Approves(key PublicKey) bool {
	return program.MayApprove(states([]AccountState{s})[0], program.Key(key))
}
