// Package rule names the rules of the signing guard, as package signing
// publishes them, and holds what a refusal says.
package rule

import "github.com/walletfi/walletfi-go/internal/txwire"

// The envelope.
const (
	Encoding = "G1"
	Version  = "G2"
	Sanity   = "G3"
	Signers  = "G4"
	Lifetime = "G5"
	Lookup   = "G6"
	Set      = "G7"
	Tip      = "G8"
	Arrival  = "G9"

	TooComplex = "too.complex"
	Blind      = "blind"
)

// The System program.
const (
	SystemTransfer = "system.transfer"
	SystemCreate   = "system.create"
	SystemAssign   = "system.assign"
	SystemNonce    = "system.nonce"
	SystemUnknown  = "system.unknown"
)

// The two token programs.
const (
	TokenTransfer   = "token.transfer"
	TokenApprove    = "token.approve"
	TokenAuthority  = "token.authority"
	TokenClose      = "token.close"
	TokenBurn       = "token.burn"
	TokenInitialize = "token.initialize"
	TokenMint       = "token.mint"
	TokenBatch      = "token.batch"
	TokenUnknown    = "token.unknown"
)

// The other programs.
const (
	AssociatedToken  = "ata.create"
	Rent             = "rent"
	ComputeBudget    = "budget.set"
	NetworkFee       = "budget.fee"
	DeniedProgram    = "program.denied"
	UnknownProgram   = "program.unknown"
	PinnedCall       = "program.pinned"
	ProtectedAccount = "program.protected"
)

// What only a simulation shows.
const (
	SimulationFailed    = "simulation.failed"
	SimulationSpend     = "simulation.spend"
	SimulationArrival   = "simulation.arrival"
	SimulationAuthority = "simulation.authority"
)

// Site is the place of an operation in a set.
type Site struct {
	Transaction int
	Instruction int // Envelope for the transaction as a whole
	Simulated   bool
	Program     txwire.Key
}

// Envelope is the Instruction of what concerns a transaction as a whole.
const Envelope = -1

// Refusal is one ground for not signing.
type Refusal struct {
	Rule string
	Site
	Found   string
	Allowed string
}

// Refuse makes the refusal of what lies at s.
func (s Site) Refuse(rule, allowed, found string) *Refusal {
	return &Refusal{rule, s, found, allowed}
}
