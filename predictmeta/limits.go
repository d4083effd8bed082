package predictmeta

import (
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/callopt"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// ClassAll is the class of all calls. Its budgets are Config.Budgets, or
// AnonymousBudget without a key.
const ClassAll = ""

// AnonymousBudget is about what the service allows without a key.
var AnonymousBudget = ratelimit.Budget{Requests: 10, Per: time.Minute}

// The caps of the batch routes. The methods split larger requests.
const (
	MaxBatchMarkets    = 100 // tickers and mints together, in BatchMarkets
	MaxFilterAddresses = 200 // in FilterOutcomeMints
)

// The service's defaults.
const (
	DefaultEventsLimit    = 50
	DefaultMarketsLimit   = 50
	DefaultTradesLimit    = 100
	DefaultSearchLimit    = 20
	DefaultOrderBookDepth = 10
)

func (c Config) budgets() []ratelimit.Budget {
	if c.Budgets == nil && c.APIKey.IsZero() {
		return []ratelimit.Budget{AnonymousBudget}
	}
	return slices.Clone(c.Budgets)
}

// partsAtOnce returns how many parts of a batch may run at a time. A captured raw
// response has room for one.
func partsAtOnce(opts []walletfi.CallOption) int {
	if callopt.Of(opts).Capture != nil {
		return 1
	}
	return 4
}
