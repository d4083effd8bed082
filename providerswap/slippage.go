package providerswap

// The slippage that the service recommends, in basis points, by kind of pair.
const (
	StableSlippageMin    = 5   // two stablecoins
	StableSlippageMax    = 10  // two stablecoins
	MajorSlippageMin     = 10  // major tokens
	MajorSlippageMax     = 50  // major tokens
	VolatileSlippageMin  = 50  // volatile tokens
	VolatileSlippageMax  = 100 // volatile tokens
	ArbitrageSlippageBps = 10  // arbitrage
)
