package swap

import (
	"time"

	"github.com/walletfi/walletfi-go"
)

// KeylessRequestsPerMinute is what the service allows a caller without a key,
// by its own word "about".
const KeylessRequestsPerMinute = 10

func (c Config) budgets() []walletfi.Budget {
	if len(c.Budgets) > 0 || !c.APIKey.IsZero() {
		return c.Budgets
	}
	return []walletfi.Budget{{Requests: KeylessRequestsPerMinute, Per: time.Minute}}
}
