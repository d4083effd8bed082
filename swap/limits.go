package swap

import (
	"time"

	"github.com/walletfi/walletfi-go/ratelimit"
)

// ClassAll is the class of all calls. Its budgets are Config.Budgets, or
// KeylessRequestsPerMinute without a key.
const ClassAll = ""

// KeylessRequestsPerMinute is the limit without a key. The service says
// "about".
const KeylessRequestsPerMinute = 10

func (c Config) budgets() []ratelimit.Budget {
	if len(c.Budgets) > 0 || !c.APIKey.IsZero() {
		return c.Budgets
	}
	return []ratelimit.Budget{{Requests: KeylessRequestsPerMinute, Per: time.Minute}}
}
