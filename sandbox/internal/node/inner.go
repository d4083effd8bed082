package node

import (
	"encoding/binary"
	"fmt"

	"github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// innerOf writes the inner instructions of a simulation: parsed if the program
// and the instruction are known, partially decoded otherwise, or compiled if
// Config.CompiledInner is set.
func (c *call) innerOf(r *ledger.Receipt) []any {
	if c.Config.CompiledInner {
		return inner(r, innerCompiled)
	}
	return inner(r, func(in ledger.Inner) any { return parsedInner(r, in) })
}

func inner(r *ledger.Receipt, write func(ledger.Inner) any) []any {
	return kit.List(r.Inner, func(set ledger.InnerSet) any {
		return map[string]any{"index": set.Index, "instructions": kit.List(set.Instructions, write)}
	})
}

func parsedInner(r *ledger.Receipt, in ledger.Inner) any {
	program := r.Keys[in.Program]
	accounts := kit.List(in.Accounts, func(i int) string { return r.Keys[i].String() })
	var name, kind string
	var info map[string]any
	switch program {
	case solana.SystemProgramID:
		name = "system"
		kind, info = parsedSystem(in.Data, accounts)
	case solana.TokenProgramID, solana.Token2022ProgramID:
		name = "spl-token"
		kind, info = parsedToken(in.Data, accounts)
	}
	if info == nil {
		return map[string]any{
			"programId":   program,
			"accounts":    accounts,
			"data":        base58.Encode(in.Data),
			"stackHeight": in.Depth,
		}
	}
	return map[string]any{
		"program": name, "programId": program, "stackHeight": in.Depth,
		"parsed": map[string]any{"type": kind, "info": info},
	}
}

// parsedSystem knows the two instructions that programs invoke here.
func parsedSystem(data []byte, accounts []string) (string, map[string]any) {
	if len(data) < 12 || len(accounts) < 2 {
		return "", nil
	}
	switch binary.LittleEndian.Uint32(data) {
	case 0:
		if len(data) < 52 {
			return "", nil
		}
		return "createAccount", map[string]any{
			"source": accounts[0], "newAccount": accounts[1], "lamports": binary.LittleEndian.Uint64(data[4:]),
			"space": binary.LittleEndian.Uint64(data[12:]), "owner": solana.PublicKeyFromBytes(data[20:52]).String(),
		}
	case 2:
		return "transfer", map[string]any{
			"source": accounts[0], "destination": accounts[1], "lamports": binary.LittleEndian.Uint64(data[4:]),
		}
	}
	return "", nil
}

// parsedToken knows what the associated-token program and the services invoke.
func parsedToken(data []byte, accounts []string) (string, map[string]any) {
	switch {
	case len(data) == 0:
	case data[0] == 12 && len(data) == 10 && len(accounts) == 4:
		return "transferChecked", map[string]any{
			"source": accounts[0], "mint": accounts[1], "destination": accounts[2], "authority": accounts[3],
			"tokenAmount": uiAmount(binary.LittleEndian.Uint64(data[1:]), data[9]),
		}
	case data[0] == 3 && len(data) == 9 && len(accounts) == 3:
		return "transfer", map[string]any{
			"source": accounts[0], "destination": accounts[1], "authority": accounts[2],
			"amount": fmt.Sprint(binary.LittleEndian.Uint64(data[1:])),
		}
	case data[0] == 21 && len(accounts) == 1:
		return "getAccountDataSize", map[string]any{"mint": accounts[0], "extensionTypes": []string{"immutableOwner"}}
	case data[0] == 22 && len(accounts) == 1:
		return "initializeImmutableOwner", map[string]any{"account": accounts[0]}
	case data[0] == 18 && len(data) == 33 && len(accounts) == 2:
		return "initializeAccount3", map[string]any{
			"account": accounts[0], "mint": accounts[1], "owner": solana.PublicKeyFromBytes(data[1:]).String(),
		}
	}
	return "", nil
}
