package signing

import (
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/judge"
)

// The caps if neither intent nor policy names one.
const (
	DefaultMaxNetworkFeeLamports = 10_000_000 // 0.01 SOL a set, base and priority fees
	DefaultMaxRentLamports       = 30_000_000 // 0.03 SOL a set: a dozen token accounts, or a few larger ones
)

// Policy configures the guard for all transactions. The zero
// value pins nothing, so that only the programs with rules of their own may be
// called.
type Policy struct {
	// Pins are the programs that a service's transactions may call, by the
	// service's package name, which is Intent.Service. No service documents
	// its program ids: take them from its own publications, or see Learn.
	// Pinning a program that has a rule here does not lift the rule.
	Pins map[string][]PublicKey
	// TypedPins name the instructions that a service's transactions may call, and which
	// accounts of the owner's each may write. A program that has one is bound by its typed
	// pins alone, even if Pins lists it too. See Learn.
	TypedPins map[string][]Pin `json:",omitempty"` // an approval from before there were any stays good

	// Accounts belong to the caller, like the owner and its associated token
	// accounts: what moves to them stays with the caller.
	Accounts []OwnAccount
	// Keys hold authority for the caller, like the owner: delegates and
	// multisigs. An instruction that one of them signs is the caller's.
	Keys []PublicKey
	// Protected may not be written by any instruction, whatever its program.
	Protected []PublicKey

	// Sponsors may pay a transaction's fee in the owner's place.
	Sponsors []PublicKey
	// CoSigners may be asked to sign, too.
	CoSigners []PublicKey
	// LateCoSigners is the number of unnamed signers that may sign after the
	// owner: market makers and sponsors sign last. 0 allows none.
	LateCoSigners int
	// Delegates may be approved to take what an intent allows to spend.
	Delegates []PublicKey

	// Mints are Token-2022 mints whose transfers among the owner's accounts do not
	// count as spent, whatever fee they withhold. An intent that names a mint does
	// not do that: it allows what it spends. See [MintReader].
	Mints []PublicKey

	// MaxNetworkFeeLamports caps base and priority fees of a set. Nil means
	// DefaultMaxNetworkFeeLamports; an intent's own cap takes precedence.
	MaxNetworkFeeLamports *walletfi.Amount
	// MaxRentLamports caps the rent of the accounts that a set creates for the
	// owner. Nil means DefaultMaxRentLamports; an intent's own cap takes
	// precedence.
	MaxRentLamports *walletfi.Amount
	// ForeignRentLamports is the rent that a set may pay for token accounts of
	// other wallets, even if its intent allows less. 0 adds nothing to the intent.
	ForeignRentLamports walletfi.Amount

	// AllowBlind are services, as in Pins, whose transactions may be signed although
	// no simulation showed what they do: the bytes bound what leaves by their own instructions,
	// and a pinned program may take all of the accounts that it may write.
	// [Report.Blind] names each such transaction.
	AllowBlind []string
	// Unsimulated are services, as in Pins, whose transactions are shown to no simulator:
	// those that a relay is to keep secret until they are executed. AllowBlind has to name
	// the service too if they call pinned programs.
	Unsimulated []string

	// Resolver reads lookup tables. Nil leaves what they load unknown.
	Resolver Resolver
	// Tokens names tokens in the report. Nil leaves their mints and smallest units.
	Tokens TokenSource
	// IDLs name the instructions of pinned programs in the report. They prove nothing.
	IDLs *IDLs `json:",omitempty"`
	// Simulator runs each transaction before it is signed, and the outcome is
	// held against the intent. Nil checks the bytes alone. If no simulation shows what a
	// pinned program does to an account of the owner's, in a later transaction of a set
	// no [SetSimulator], AllowBlind has to name the service, or a wallet signs the set step
	// by step: see [Guard.SignStep]. The node that simulates a transaction sees it before it
	// is sent.
	Simulator Simulator
	// Stepwise has a wallet sign each transaction of a set by itself, after the execution of
	// those before it, although the Simulator runs sets in order: see [Guard.SignStep]. If it
	// cannot, a set is signed so anyway. A set that AllowBlind lets pass is signed whole.
	Stepwise bool `json:",omitzero"`
}

// OwnAccount is an account of the caller's that no derivation finds.
type OwnAccount struct {
	Address PublicKey
	Mint    PublicKey // of a token account; zero if it is not one: another's that is there keeps nothing for the caller
}

// clone keeps the guard apart from what the caller does to its slices.
func (p Policy) clone() Policy {
	pins := make(map[string][]PublicKey, len(p.Pins))
	for service, programs := range p.Pins {
		pins[service] = slices.Clone(programs)
	}
	p.Pins, p.TypedPins = pins, cloneTyped(p.TypedPins)
	p.MaxNetworkFeeLamports, p.MaxRentLamports = cloned(p.MaxNetworkFeeLamports), cloned(p.MaxRentLamports)
	p.Accounts, p.Keys, p.Protected = slices.Clone(p.Accounts), slices.Clone(p.Keys), slices.Clone(p.Protected)
	p.Sponsors, p.CoSigners, p.Delegates = slices.Clone(p.Sponsors), slices.Clone(p.CoSigners), slices.Clone(p.Delegates)
	p.Mints, p.AllowBlind = slices.Clone(p.Mints), slices.Clone(p.AllowBlind)
	p.Unsimulated = slices.Clone(p.Unsimulated)
	return p
}

func cloned(n *walletfi.Amount) *walletfi.Amount {
	if n == nil {
		return nil
	}
	return new(*n)
}

// capOr is a cap in lamports, or its default.
func capOr(n *walletfi.Amount, otherwise uint64) uint64 {
	if n == nil {
		return otherwise
	}
	return uint64(*n)
}

// judged is the policy as the judge takes it.
func (p Policy) judged() judge.Policy {
	j := judge.Policy{
		Pins: make(map[string][]judge.Key, len(p.Pins)), Keys: keysOf[judge.Key](p.Keys),
		Protected: keysOf[judge.Key](p.Protected),
		Sponsors:  keysOf[judge.Key](p.Sponsors), CoSigners: keysOf[judge.Key](p.CoSigners),
		Delegates:     keysOf[judge.Key](p.Delegates),
		LateCoSigners: p.LateCoSigners, Mints: keysOf[judge.Key](p.Mints), AllowBlind: p.AllowBlind,
	}
	for service, programs := range p.Pins {
		j.Pins[service] = keysOf[judge.Key](programs)
	}
	j.TypedPins = judgedPins(p.TypedPins)
	for _, a := range p.Accounts {
		j.Accounts = append(j.Accounts, judge.OwnAccount{Address: judge.Key(a.Address), Mint: judge.Key(a.Mint)})
	}
	return j
}
