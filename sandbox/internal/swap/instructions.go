package swap

import (
	"encoding/base64"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// swapInstructions returns the instructions of swap's transaction.
func (w *Service) swapInstructions(c *kit.Call, in request) any {
	p := w.plan(c, in)
	instructions := []map[string]any{}
	for _, i := range append(p.fees.budgeting(), p.instructions...) {
		data := kit.Must(i.Data())
		accounts := []map[string]any{}
		for _, a := range i.Accounts() {
			accounts = append(accounts, map[string]any{
				"pubkey":     a.PublicKey,
				"isSigner":   a.IsSigner,
				"isWritable": a.IsWritable,
			})
		}
		instructions = append(instructions, map[string]any{
			"programId": i.ProgramID(), "accounts": accounts, "data": base64.StdEncoding.EncodeToString(data),
		})
	}
	return map[string]any{
		"instructions": instructions, "addressLookupTableAddresses": []solana.PublicKey{w.book.Table(play.Swap)},
		"computeUnitLimit": p.fees.unitLimit,
	}
}
