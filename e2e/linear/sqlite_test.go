package linear

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/wallet"
)

// sqliteSubject is a database that several stores of one process use.
func sqliteSubject() subject {
	return subject{name: "sqlite", start: func(t *testing.T, _ uint64) *fleet {
		path := filepath.Join(t.TempDir(), "journal.db")
		return sharing(3, func(int) wallet.Journal { return openStore(t, sqlstore.Config{Path: path}) })
	}}
}

// openStore opens a store's journal until the test ends.
func openStore(t *testing.T, cfg sqlstore.Config) wallet.Journal {
	t.Helper()
	store, err := sqlstore.Open(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store.Journal()
}
