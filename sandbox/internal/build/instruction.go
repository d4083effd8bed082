package build

import (
	"encoding/base64"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// ListInstructions writes instructions as services answer them.
func ListInstructions(all []solana.Instruction) []any { return kit.List(all, InstructionJSON) }

// InstructionJSON writes an instruction as services answer it.
func InstructionJSON(in solana.Instruction) any {
	accounts := kit.List(in.Accounts(), func(a *solana.AccountMeta) any {
		return map[string]any{"pubkey": a.PublicKey, "isSigner": a.IsSigner, "isWritable": a.IsWritable}
	})
	data := kit.Must(in.Data())
	return map[string]any{
		"programId": in.ProgramID(), "accounts": accounts, "data": base64.StdEncoding.EncodeToString(data),
	}
}
