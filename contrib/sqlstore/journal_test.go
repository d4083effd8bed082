package sqlstore_test

import (
	"testing"

	"github.com/walletfi/walletfi-go/wallet"
	"github.com/walletfi/walletfi-go/wallet/journaltest"
)

func TestJournal(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		fresh := newEngine(e.dialect)
		journaltest.Run(t, func(t *testing.T) journaltest.Store {
			e := fresh(t)
			open := func(t *testing.T) wallet.Journal { return e.open(t).Journal() }
			return journaltest.Store{Open: open, Reopen: open}
		})
	})
}
