package signing

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/walletfi/walletfi-go/internal/jsontext"
	"github.com/walletfi/walletfi-go/signing/internal/judge"
)

// Pin lets a service's transactions call instructions of a program, which may write the
// accounts of the owner's that it names and no others. Several pins of a program add up.
// [Guard.Learn] proposes them; keep them, as JSON, with the program that signs.
//
// It binds the accounts that the transaction names: those that are the owner's, or of one of
// [Policy.Keys], by derivation, by a list, by what a simulation shows or, of a service that
// AllowBlind names, by an [AccountReader]. [Reach.Unshown] counts those of which none of these
// knows whose they are. Of what the program calls in turn it binds, where a simulation tells it, the
// accounts that the owner's signature moves.
type Pin struct {
	Program PublicKey `json:"program"`
	// Instructions are what a call's data may begin with. Nil, and a text without the member,
	// allows any; an empty list allows none.
	Instructions []Discriminator `json:"instructions,omitzero"`
	// MayWrite are accounts of the owner's. Empty allows none, [AnyAccount] all.
	MayWrite []Role `json:"mayWrite"`
}

// UnmarshalJSON refuses a member that is unknown, comes twice or is not written exactly, and
// an instruction that is not told: a pin that is misspelt would allow more than it says.
func (p *Pin) UnmarshalJSON(b []byte) error {
	type fields Pin
	var read fields
	if err := json.Unmarshal(b, &read); err != nil {
		return err
	}
	if err := jsontext.Exact(b, reflect.TypeFor[fields]()); err != nil {
		return fmt.Errorf("signing: a pin: %w", err)
	}
	var told struct{ Instructions json.RawMessage }
	if err := json.Unmarshal(b, &told); err != nil {
		return err
	}
	if string(told.Instructions) == "null" {
		return errors.New("signing: a pin: instructions that are null: leave them out to allow any")
	}
	if slices.ContainsFunc(read.Instructions, func(d Discriminator) bool { return len(d) == 0 }) {
		return errors.New("signing: a pin: an instruction without a discriminator")
	}
	*p = Pin(read)
	return nil
}

// Discriminator is the beginning of an instruction's data that says which one it is: eight
// bytes of an Anchor program, often one of another. As text it is hexadecimal.
type Discriminator []byte

// MarshalText writes hexadecimal.
func (d Discriminator) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, d), nil }

// UnmarshalText reads hexadecimal. An empty text names no instruction.
func (d *Discriminator) UnmarshalText(text []byte) error {
	b, err := hex.AppendDecode(nil, text)
	if err != nil {
		return errors.New("signing: a discriminator that is not hexadecimal")
	}
	*d = b
	return nil
}

// Role says why a transaction of an intent writes an account of the owner's.
type Role string

// The roles. An account can have several; one that is allowed is enough.
const (
	OwnerWallet     Role = "owner"    // the owner itself
	SpentAccount    Role = "spent"    // the owner's account of a mint that the intent spends, burns or pays fees of
	ReceivedAccount Role = "received" // the owner's account of a mint that the intent receives
	MadeAccount     Role = "made"     // this transaction creates it, and would fail if it existed
	NamedAccount    Role = "named"    // the intent names it as an output or to be closed, or Policy.Accounts lists it
	AnyAccount      Role = "any"      // any account of the owner's
)

// PinGrade is how closely a called program is pinned.
type PinGrade string

// The grades.
const (
	PinnedProgram     PinGrade = ""             // any instruction
	PinnedInstruction PinGrade = "instructions" // named instructions, which may write any account of the owner's
	PinnedAccounts    PinGrade = "accounts"     // named instructions, which may write named accounts
)

var grades = [...]PinGrade{PinnedProgram, PinnedInstruction, PinnedAccounts}

func (g PinGrade) text() string {
	switch g {
	case PinnedInstruction:
		return "this instruction of it (Policy.TypedPins)"
	case PinnedAccounts:
		return "this instruction of it with these accounts (Policy.TypedPins)"
	}
	return "any instruction of it (Policy.Pins)"
}

// roles are the bits of the roles, in the order in which they are listed.
var roles = []struct {
	role Role
	bits judge.Role
}{
	{OwnerWallet, judge.RoleOwner}, {SpentAccount, judge.RoleSpent}, {ReceivedAccount, judge.RoleReceived},
	{MadeAccount, judge.RoleMade}, {NamedAccount, judge.RoleNamed}, {AnyAccount, judge.AnyRole},
}

// rolesOf lists what bits say; those of an account that has no role are AnyAccount.
func rolesOf(bits judge.Role) (all []Role) {
	if bits&judge.RoleNone != 0 {
		return []Role{AnyAccount}
	}
	for _, r := range roles {
		if r.role != AnyAccount && bits&r.bits != 0 {
			all = append(all, r.role)
		}
	}
	return all
}

// pins reports whether some service may call a program.
func (p *Policy) pins(program PublicKey) bool {
	for _, programs := range p.Pins {
		if slices.Contains(programs, program) {
			return true
		}
	}
	for _, typed := range p.TypedPins {
		if slices.ContainsFunc(typed, func(pin Pin) bool { return pin.Program == program }) {
			return true
		}
	}
	return false
}

func cloneTyped(from map[string][]Pin) map[string][]Pin {
	to := make(map[string][]Pin, len(from))
	for service, pins := range from {
		for _, p := range pins {
			kept := Pin{Program: p.Program, MayWrite: slices.Clone(p.MayWrite), Instructions: slices.Clone(p.Instructions)}
			for i, d := range kept.Instructions {
				kept.Instructions[i] = slices.Clone(d)
			}
			to[service] = append(to[service], kept)
		}
	}
	return to
}

// judgedPins are the pins as the judge takes them. An unknown role allows nothing.
func judgedPins(from map[string][]Pin) map[string][]judge.Pin {
	to := make(map[string][]judge.Pin, len(from))
	for service, pins := range from {
		for _, p := range pins {
			judged := judge.Pin{Program: judge.Key(p.Program), Any: p.Instructions == nil}
			for _, d := range p.Instructions {
				judged.Instructions = append(judged.Instructions, d)
			}
			for _, r := range roles {
				if slices.Contains(p.MayWrite, r.role) {
					judged.May |= r.bits
				}
			}
			to[service] = append(to[service], judged)
		}
	}
	return to
}
