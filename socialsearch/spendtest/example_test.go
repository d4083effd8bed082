package spendtest_test

import (
	"testing"

	"github.com/walletfi/walletfi-go/socialsearch"
	"github.com/walletfi/walletfi-go/socialsearch/spendtest"
)

// A store in memory, which has no Reopen, since it ends with its process.
func Example() {
	var t *testing.T // that of your test
	spendtest.Run(t, func(t *testing.T) spendtest.Store {
		store := &socialsearch.MemorySpendStore{}
		return spendtest.Store{Open: func(t *testing.T) socialsearch.SpendStore { return store }}
	})
}
