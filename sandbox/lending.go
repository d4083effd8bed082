package sandbox

import "github.com/walletfi/walletfi-go/sandbox/internal/lending"

// LendingHandle controls the lending service.
type LendingHandle struct{ service *lending.Service }

// Lending returns the handle of the lending service.
func (s *Sandbox) Lending() LendingHandle { return LendingHandle{s.world().Lending} }

// SetWebhook sets the URL that the lending service posts its events to. Empty
// stops them.
func (h LendingHandle) SetWebhook(url string) { h.service.SetWebhook(url) }

// FailProtocol makes the protocol that holds a wallet's deposits of a mint
// fail: the service pays them back to the wallet's account on the ledger and
// sends position.liquidated.
func (h LendingHandle) FailProtocol(wallet, mint string) error {
	return h.service.FailProtocol(wallet, mint)
}
