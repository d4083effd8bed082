package sandbox

import "github.com/walletfi/walletfi-go/sandbox/internal/market"

// MarketHandle controls the prices by which all services trade.
type MarketHandle struct{ book *market.Book }

// Market returns the handle of the market.
func (s *Sandbox) Market() MarketHandle { return MarketHandle{s.world().Pools} }

// SetPrice moves the market price of a token: the price of a whole token in
// millionths of a dollar, above 0. At once every pool of the token trades at the new
// price, and with the pools the quotes of swap, amm and providerswap, their price
// lists, the prices and candles of onchaindata and the offers of leverage. Swaps that
// were built before execute at the new price, or fail if it is beyond their slippage;
// an order of swap that is filled in parts may keep its first part only. SetPrice
// liquidates leveraged positions beyond their liquidation price before it returns.
func (m MarketHandle) SetPrice(mint string, microUSD uint64) error {
	return m.book.SetPrice(mint, microUSD)
}
