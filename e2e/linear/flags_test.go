package linear

import (
	"flag"
	"os"
	"testing"
)

var (
	opsFlag   = flag.Int("linear.ops", 30, "operations of each client")
	seedsFlag = flag.Int("linear.seeds", 2, "runs of each journal; the wallets make up to ten times as many")
	seedFlag  = flag.Uint64("linear.seed", 1, "the first seed, from which the others count up")
)

// TestMain serves a journal instead of running tests if this is a child process
// that a test has started: see remote_test.go.
func TestMain(m *testing.M) {
	if what := os.Getenv(childVariable); what != "" {
		os.Exit(serveJournal(what))
	}
	os.Exit(m.Run())
}
