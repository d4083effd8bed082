package tokenstoretest_test

import (
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/tokenstoretest"
)

// A store in memory, which has no Reopen, since it ends with its process.
func Example() {
	var t *testing.T // that of your test
	tokenstoretest.Run(t, func(t *testing.T) tokenstoretest.Store {
		store := &walletfi.MemoryTokenStore{}
		return tokenstoretest.Store{Open: func(t *testing.T) walletfi.TokenStore { return store }}
	})
}
