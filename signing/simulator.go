package signing

import (
	"context"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// Simulator runs a transaction without landing it. rpcnode has one.
type Simulator interface {
	// Simulate runs r.Transaction, whose signatures need not be there, and
	// returns what it would do, or ErrUnknown. Another error means that it could
	// not be asked; a transaction that would fail is a Simulation with Err.
	Simulate(ctx context.Context, r SimulationRequest) (*Simulation, error)
}

// SetSimulator is a [Simulator] that runs a set in order, as the bundle methods of
// some nodes do: rpcnode has one. What a later transaction of a set does depends on what the earlier
// ones leave, so that without it pinned programs in later transactions are
// refused, unless [Policy.AllowBlind] names the service.
//
// If it tells no inner instructions, the guard reads who controls the tokens and mints of others that lose
// something: the resolver or the simulator has to be an [AccountReader], as rpcnode is.
type SetSimulator interface {
	Simulator
	// SimulateAfter is Simulate on the state that the earlier transactions leave, one
	// after another. Before of the simulation is that state, too.
	SimulateAfter(ctx context.Context, earlier []*Transaction, r SimulationRequest) (*Simulation, error)
}

// SimulationRequest names the transaction to run and the accounts to look at.
type SimulationRequest struct {
	Transaction *Transaction
	Accounts    []PublicKey // to be read before and after; an instruction can name 256 of a transaction
	// MinSlot is the oldest slot whose state Before and After may be of, 0 for any.
	MinSlot uint64
	// Ours are those of Accounts that are the caller's, apart from the signers and their token
	// accounts: Before and After are of one state of them, too.
	Ours []PublicKey
}

// Simulation is the predicted effect of a transaction.
type Simulation struct {
	Err    string         // why it would fail, empty where it would not
	Slot   uint64         // at which it was run
	Units  uint64         // compute units that it used, 0 if the node does not say
	Before []AccountState // of the requested accounts, in order
	After  []AccountState // of the same
	Inner  []InnerInstruction
	// StatesOnly says that Inner is not told. The guard then judges by the states, and
	// takes the outcome for unknown if one changes that does not show what became of us:
	// a stake account, a nonce, or what a key of the caller's has authority over.
	StatesOnly bool
}

// AccountState is an account at one moment. One that does not exist is all
// zero.
type AccountState struct {
	Lamports walletfi.Amount
	Owner    PublicKey // the program that owns it
	Data     []byte
}

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

// InnerInstruction is an instruction that a program called. Of a parsed one
// that cannot be stated as bytes, Data is nil.
type InnerInstruction struct {
	Outer    int // index of the instruction of the transaction under which it ran
	Program  PublicKey
	Accounts []PublicKey
	Data     []byte
}
