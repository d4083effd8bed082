package swap

import (
	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// swapInstructions returns the instructions of swap's transaction.
func (w *Service) swapInstructions(c *kit.Call, in request) any {
	p := w.plan(c, in)
	return map[string]any{
		"instructions":                build.ListInstructions(append(p.fees.budgeting(), p.instructions...)),
		"addressLookupTableAddresses": []solana.PublicKey{w.book.Table(play.Swap)},
		"computeUnitLimit":            p.fees.unitLimit,
	}
}
