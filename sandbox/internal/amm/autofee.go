package amm

import "github.com/walletfi/walletfi-go/sandbox/internal/kit"

// autoFee is the present price of priority, micro-lamports a unit.
func (a *Service) autoFee(*kit.Call, kit.Nothing) any {
	busy := a.CurrentSlot() % 16
	return map[string]any{"default": map[string]uint64{
		"vh": 400_000 + busy*10_000,
		"h":  120_000 + busy*3000,
		"m":  30_000 + busy*1000,
	}}
}
