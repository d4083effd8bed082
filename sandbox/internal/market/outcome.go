package market

import (
	"github.com/gagliardetto/solana-go"
)

// Outcomes are the tokens of the prediction markets, as swap sees them.
type Outcomes interface {
	// Outcome finds the outcome token with a mint, base58.
	Outcome(mint string) (Outcome, bool)
	// OutcomeMints lists the mints of all outcome tokens, in a fixed order.
	OutcomeMints() []string
}

// Outcome is a token that pays a dollar if a prediction market ends its way.
type Outcome struct {
	Key    solana.PublicKey
	Side   string // "yes" or "no"
	Ticker string // of the market, as is Title
	Title  string
	Event  string // its ticker
	Series string // its ticker
	Opens  int64  // when the market opens for trading, Unix seconds
	Market OutcomeMarket
}

// OutcomeMarket prices the outcomes of a prediction market.
type OutcomeMarket interface {
	// Live reports whether the market trades in a second.
	Live(second int64) bool
	// YesQuote is the price of the yes outcome and half the spread about it,
	// both in cents.
	YesQuote(second int64) (price, halfSpread int64)
}
