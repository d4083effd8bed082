package burnclose

import (
	"errors"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Instructions holds the instructions of a burn or a close.
type Instructions struct {
	Instructions []Instruction `json:"instructions" wire:"strict"`

	Reclaimed `json:"-"`
	// Intent is the intent of the request. Check the finished transaction against
	// it.
	Intent walletfi.Intent   `json:"-"`
	Raw    walletfi.Document `json:"-"`
}

// decode reads the known fields and keeps the answer in Raw.
func (i *Instructions) decode(b []byte, waive func(wire.Breach) bool) error {
	i.Raw = wire.Keep(b)
	if err := wire.DecodeFields(b, i, waive); err != nil {
		return err
	}
	if err := whole(i.Instructions); err != nil {
		return err
	}
	answer, err := readDeciding(b)
	if err != nil {
		return err
	}
	i.Reclaimed, err = reclaimedIn(answer)
	return err
}

// whole holds that there are instructions, and none twice: a burn would be carried out twice.
func whole(instructions []Instruction) error {
	if len(instructions) == 0 {
		return errNoInstructions
	}
	seen := map[string]bool{}
	for _, one := range instructions {
		if one.Raw.IsZero() {
			return errNoInstruction
		}
		is := compact(one.Raw)
		if seen[is] {
			return errInstructionTwice
		}
		seen[is] = true
	}
	return nil
}

// Instruction is a serialised instruction. Its shape is not documented. If it is an object,
// it must have a program, a list of accounts and data under the usual names, and each account
// its pubkey, and whether it signs and is written. All of it is in Raw.
type Instruction struct {
	ProgramID string            // base58
	Accounts  []AccountMeta     // in order
	Data      string            // as the service encodes it
	Raw       walletfi.Document // an object, or a string that holds the whole
}

// AccountMeta is an account of an instruction.
type AccountMeta struct {
	PublicKey  string `json:"pubkey" wire:"required,key"` // base58
	IsSigner   bool   `json:"isSigner" wire:"said"`
	IsWritable bool   `json:"isWritable" wire:"said"`
}

// UnmarshalJSON reads the known fields and keeps the instruction in Raw.
func (i *Instruction) UnmarshalJSON(b []byte) error { return i.decode(b, nil) }

func init() { wire.BytesReader((*Instruction).decode) }

func (i *Instruction) decode(b []byte, waive func(wire.Breach) bool) error {
	m, err := readDeciding(b)
	if err != nil {
		return err
	}
	i.ProgramID, i.Data, i.Accounts = m.text("programId", "program", "programID"), m.text("data"), nil
	accounts := m["accounts"]
	if absent(accounts) {
		accounts = m["keys"]
	}
	_, isList := readList(accounts)
	switch {
	case m == nil && isEncoded(b) && len(b) > shortestInstruction:
	case !isList || check.Address("programId", i.ProgramID) != nil || !isEncoded(m["data"]):
		return errNoInstruction
	default:
		if err := wire.UnmarshalWaiving(accounts, &i.Accounts, waive); err != nil {
			return err
		}
	}
	return i.Raw.UnmarshalJSON(b)
}

var (
	errNoInstruction    = errors.New("an instruction lacks its program, its accounts or its data")
	errInstructionTwice = &wire.FieldError{Path: "instructions", Problem: "have one that comes twice"}
)

// shortestInstruction is the length of a program's address in base58: an instruction that is a
// text has more than that in it.
const shortestInstruction = 44

// isEncoded reports whether a value is a text in the letters of base64, and so perhaps of
// base58. It may be empty.
func isEncoded(text []byte) bool {
	const letters = base58Alphabet + "0OIl+/="
	return len(text) > 1 && text[0] == '"' && strings.Trim(plainText(text), letters) == ""
}

// MarshalJSON returns the instruction as it arrived.
func (i Instruction) MarshalJSON() ([]byte, error) { return i.Raw.MarshalJSON() }

// InstructionGroup holds the instructions that close one account.
type InstructionGroup struct {
	Account      string // base58, empty if the answer does not hold it
	Instructions []Instruction
	Raw          walletfi.Document
}

// UnmarshalJSON reads an object that holds instructions, or a bare list of
// them, and keeps it in Raw.
func (g *InstructionGroup) UnmarshalJSON(b []byte) error { return g.decode(b, nil) }

func (g *InstructionGroup) decode(b []byte, waive func(wire.Breach) bool) error {
	m, err := readDeciding(b)
	if err != nil {
		return err
	}
	g.Account = m.text("account", "tokenAccount", "address", "pubkey", "assetId", "mint")
	g.Instructions = nil
	items, ok := readList(b)
	if !ok {
		items, ok = m.list("instructions")
	}
	if !ok && m != nil && m["programId"] == nil {
		return errNoInstructions
	}
	for _, item := range items {
		var one Instruction
		if err := one.decode(item, waive); err != nil {
			return err
		}
		g.Instructions = append(g.Instructions, one)
	}
	if m["programId"] != nil && g.Instructions == nil {
		// The list was not grouped: the instruction is a group of its own.
		var one Instruction
		if err := one.decode(b, waive); err != nil {
			return err
		}
		g.Account, g.Instructions = "", []Instruction{one}
	}
	if err := whole(g.Instructions); err != nil {
		return err
	}
	return g.Raw.UnmarshalJSON(b)
}

// MarshalJSON returns the group as it arrived.
func (g InstructionGroup) MarshalJSON() ([]byte, error) { return g.Raw.MarshalJSON() }
