package seentest_test

import (
	"testing"

	"github.com/walletfi/walletfi-go/webhooks"
	"github.com/walletfi/walletfi-go/webhooks/seentest"
)

// Handled deliveries in memory, which one process uses as long as it lives.
func Example() {
	var t *testing.T // that of your test
	seentest.Run(t, func(t *testing.T) seentest.Store {
		return seentest.Store{
			Open:   func(t *testing.T) webhooks.Seen { return &webhooks.MemorySeen{} },
			Single: true,
		}
	})
}
