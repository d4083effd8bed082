package predictmeta

import (
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/callopt"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// AnonymousBudget is what the service grants without a key, by its own rough
// figure.
var AnonymousBudget = ratelimit.Budget{Requests: 10, Per: time.Minute}

// How much one call of the batch routes takes. The methods split what is more.
const (
	MaxBatchMarkets    = 100 // tickers and mints together, in BatchMarkets
	MaxFilterAddresses = 200 // in FilterOutcomeMints
)

// What the service takes where a request leaves it open.
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

// partsAtOnce is how many parts of a batch may be under way. A captured raw
// response has room for one.
func partsAtOnce(opts []walletfi.CallOption) int {
	if callopt.Of(opts).Capture != nil {
		return 1
	}
	return 4
}
