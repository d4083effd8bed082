package journaltest_test

import (
	"path/filepath"
	"testing"

	"github.com/walletfi/walletfi-go/wallet"
	"github.com/walletfi/walletfi-go/wallet/journaltest"
)

// A journal in a file, which one process at a time can use.
func Example() {
	var t *testing.T // that of your test
	journaltest.Run(t, func(t *testing.T) journaltest.Store {
		path := filepath.Join(t.TempDir(), "journal")
		open := func(t *testing.T) wallet.Journal {
			journal, err := wallet.OpenFileJournal(path)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = journal.Close() })
			return journal
		}
		return journaltest.Store{Open: open, Single: true}
	})
}
