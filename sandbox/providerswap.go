package sandbox

import "github.com/walletfi/walletfi-go/sandbox/internal/providerswap"

// ProviderSwapHandle controls the provider swap service.
type ProviderSwapHandle struct{ service *providerswap.Service }

// ProviderSwap returns the handle of the provider swap service.
func (s *Sandbox) ProviderSwap() ProviderSwapHandle {
	return ProviderSwapHandle{s.world().ProviderSwap}
}

// The forms of providerswap's errors. The service documents no form.
const (
	ProviderSwapErrorsJSON = providerswap.ErrorsJSON // {"error": "text"}
	ProviderSwapErrorsHTML = providerswap.ErrorsHTML // a gateway's page
)

// SetErrors makes the service write all of its errors in one form:
// ProviderSwapErrorsJSON or ProviderSwapErrorsHTML. Any other value, and the
// initial state, alternates between the first form and an object with
// "message".
func (h ProviderSwapHandle) SetErrors(form string) { h.service.SetErrors(form) }

// Providers returns the slugs of the ten providers, in the order of their
// documented types: AMM, constant product, CLMM, AMM, dynamic liquidity, two
// bonding curves, stable, two AMMs.
func (h ProviderSwapHandle) Providers() []string { return h.service.Providers() }
