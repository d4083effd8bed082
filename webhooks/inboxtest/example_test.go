package inboxtest_test

import (
	"testing"

	"github.com/walletfi/walletfi-go/webhooks"
	"github.com/walletfi/walletfi-go/webhooks/inboxtest"
)

// An inbox in memory, which one process uses as long as it lives.
func Example() {
	var t *testing.T // that of your test
	inboxtest.Run(t, func(t *testing.T) inboxtest.Store {
		return inboxtest.Store{
			Open:   func(t *testing.T) webhooks.Inbox { return &webhooks.MemoryInbox{} },
			Single: true, Volatile: true,
		}
	})
}
