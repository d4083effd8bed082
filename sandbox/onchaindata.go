package sandbox

import "github.com/walletfi/walletfi-go/sandbox/internal/kit"

// OnchainDataHandle has the addresses of the market data service.
type OnchainDataHandle struct{ core *kit.Core }

// OnchainData returns the handle of the market data service.
func (s *Sandbox) OnchainData() OnchainDataHandle { return OnchainDataHandle{s.world().Core} }

// ProURL returns the base URL of the pro tier.
func (h OnchainDataHandle) ProURL() string { return h.core.HostURL(OnchainData, "pro") }
