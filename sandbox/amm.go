package sandbox

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/amm"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// AMMHandle controls the AMM.
type AMMHandle struct {
	core    *kit.Core
	service *amm.Service
}

// AMM returns the handle of the AMM.
func (s *Sandbox) AMM() AMMHandle { return AMMHandle{s.world().Core, s.world().AMM} }

// DataURL returns the base URL of the data host.
func (h AMMHandle) DataURL() string { return h.core.HostURL(AMM, "data") }

// SetWholeEnvelope makes the transaction routes require the whole envelope of a
// quote as swapResponse, as some deployments do, instead of its data.
func (h AMMHandle) SetWholeEnvelope(whole bool) { h.service.SetWholeEnvelope(whole) }
