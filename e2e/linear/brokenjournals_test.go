package linear

import (
	"math/rand/v2"
	"testing"

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
