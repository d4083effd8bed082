package sandbox

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
)

// MarketHandle controls the prices by which all services trade.
type MarketHandle struct{ book *market.Book }

// Market returns the handle of the market.
func (s *Sandbox) Market() MarketHandle { return MarketHandle{s.world.Pools} }

// SetPrice moves the market price of a token: what a whole one is worth, in
// millionths of a dollar, above 0. Every service that prices by the market uses
// it from then on. Leveraged positions that it carries past their liquidation
// price are liquidated before SetPrice returns.
func (m MarketHandle) SetPrice(mint string, microUSD uint64) error {
	return m.book.SetPrice(mint, microUSD)
}
