package linear

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

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

func (l liar) SignatureStatuses(ctx context.Context, signatures []string) ([]walletfi.SignatureStatus, uint64, error) {
	all, asOf, err := l.node.SignatureStatuses(ctx, signatures)
	for i := range all {
		all[i] = l.ledger.status(signatures[i], asOf-300)
	}
	return all, asOf, err
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
