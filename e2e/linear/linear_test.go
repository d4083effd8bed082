package linear

import (
	"fmt"
	"os"
	"testing"

	"github.com/anishathalye/porcupine"
)

// TestLinear judges the journals, and the wallets on the journals that keep what they
// took. Its last line has what was judged.
func TestLinear(t *testing.T) {
	y := newTally()
	t.Logf("seeds from %d on, operations of each client: %d", *seedFlag, *opsFlag)
	all := subjects(t)
	t.Run("journal", func(t *testing.T) {
		for _, s := range all {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				y.add(judgeJournal(t, s))
			})
		}
	})
	t.Run("wallets", func(t *testing.T) {
		for _, r := range walletRuns() {
			t.Run(r.name, func(t *testing.T) {
				t.Parallel()
				y.add(judgeWallets(t, r))
			})
		}
	})
	fmt.Println(y)
}

// subjects are the journals that are judged.
func subjects(t *testing.T) []subject {
	all := []subject{
		memorySubject(), tornSubject(false), killedSubject("file", 1),
		sqliteSubject(), lossySubject(), killedSubject("sqlite", 3),
	}
	if os.Getenv(postgresVariable) == "" {
		t.Logf("postgres is not judged: %s is not set", postgresVariable)
		return all
	}
	return append(all, postgresSubject())
}

// judgeJournal judges the runs of one journal.
func judgeJournal(t *testing.T, s subject) *tally {
	y := newTally()
	for seed := *seedFlag; seed < *seedFlag+uint64(*seedsFlag); seed++ {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			run := fmt.Sprintf("%s, seed %d", s.name, seed)
			report(t, judge(t, y, run, journalModel, runJournal(t, s, seed, *opsFlag)))
		})
	}
	y.journals = 1
	y.need(t, append(s.needs, "load", "stored", "fenced", "listed", "not listed", "alive true", "alive false")...)
	t.Logf("%s: %d histories, %d operations: %v", s.name, y.histories, y.operations, y.counts)
	return y
}

// judgeWallets judges the wallets on one journal.
func judgeWallets(t *testing.T, r payRun) *tally {
	y := newTally()
	for seed := *seedFlag; seed < *seedFlag+uint64(max(1, *seedsFlag*r.times/2)); seed++ {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			run := fmt.Sprintf("wallets on %s, seed %d", r.name, seed)
			report(t, judge(t, y, run, walletModel, r.histories(t, seed)))
		})
	}
	y.need(t, append(r.needs, "killed", "landed", "Execute confirmed", "Execute unknown", "Outcome read")...)
	t.Logf("wallets on %s: %d histories, %d operations: %v", r.name, y.histories, y.operations, y.counts)
	return y
}

func walletModel(string) porcupine.Model { return payModel() }
