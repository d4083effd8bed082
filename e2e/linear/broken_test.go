package linear

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestBrokenJournals shows that each fault of a journal is found.
func TestBrokenJournals(t *testing.T) {
	for name, spoil := range brokenJournals() {
		t.Run(name, func(t *testing.T) {
			s := subject{name: name, start: func(_ *testing.T, seed uint64) *fleet {
				journal := spoil(wallet.NewMemoryJournal(), rand.New(rand.NewPCG(seed, 3)))
				return sharing(3, func(int) wallet.Journal { return journal })
			}}
			mustFind(t, name, journalModel, func(seed uint64) *history { return runJournal(t, s, seed, 40) })
		})
	}
	t.Run("the disk lies", func(t *testing.T) {
		s := tornSubject(true)
		mustFind(t, s.name, journalModel, func(seed uint64) *history { return runJournal(t, s, seed, 40) })
	})
}

// TestBrokenWallets shows that each fault of a wallet, of its journal, and a node that
// lies, is found.
func TestBrokenWallets(t *testing.T) {
	for _, r := range brokenWallets() {
		t.Run(r.name, func(t *testing.T) {
			mustFind(t, r.name, walletModel, func(seed uint64) *history { return r.histories(t, seed) })
		})
	}
}

// TestGoodStandIn shows that the judge takes a stand-in that has no faults.
func TestGoodStandIn(t *testing.T) {
	y := newTally()
	r := payRun{name: "a good stand-in", payers: standIns(flaws{}), open: inMemory}
	for seed := range uint64(10) {
		report(t, judge(t, y, r.name, walletModel, r.histories(t, seed)))
	}
	y.need(t, "landed", "Execute confirmed", "Execute expired", "Execute failed", "Execute not sent", "Execute unknown")
}

func brokenWallets() []payRun {
	runs := []payRun{
		{name: "a book for each process", payers: standIns(flaws{amnesia: true}), open: inMemory},
		{name: "expired without a proof", payers: standIns(flaws{hasty: true}), open: inMemory},
		{name: "a lost answer is called not sent", payers: standIns(flaws{lostUnset: true}), open: inMemory},
		{name: "confirmed, then unknown", payers: standIns(flaws{fickle: true}), open: inMemory},
		{name: "sent after not sent", payers: standIns(flaws{afterword: true}), open: inMemory},
		{name: "the node lies", payers: func() newPayer { return walletOnLiar }, open: inMemory},
	}
	for _, name := range []string{"Store ignores was", "Load answers an older version", "a fenced Store succeeds"} {
		spoil := brokenJournals()[name]
		open := func(*testing.T) func() wallet.Journal {
			journal := spoil(wallet.NewMemoryJournal(), rand.New(rand.NewPCG(1, 9)))
			return func() wallet.Journal { return journal }
		}
		runs = append(runs, payRun{name: "journal: " + name, payers: wallets, open: open})
	}
	return runs
}

// liar is a node that tells old statuses as new ones, which no wallet can see.
type liar struct{ *node }

func walletOnLiar(n *node, journal wallet.Journal) (payer, error) {
	l := liar{n}
	cfg := walletConfig(n, journal)
	cfg.Submitter, cfg.Confirmer, cfg.Heights = l, l, l
	return wallet.New(cfg)
}

func (l liar) SignatureStatuses(ctx context.Context, signatures []string) (walletfi.SignatureStatuses, error) {
	got, err := l.node.SignatureStatuses(ctx, signatures)
	for i := range got.Statuses {
		got.Statuses[i] = l.ledger.status(signatures[i], got.AsOfSlot-300)
	}
	return got, err
}

func (l liar) Absence(ctx context.Context, q walletfi.AbsenceQuery) (*walletfi.Absence, error) {
	a, err := l.node.Absence(ctx, q)
	if err == nil {
		for i, s := range q.Signatures {
			a.Statuses[i] = l.ledger.status(s, a.AsOfSlot-300)
		}
	}
	return a, err
}

// mustFind fails the test unless a history of the first seeds is found not to be
// linearizable, and a picture of it can be drawn.
func mustFind(t *testing.T, name string, modelOf func(string) porcupine.Model, run func(seed uint64) *history) {
	t.Helper()
	const most = 50
	y := newTally()
	for seed := range uint64(most) {
		found := judge(t, y, fmt.Sprintf("%s, seed %d", name, seed), modelOf, run(seed))
		if len(found) == 0 {
			continue
		}
		path, err := found[0].picture(t.TempDir())
		if err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("there is no picture at %s: %v", path, err)
		}
		t.Logf("found with seed %d in %s, %d operations", seed, found[0].name, len(found[0].ops))
		return
	}
	t.Errorf("not found in %d histories: %v", y.histories, y.counts)
}
