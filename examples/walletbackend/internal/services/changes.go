package services

import (
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// Change sums up what executed transactions changed of a wallet's tokens of one
// mint; of SOL, network fees and rent included.
type Change struct {
	Mint   string          `json:"mint"`
	Gained walletfi.Amount `json:"gained"` // smallest units; at most one of the two is not 0
	Lost   walletfi.Amount `json:"lost"`
	Text   string          `json:"text"` // for people, with a sign
}

// Changes lists what a payment really changed of a wallet, as the ledger has it, SOL
// first. known is false if that is not known: not executed, or the node did not say.
func (c *Clients) Changes(wallet string, r *wallet.Result) (all []Change, known bool) {
	if r == nil {
		return nil, false
	}
	mints, executed := []string{walletfi.NativeMint}, false
	for _, step := range r.Steps {
		if step.Effects == nil {
			continue
		}
		executed = true
		for _, t := range step.Effects.Tokens {
			if t.Owner == wallet && !slices.Contains(mints, t.Mint) {
				mints = append(mints, t.Mint)
			}
		}
	}
	for _, mint := range mints {
		gained, lost, told := r.Net(wallet, mint)
		if !told {
			return nil, false
		}
		if gained > 0 {
			all = append(all, Change{mint, gained, 0, "+" + c.Tokens.Text(mint, gained)})
		}
		if lost > 0 {
			all = append(all, Change{mint, 0, lost, "−" + c.Tokens.Text(mint, lost)})
		}
	}
	return all, executed
}
