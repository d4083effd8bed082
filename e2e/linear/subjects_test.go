package linear

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver that makes the schemas
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/wallet"
	"modernc.org/sqlite"
)

func memorySubject() subject {
	return subject{name: "memory", start: func(*testing.T, uint64) *fleet {
		journal := wallet.NewMemoryJournal()
		return sharing(3, func(int) wallet.Journal { return journal })
	}}
}

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

// killedSubject is journals in processes of their own, which are killed in the middle
// and started again. What the system was given to write stays; no write is left half
// done by it.
func killedSubject(kind string, processes int) subject {
	name := kind + ", killed"
	return subject{name: name, needs: []string{"crash"}, start: func(t *testing.T, _ uint64) *fleet {
		what := kind + ":" + filepath.Join(t.TempDir(), "journal")
		var children []*remote
		f := sharing(processes, func(int) wallet.Journal {
			children = append(children, startRemote(t, what))
			return children[len(children)-1]
		})
		if processes == 1 { // of the same process, but with more goroutines
			f.alone = true
			f.processes = append(f.processes, f.processes[0], f.processes[0])
		}
		f.crash = func(i int) {
			i %= processes
			f.processes[i].restart(func() wallet.Journal {
				children[i].kill()
				children[i] = startRemote(t, what)
				return children[i]
			})
		}
		return f
	}}
}

// postgresVariable has the URL of a PostgreSQL database for tests.
const postgresVariable = "WALLETFI_TEST_POSTGRES"

// postgresSubject is a database server that several stores use. Each run has a schema
// of its own, which is dropped at its end.
func postgresSubject() subject {
	return subject{name: "postgres", start: func(t *testing.T, seed uint64) *fleet {
		address := withSchema(t, os.Getenv(postgresVariable), fmt.Sprintf("linear_%d_%d", os.Getpid(), seed))
		return sharing(3, func(int) wallet.Journal {
			return openStore(t, sqlstore.Config{URL: walletfi.NewSecret(address), MaxConns: 2})
		})
	}}
}

// withSchema makes a schema and returns the URL under which it is the first.
func withSchema(t *testing.T, address, schema string) string {
	t.Helper()
	db, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	run := func(statement string) {
		if _, err := db.ExecContext(context.Background(), statement); err != nil {
			t.Errorf("%s: %v", statement, err)
		}
	}
	run("CREATE SCHEMA " + schema)
	t.Cleanup(func() {
		run("DROP SCHEMA " + schema + " CASCADE")
		_ = db.Close()
	})
	parsed, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	q := parsed.Query()
	q.Set("search_path", schema)
	parsed.RawQuery = q.Encode()
	return parsed.String()
}

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
