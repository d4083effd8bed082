package linear

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/wallet"
)

// childVariable tells a child process which journal to serve: its kind, a colon, and
// where it is.
const childVariable = "WALLETFI_LINEAR_JOURNAL"

// openJournal opens the journal that childVariable names.
func openJournal(what string) (wallet.Journal, error) {
	kind, where, _ := strings.Cut(what, ":")
	switch kind {
	case "file":
		return wallet.OpenFileJournal(where)
	case "sqlite":
		store, err := sqlstore.Open(context.Background(), sqlstore.Config{Path: where})
		if err != nil {
			return nil, err
		}
		return store.Journal(), nil
	}
	return nil, fmt.Errorf("%s names no journal", what)
}

// serveJournal answers the calls of the parent process until it ends, or kills this
// one. The first line says that the journal is open.
func serveJournal(what string) int {
	journal, err := openJournal(what)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	var mu sync.Mutex
	out := json.NewEncoder(os.Stdout)
	answer := func(a remoteAnswer) {
		mu.Lock()
		defer mu.Unlock()
		if err := out.Encode(a); err != nil {
			os.Exit(1) // the parent is gone
		}
	}
	answer(remoteAnswer{})
	in := json.NewDecoder(bufio.NewReader(os.Stdin))
	for {
		var call remoteCall
		if err := in.Decode(&call); err != nil {
			return 0
		}
		go serveCall(journal, call, answer)
	}
}

func serveCall(journal wallet.Journal, call remoteCall, answer func(remoteAnswer)) {
	ctx := context.Background()
	if call.Within > 0 {
		bounded, cancel := context.WithTimeout(ctx, call.Within)
		defer cancel()
		ctx = bounded
	}
	a := remoteAnswer{ID: call.ID}
	var err error
	switch call.Method {
	case "Load":
		var e wallet.Entry
		e, err = journal.Load(ctx, call.Key)
		a.Entry = &e
	case "Store":
		err = journal.Store(ctx, call.Was, call.Entry)
	case "Renew":
		err = journal.Renew(ctx, call.Holder, call.Lease)
	case "Alive":
		a.Alive, err = journal.Alive(ctx, call.Holder)
	case "List":
		for e, failed := range journal.List(ctx, call.Query) {
			if err = failed; err != nil {
				break
			}
			answer(remoteAnswer{ID: call.ID, Entry: &e, More: true})
		}
	}
	answer(a.with(err))
}

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
