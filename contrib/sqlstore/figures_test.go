package sqlstore_test

import (
	"flag"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/wallet"
)

var payments = flag.Int("payments", 200, "payments of TestFigures on each database")

// life are the writes of one payment.
var life = []wallet.KeyState{wallet.KeyClaimed, wallet.KeySigned, wallet.KeySent, wallet.KeyConfirmed}

// pay does with the journal what a wallet does for one payment.
func pay(t *testing.T, j wallet.Journal, key string) (writes int64) {
	for i, state := range life {
		e := wallet.Entry{Key: key, Version: uint64(i) + 1, State: state, Intent: "one of few", Since: time.Now()}
		if i > 0 {
			e.Steps = []wallet.EntryStep{{State: state, Own: "own " + key, Signature: "own " + key, Transaction: "AQID"}}
		}
		if err := j.Store(t.Context(), uint64(i), e); err != nil {
			t.Error(err)
			return writes
		}
		writes++
	}
	for e, err := range j.List(t.Context(), wallet.Query{Signatures: []string{"own " + key}}) {
		if err != nil || e.Key != key {
			t.Error(e.Key, err)
		}
	}
	return writes
}

// TestFigures prints how many writes a second the journal takes, and how long a
// transaction is looked up among all that have been paid.
func TestFigures(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		stores := []wallet.Journal{e.open(t).Journal(), e.open(t).Journal()}
		for _, writers := range []int{1, 16} {
			var next, writes atomic.Int64
			start := time.Now()
			var all sync.WaitGroup
			for w := range writers {
				all.Go(func() {
					for n := next.Add(1); n <= int64(*payments); n = next.Add(1) {
						writes.Add(pay(t, stores[w%2], fmt.Sprint(writers, " writers ", n)))
					}
				})
			}
			all.Wait()
			require.Equal(t, int64(*payments*len(life)), writes.Load())
			fmt.Printf("%s: writers=%d writes/s=%.0f\n", e.dialect, writers, float64(writes.Load())/time.Since(start).Seconds())
		}
		start := time.Now()
		for range 100 {
			for _, err := range stores[0].List(t.Context(), wallet.Query{Signatures: []string{"unknown", "own 1 writers 1"}}) {
				require.NoError(t, err)
			}
		}
		fmt.Printf("%s: entries=%d lookup by signature=%v\n", e.dialect, 2**payments, (time.Since(start) / 100).Round(time.Microsecond))
	})
}
