package ledger

import "github.com/gagliardetto/solana-go"

// unitsOf is about what an instruction of a program uses.
func unitsOf(in Instruction) uint64 {
	switch in.Program {
	case solana.SystemProgramID, solana.ComputeBudget:
		return 150
	case ed25519Program, solana.Secp256k1ProgramID, secp256r1Program:
		return 0
	case solana.TokenProgramID, solana.Token2022ProgramID:
		return 300
	}
	return 1_000
}
