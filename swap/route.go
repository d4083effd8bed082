package swap

import "github.com/walletfi/walletfi-go"

// RouteStep is one trade of a route. An amount or decimals that it does not say are nil.
type RouteStep struct {
	Venue      string           `json:"venue" wire:"said"`
	MarketKey  string           `json:"marketKey"` // base58
	InputMint  string           `json:"inputMint"`
	OutputMint string           `json:"outputMint"`
	InAmount   *walletfi.Amount `json:"inAmount" wire:"free"`
	OutAmount  *walletfi.Amount `json:"outAmount" wire:"free"`
}

// QuoteRouteStep is one trade of a quote's route.
type QuoteRouteStep struct {
	RouteStep
	Data               string `json:"data"` // defined by the venue, opaque
	InputMintDecimals  *int   `json:"inputMintDecimals" wire:"decides,optional,min=0,max=77"`
	OutputMintDecimals *int   `json:"outputMintDecimals" wire:"decides,optional,min=0,max=77"`
}
