package sqlstore_test

import (
	"testing"

	"github.com/walletfi/walletfi-go/socialsearch"
	"github.com/walletfi/walletfi-go/socialsearch/spendtest"
)

func TestSpendStore(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		fresh := newEngine(e.dialect)
		spendtest.Run(t, func(t *testing.T) spendtest.Store {
			e := fresh(t)
			open := func(t *testing.T) socialsearch.SpendStore { return e.open(t).Spend("key") }
			return spendtest.Store{Open: open, Reopen: open}
		})
	})
}
