package onchaindata

import (
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
)

// ClassAll is the class of all calls. Its budgets are Config.Budgets, as the service
// documents none.
const ClassAll = ""

// Tier is the plan of an API key. It selects the host and the header for the key,
// and sets how much a request returns.
type Tier string

// The tiers.
const (
	TierDemo Tier = "demo" // 10 pages, 30 tokens a request
	TierPro  Tier = "pro"  // every page, 50 tokens a request
)

// The service's sizes.
const (
	PageSize     = 20    // records per page
	DemoPages    = 10    // pages on the demo tier
	DemoTokens   = 30    // tokens per request on the demo tier
	ProTokens    = 50    // tokens per request on the pro tier
	MaxCandles   = 1_000 // candles per request
	MaxTrades    = 300   // trades per request
	TradesPeriod = 24 * time.Hour
)

// How often the service's data change. Candles and trades are live.
const (
	PoolRefresh     = 10 * time.Second // prices, tokens and pools
	TrendingRefresh = 30 * time.Second // trending pools
	DEXRefresh      = 24 * time.Hour   // the list of DEXes
)

// keyHeader returns the header for the key.
func (t Tier) keyHeader() string {
	if t == TierPro {
		return "x-pro-api-key"
	}
	return "x-demo-api-key"
}

// tokens returns how many tokens a request may name.
func (t Tier) tokens() int {
	if t == TierPro {
		return ProTokens
	}
	return DemoTokens
}

// checkPage refuses a page that the tier does not give. Nil means the service's
// default.
func (t Tier) checkPage(page *int) error {
	if t != TierPro && page != nil && *page > DemoPages {
		return &PageCapError{Page: *page, Cap: DemoPages}
	}
	return check.NotNegativeOf("page", page)
}

// PageCapError means that a page is beyond what the tier gives. An iterator ends
// with it if the tier's last page was full, so that there may be more. errors.Is
// finds [walletfi.ErrInvalidRequest].
type PageCapError struct {
	Page int // the requested page, numbered from 1
	Cap  int // pages that the tier gives
}

// Error names the page and the cap.
func (e *PageCapError) Error() string { return e.Unwrap().Error() }

// Unwrap returns a *walletfi.ValidationError for the field page.
func (e *PageCapError) Unwrap() error {
	return &walletfi.ValidationError{
		Field:   "page",
		Problem: fmt.Sprintf("is %d, the tier gives no more than %d", e.Page, e.Cap),
	}
}
