package sandbox

import "github.com/walletfi/walletfi-go/sandbox/internal/swap"

// SwapHandle controls the swap service.
type SwapHandle struct{ service *swap.Service }

// Swap returns the handle of the swap service.
func (s *Sandbox) Swap() SwapHandle { return SwapHandle{s.world().Swap} }

// SetInitializing makes every route of the service answer 503, as it does while
// it starts, until it is set to false.
func (h SwapHandle) SetInitializing(initializing bool) { h.service.SetInitializing(initializing) }
