package lending

import (
	"time"

	"github.com/walletfi/walletfi-go/ratelimit"
)

// ClassAll is the class of all calls. Its budgets are those of the key's [Tier].
const ClassAll = ""

// Tier is the plan of an API key.
type Tier string

// The tiers.
const (
	TierFree       Tier = "free"       // 60 requests a minute, 10,000 a day
	TierPro        Tier = "pro"        // 300 requests a minute, 100,000 a day
	TierEnterprise Tier = "enterprise" // no limit
)

func (t Tier) budgets() []ratelimit.Budget {
	const day = 24 * time.Hour
	switch t {
	case TierEnterprise:
		return nil
	case TierPro:
		return []ratelimit.Budget{{Requests: 100_000, Per: day}, {Requests: 300, Per: time.Minute}}
	}
	return []ratelimit.Budget{{Requests: 10_000, Per: day}, {Requests: 60, Per: time.Minute}}
}
