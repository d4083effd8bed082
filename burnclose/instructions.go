package burnclose

import (
	"encoding/json"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Instructions are those of one burn or close.
type Instructions struct {
	Instructions []Instruction `json:"instructions" wire:"required"`

	Reclaimed `json:"-"`
	// Intent is what the request asked for, against which the transaction that
	// they go into can be held.
	Intent walletfi.Intent   `json:"-"`
	Raw    walletfi.Document `json:"-"`
}

// UnmarshalJSON reads what is known by name and keeps the answer in Raw.
func (i *Instructions) UnmarshalJSON(b []byte) error {
	type fields Instructions
	if err := transport.Keep(b, (*fields)(i), &i.Raw); err != nil {
		return err
	}
	i.Reclaimed = reclaimedIn(readMembers(b))
	return nil
}

// Instruction is one serialised instruction. Its form is not documented: where
// it is an object of the usual shape the fields are filled, else all of it is
// in Raw.
type Instruction struct {
	ProgramID string            // base58
	Accounts  []AccountMeta     // in order
	Data      string            // as the service encodes it
	Raw       walletfi.Document // an object, or a text that holds the whole
}

// AccountMeta is an account that an instruction names.
type AccountMeta struct {
	PublicKey  string `json:"pubkey"` // base58
	IsSigner   bool   `json:"isSigner"`
	IsWritable bool   `json:"isWritable"`
}

// UnmarshalJSON reads what is known by name and keeps the instruction in Raw.
func (i *Instruction) UnmarshalJSON(b []byte) error {
	m := readMembers(b)
	i.ProgramID = m.text("programId", "program", "programID")
	i.Data = m.text("data")
	i.Accounts = nil
	for _, name := range []string{"accounts", "keys"} {
		var accounts []AccountMeta
		var raw walletfi.Document
		if !absent(m[name]) && transport.Keep(m[name], &accounts, &raw) == nil {
			i.Accounts = accounts
			break
		}
	}
	return i.Raw.UnmarshalJSON(b)
}

// MarshalJSON returns the instruction as it came.
func (i Instruction) MarshalJSON() ([]byte, error) { return i.Raw.MarshalJSON() }

// InstructionGroup is what closes one account.
type InstructionGroup struct {
	Account      string // base58, empty where the answer does not name it
	Instructions []Instruction
	Raw          walletfi.Document
}

// UnmarshalJSON reads an object that holds instructions, or a bare list of
// them, and keeps it in Raw.
func (g *InstructionGroup) UnmarshalJSON(b []byte) error {
	m := readMembers(b)
	g.Account = m.text("account", "tokenAccount", "address", "pubkey", "assetId", "mint")
	g.Instructions = nil
	items, ok := readList(b)
	if !ok {
		items, _ = m.list("instructions")
	}
	for _, item := range items {
		var one Instruction
		if err := json.Unmarshal(item, &one); err != nil {
			return err
		}
		g.Instructions = append(g.Instructions, one)
	}
	if m["programId"] != nil && g.Instructions == nil {
		// The list was not grouped: the instruction is a group of its own.
		var one Instruction
		if err := json.Unmarshal(b, &one); err != nil {
			return err
		}
		g.Account, g.Instructions = "", []Instruction{one}
	}
	return g.Raw.UnmarshalJSON(b)
}

// MarshalJSON returns the group as it came.
func (g InstructionGroup) MarshalJSON() ([]byte, error) { return g.Raw.MarshalJSON() }
