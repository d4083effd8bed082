package swap

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// The routes that only list.

func (w *Service) tokens(*kit.Call, kit.Nothing) any {
	mints := []string{}
	for _, t := range w.tradable() {
		mints = append(mints, t.Mint)
	}
	return map[string]any{"tokens": mints}
}

type tokenAnswer struct {
	Mint     string `json:"mint"`
	Decimals uint8  `json:"decimals"`
	Symbol   string `json:"symbol"`
}

func (w *Service) tokensWithDecimals(*kit.Call, kit.Nothing) any {
	tokens := []tokenAnswer{}
	for _, t := range w.tradable() {
		tokens = append(tokens, tokenAnswer{t.Mint, t.Decimals, t.Symbol})
	}
	return map[string]any{"tokens": tokens}
}

func (w *Service) venues(*kit.Call, kit.Nothing) any {
	venues := []map[string]any{}
	for _, v := range w.book.Venues {
		venues = append(venues, map[string]any{"name": v.Name, "id": v.Slug, "enabled": v.Enabled})
	}
	return map[string]any{"venues": venues}
}
