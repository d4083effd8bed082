package sandbox

import "github.com/walletfi/walletfi-go/sandbox/internal/burnclose"

// BurnCloseHandle controls the burn and close service.
type BurnCloseHandle struct{ service *burnclose.Service }

// BurnClose returns the handle of the burn and close service.
func (s *Sandbox) BurnClose() BurnCloseHandle { return BurnCloseHandle{s.world().BurnClose} }

// OpenEmptyAccounts gives a wallet n more empty token accounts to close, at
// most 10,000, each of a mint of its own. It returns their addresses, base58.
func (h BurnCloseHandle) OpenEmptyAccounts(wallet string, n int) ([]string, error) {
	return h.service.OpenEmptyAccounts(wallet, n)
}
