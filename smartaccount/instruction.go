package smartaccount

import "github.com/walletfi/walletfi-go/internal/check"

// Instruction is one step of a transaction.
type Instruction struct {
	ProgramID string        `json:"programId" wire:"said,key,opaque"` // program to call, base58; required
	Accounts  []AccountMeta `json:"accounts" wire:"said"`             // in the program's order
	Data      []byte        `json:"data" wire:"said"`                 // the program's own encoding; base64 on the wire
}

// AccountMeta is an account of an instruction. Both flags are always sent, even
// if false.
type AccountMeta struct {
	PublicKey  string `json:"pubkey" wire:"said,key,opaque"` // base58; required
	IsSigner   bool   `json:"isSigner" wire:"said"`
	IsWritable bool   `json:"isWritable" wire:"said"`
}

// whole replaces nil by empty, because null is neither an array nor base64.
func whole(instructions []Instruction) []Instruction {
	copied := make([]Instruction, len(instructions))
	for i, in := range instructions {
		if in.Accounts == nil {
			in.Accounts = []AccountMeta{}
		}
		if in.Data == nil {
			in.Data = []byte{}
		}
		copied[i] = in
	}
	return copied
}

func instructionProblem(field string, in Instruction) error {
	return check.All(
		check.Required(field+".programId", in.ProgramID),
		check.Each(field+".accounts", in.Accounts, func(field string, meta AccountMeta) error {
			return check.Required(field+".pubkey", meta.PublicKey)
		}),
	)
}
