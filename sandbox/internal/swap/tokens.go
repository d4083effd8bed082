package swap

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
)

// The routes that only list.

func (w *Service) tokens(*kit.Call, kit.Nothing) any {
	return map[string]any{"tokens": kit.List(w.tradable(), func(t build.Token) string { return t.Mint })}
}

func (w *Service) tokensWithDecimals(*kit.Call, kit.Nothing) any {
	return map[string]any{"tokens": kit.List(w.tradable(), func(t build.Token) any {
		return map[string]any{"mint": t.Mint, "decimals": t.Decimals, "symbol": t.Symbol}
	})}
}

func (w *Service) venues(*kit.Call, kit.Nothing) any {
	return map[string]any{"venues": kit.List(w.book.Venues, func(v *market.Venue) any {
		return map[string]any{"name": v.Name, "id": v.Slug, "enabled": v.Enabled}
	})}
}
