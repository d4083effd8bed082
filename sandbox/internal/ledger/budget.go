package ledger

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"unicode/utf8"

	"github.com/gagliardetto/solana-go"
)

// The fee of a signature, and what a transaction may use at most.
const (
	signatureFee = 5000
	maxUnits     = 1_400_000
	maxLoaded    = 64 << 20 // bytes
	leastHeap    = 32 << 10 // bytes
)

// What counts as loaded beyond an account's data, in bytes: for each account, for each lookup
// table, and for the code of a program that is in its account, as on mainnet.
const (
	accountLoad = 64
	tableLoad   = 8248
)

var programData = map[solana.PublicKey]uint64{
	solana.TokenProgramID: 36, solana.Token2022ProgramID: 36, solana.AddressLookupTableProgramID: 36,
	solana.SPLAssociatedTokenAccountProgramID: 105_032, memoPrograms[0]: 2_304, memoPrograms[1]: 17_280,
	solana.SystemProgramID: 21, solana.ComputeBudget: 22,
}

var (
	ed25519Program   = solana.MustPublicKeyFromBase58("Ed25519SigVerify111111111111111111111111111")
	secp256r1Program = solana.MustPublicKeyFromBase58("Secp256r1SigVerify1111111111111111111111111")
)

// readBudget reads the compute-budget instructions, or a v1 transaction's
// config, and computes the fee.
func (e *execution) readBudget() *TxError {
	var price uint64
	limit, seen, heap := e.defaultUnits(), map[byte]bool{}, -1
	e.dataLimit, e.heap = maxLoaded, leastHeap
	signatures := uint64(e.tx.RequiredSignatures)
	for i, in := range e.tx.Instructions {
		program := e.tx.Keys[in.Program]
		if precompile(program) && len(in.Data) > 0 {
			signatures += uint64(in.Data[0])
		}
		if program != solana.ComputeBudget || e.tx.Version == V1 {
			continue
		}
		tag, value, ok := budgetInstruction(in.Data)
		if !ok {
			return &TxError{Kind: "InstructionError", Instruction: i, Cause: ErrData}
		}
		if seen[tag] {
			return &TxError{Kind: "DuplicateInstruction", Instruction: i}
		}
		seen[tag] = true
		switch tag {
		case 1:
			if e.heap = value; value%1024 != 0 || value < leastHeap || value > 262144 {
				heap = i
			}
		case 2:
			limit = value
		case 3:
			price = value
		case 4:
			e.dataLimit = min(value, maxLoaded)
		}
	}
	if heap >= 0 {
		return &TxError{Kind: "InstructionError", Instruction: heap, Cause: ErrData}
	}
	if e.dataLimit == 0 {
		return ErrDataLimit
	}
	e.limit, e.price = min(limit, maxUnits), price
	e.fee = signatures*signatureFee + priorityFee(price, e.limit)
	if e.tx.Version == V1 {
		e.limit, e.heap = min(uint64(e.tx.Budget.Units), maxUnits), uint64(e.tx.Budget.Heap)
		e.dataLimit = min(uint64(e.tx.Budget.DataLimit), maxLoaded) // of 0 if absent
		e.fee = signatures*signatureFee + e.tx.Budget.PriorityFee
		if e.limit > 0 {
			e.price = min(e.tx.Budget.PriorityFee, 1<<44) * 1_000_000 / e.limit
		}
	}
	return nil
}

// budgetInstruction reads the four instructions that there are.
func budgetInstruction(data []byte) (tag byte, value uint64, ok bool) {
	switch {
	case len(data) >= 5 && (data[0] == 1 || data[0] == 2 || data[0] == 4):
		return data[0], uint64(binary.LittleEndian.Uint32(data[1:])), true
	case len(data) >= 9 && data[0] == 3:
		return 3, binary.LittleEndian.Uint64(data[1:]), true
	}
	return 0, 0, false
}

// priorityFee is the price, in millionths of a lamport a unit, rounded up.
func priorityFee(price, units uint64) uint64 {
	n := new(big.Int).Mul(new(big.Int).SetUint64(price), new(big.Int).SetUint64(units))
	n.Add(n, big.NewInt(999_999)).Quo(n, big.NewInt(1_000_000))
	if !n.IsUint64() {
		return 1 << 63
	}
	return min(n.Uint64(), 1<<63)
}

// defaultUnits is the compute limit of a transaction that states none.
func (e *execution) defaultUnits() (units uint64) {
	for _, in := range e.tx.Instructions {
		if builtin(e.tx.Keys[in.Program]) {
			units += 3000
		} else {
			units += 200_000
		}
	}
	return min(units, maxUnits)
}

func builtin(program solana.PublicKey) bool {
	return program == solana.SystemProgramID || program == solana.ComputeBudget || program == solana.VoteProgramID ||
		program == solana.BPFLoaderUpgradeableProgramID || program == ed25519Program || program == solana.Secp256k1ProgramID
}

func precompile(program solana.PublicKey) bool {
	return program == ed25519Program || program == solana.Secp256k1ProgramID || program == secp256r1Program
}

// noOperation is a program that only uses compute units.
func noOperation(*Invocation) {}

func builtins() map[solana.PublicKey]Program {
	token := Program(runToken)
	return map[solana.PublicKey]Program{
		solana.SystemProgramID:                    runSystem,
		solana.TokenProgramID:                     token,
		solana.Token2022ProgramID:                 token,
		solana.SPLAssociatedTokenAccountProgramID: runAssociated,
		solana.AddressLookupTableProgramID:        runTable,
		solana.StakeProgramID:                     runStake,
		solana.ComputeBudget:                      noOperation,
		ed25519Program:                            func(x *Invocation) { x.verifySigned(2, 255, 14, signedEd25519) },
		secp256r1Program:                          func(x *Invocation) { x.verifySigned(2, 8, 14, signedSecp256r1) },
		solana.Secp256k1ProgramID:                 func(x *Invocation) { x.verifySigned(1, 255, 11, signedSecp256k1) },
		memoPrograms[0]:                           runMemo,
		memoPrograms[1]:                           runMemo,
		memoPrograms[2]:                           runMemo,
	}
}

var memoPrograms = [...]solana.PublicKey{
	solana.MemoProgramID,
	solana.MustPublicKeyFromBase58("Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo"),
	solana.MustPublicKeyFromBase58("Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH"),
}

// runMemo logs a text, and whose it is. The accounts of the instruction must sign, but not version 1's,
// which logs nothing.
func runMemo(x *Invocation) {
	if x.Program == memoPrograms[1] {
		FailIf(!utf8.Valid(x.Data), ErrData)
		return
	}
	if len(x.Accounts) > 0 {
		x.Log("Signed by:")
	}
	missing := false
	for _, m := range x.Accounts {
		if missing = missing || !m.Signer; m.Signer {
			x.Log(m.Key.String())
		}
	}
	FailIf(missing, ErrSigner)
	x.Log(fmt.Sprintf("Memo (len %d)", len(x.Data)))
	FailIf(!utf8.Valid(x.Data), errIncomplete)
	x.Log(string(x.Data))
}
