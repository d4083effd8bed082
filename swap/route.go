package swap

import "github.com/walletfi/walletfi-go"

// RouteStep is one trade of a route.
type RouteStep struct {
	Venue      string          `json:"venue"`
	MarketKey  string          `json:"marketKey"` // base58
	InputMint  string          `json:"inputMint"`
	OutputMint string          `json:"outputMint"`
	InAmount   walletfi.Amount `json:"inAmount"`
	OutAmount  walletfi.Amount `json:"outAmount"`
}

// QuoteRouteStep is one trade of a quote's route.
type QuoteRouteStep struct {
	RouteStep
	Data               string `json:"data"` // defined by the venue, opaque
	InputMintDecimals  int    `json:"inputMintDecimals"`
	OutputMintDecimals int    `json:"outputMintDecimals"`
}
