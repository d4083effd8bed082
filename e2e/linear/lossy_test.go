package linear

import (
	"database/sql"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"testing"

	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/wallet"
	"modernc.org/sqlite"
)

// lossySubject is an SQLite database over connections that are cut: of a Store that
// fails so, nobody knows whether it was carried out, and nobody may call it fenced.
func lossySubject() subject {
	s := subject{name: "sqlite, answers lost", needs: []string{"store without an answer"}}
	s.start = func(t *testing.T, seed uint64) *fleet {
		path := filepath.Join(t.TempDir(), "journal.db")
		return sharing(3, func(i int) wallet.Journal {
			db, l := openLossy(t, path, rand.New(rand.NewPCG(seed, uint64(30+i))))
			journal := openStore(t, sqlstore.Config{DB: db, Dialect: sqlstore.SQLite})
			l.mu.Lock()
			defer l.mu.Unlock()
			l.calm, l.cuts = false, 5 // each doubles the orders to be looked at
			return journal
		})
	}
	return s
}

// openLossy opens a database as sqlstore.Config.DB asks for. It is calm.
func openLossy(t *testing.T, path string, rng *rand.Rand) (*sql.DB, *lossy) {
	t.Helper()
	settings := url.Values{
		"_pragma": {"journal_mode(WAL)", "synchronous(FULL)", "busy_timeout(10000)"},
		"_txlock": {"immediate"},
	}
	connector, err := sqlite.NewConnector("file:" + path + "?" + settings.Encode())
	if err != nil {
		t.Fatal(err)
	}
	l := &lossy{Connector: connector, rng: rng, calm: true}
	db := sql.OpenDB(l)
	t.Cleanup(func() { _ = db.Close() })
	return db, l
}
