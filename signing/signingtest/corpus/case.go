package corpus

import (
	"crypto/sha256"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// Key is an address: 32 bytes, as signing.PublicKey and solana-go have it.
type Key = [32]byte

// Format is the format of a case's transactions.
type Format string

// The formats.
const (
	Legacy Format = "legacy"
	V0     Format = "v0"
	V1     Format = "v1"
	Set    Format = "set" // several transactions, of which one is the case
)

// Formats is all of them.
func Formats() []Format { return []Format{Legacy, V0, V1, Set} }

// Config says which cases to generate.
type Config struct {
	Owner     Key    // the wallet that the cases ask to sign
	Seed      uint64 // of every other key and of the amounts
	Blockhash Key    // of the cases that have a good one; zero means one of the seed's
}

// Case holds a builder's answer, and what else the caller knows.
type Case struct {
	Name        string
	Format      Format
	Unsigned    walletfi.Unsigned
	Policy      Policy
	BlockHeight uint64 // of the ledger when the answer is checked; 0 where the caller does not ask
	Nonce       *Nonce // that the caller opted in to, nil without
	// Lookups are the tables that the transactions name, whether or not the
	// caller's resolver reads them.
	Lookups map[Key][]Key
}

// Attack is a case that no guard may sign.
type Attack struct {
	Case
	Rule      string // that has to refuse it, as signing.Rule names it
	Technique string // its name without the format
	Aim       string // what it is after
	// Robs is the index of the transaction that robs. Where it takes all of a
	// set to, it is the first.
	Robs int
	// Unreadable says that the bytes cannot be parsed at all, so that it is
	// refused whether or not the rule is applied.
	Unreadable bool
}

// Benign is a case that a guard has to sign.
type Benign struct {
	Case
	Shape   string // its name without the format
	Change  string // the one thing that makes it malicious
	Spoiled Case   // with that change
	Rule    string // that has to refuse Spoiled
}

// Policy is the policy of the caller's guard, as plain data.
type Policy struct {
	Pins          map[string][]Key // programs by service
	TypedPins     map[string][]Pin
	Accounts      []OwnAccount
	Keys          []Key
	Protected     []Key
	Sponsors      []Key
	CoSigners     []Key
	Delegates     []Key
	LateCoSigners int
	Mints         []Key
	Tables        map[Key][]Key // what a resolver answers; nil without one
	Fees          map[Key]Fee   // what a resolver answers of mints; nil if it reads none
	// Simulations are what a simulator answers, one for each transaction; nil
	// without one.
	Simulations []Simulation
	// Alone says that the simulator runs each transaction by itself.
	Alone      bool
	AllowBlind []string // services
}

// Pin is a program with the instructions that may be called and the roles of the accounts
// of ours that they may write.
type Pin struct {
	Program      Key
	Instructions [][]byte
	MayWrite     []string
}

// Fee is the part of a transfer that a Token-2022 mint withholds.
type Fee struct {
	BasisPoints uint16
	Most        uint64
}

// OwnAccount is an account of the caller's that no derivation finds.
type OwnAccount struct{ Address, Mint Key }

// Nonce is a durable nonce account and its value.
type Nonce struct{ Account, Value Key }

// Simulation is a simulator's answer about one transaction.
type Simulation struct {
	Err    string
	Before map[Key]State // accounts that are absent do not exist
	After  map[Key]State
	Inner  []Inner

	StatesOnly bool // the simulator shows accounts, and no calls
}

// State is an account at one moment.
type State struct {
	Lamports uint64
	Owner    Key // program
	Data     []byte
}

// Inner is an instruction that a program called.
type Inner struct {
	Outer    int // index of the instruction under which it ran
	Program  Key
	Accounts []Key
	Data     []byte
}

// Attacks generates the attacks, in a fixed order.
func Attacks(c Config) []Attack {
	k := newCast(c)
	var all []Attack
	for _, t := range techniques(k) {
		for _, format := range t.formats() {
			s := t.scene.clone()
			all = append(all, Attack{
				Case: k.render(t.name, format, s), Rule: t.rule, Technique: t.name, Aim: t.aim,
				Unreadable: t.unreadable, Robs: t.robs(format),
			})
		}
	}
	return all
}

// Benigns generates the honest cases, in a fixed order.
func Benigns(c Config) []Benign {
	k := newCast(c)
	var all []Benign
	for _, h := range shapes(k) {
		for _, format := range h.formats() {
			spoiled := h.scene.clone()
			h.spoil(spoiled)
			all = append(all, Benign{
				Case: k.render(h.name, format, h.scene.clone()), Shape: h.name, Change: h.change,
				Spoiled: k.render(h.name+", "+h.change, format, spoiled), Rule: h.rule,
			})
		}
	}
	return all
}

// innerFormat is the format of a set's transactions: each has its turn.
func innerFormat(name string) txbuild.Format {
	h := sha256.Sum256([]byte(name))
	return txbuild.Formats[int(h[0])%len(txbuild.Formats)]
}
