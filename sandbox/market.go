package sandbox

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
)

// MarketHandle controls the prices by which all services trade.
type MarketHandle struct{ book *market.Book }

// Market returns the handle of the market.
func (s *Sandbox) Market() MarketHandle { return MarketHandle{s.world.Pools} }

// SetPrice moves the market price of a token: the price of a whole
// token in millionths of a dollar, above 0. All services use it from then on.
// SetPrice liquidates leveraged positions beyond their liquidation price before
// it returns.
func (m MarketHandle) SetPrice(mint string, microUSD uint64) error {
	return m.book.SetPrice(mint, microUSD)
}
