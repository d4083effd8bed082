package linear

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// walletConfig is a wallet's whose lease is short.
func walletConfig(n *node, journal wallet.Journal) wallet.Config {
	return wallet.Config{
		Signer: owner, Guard: signing.NewGuard(signing.Policy{}),
		Submitter: n, Confirmer: n, Heights: n, Journal: journal,
		Lease: 8 * time.Second, ConfirmTimeout: time.Minute,
	}
}

func wallets() newPayer {
	return func(n *node, journal wallet.Journal) (payer, error) { return wallet.New(walletConfig(n, journal)) }
}

// walletRuns are the journals that the wallets are judged on. The memory journal
// stands for any that keeps its contract, and costs nothing.
func walletRuns() []payRun {
	all := []string{
		"closed", "Execute expired", "Execute failed", "Execute not sent", "Execute none", "Settle read",
		"Outcome nothing", "in the end confirmed",
	}
	return []payRun{
		{name: "memory", payers: wallets, open: inMemory, times: 20, needs: all},
		{name: "file", payers: wallets, open: inFile, times: 6},
		{name: "sqlite", payers: wallets, open: inSQLite, times: 1},
	}
}

func inMemory(*testing.T) func() wallet.Journal {
	journal := wallet.NewMemoryJournal()
	return func() wallet.Journal { return journal }
}

func inFile(t *testing.T) func() wallet.Journal {
	journal, err := wallet.OpenFileJournal(filepath.Join(fastFolder(t), "journal"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = journal.Close() })
	return func() wallet.Journal { return journal }
}

func inSQLite(t *testing.T) func() wallet.Journal {
	path := filepath.Join(fastFolder(t), "journal.db")
	return func() wallet.Journal { return openStore(t, sqlstore.Config{Path: path}) }
}

// fastFolder is a folder in memory, where there is one: in simulated time a disk costs
// nothing but patience.
func fastFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "linear-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}
