package wallet_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// hasty is a node that hints at each transaction, twice, and once more after it is no
// longer watched.
type hasty struct {
	*chain
	mu      sync.Mutex
	watched int
}

func (e *hasty) Watch(_ string, hint func()) func() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.watched++
	go func() { hint(); hint() }()
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.watched--
		go hint()
	}
}

// TestNothingIsKeptOfWhatEnded: after any number of payments that landed, failed and
// expired, through doors of their own or not, a wallet holds what it held before.
func TestNothingIsKeptOfWhatEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var node *hasty
		r := newRigWith(t, func(c *wallet.Config) {
			node = &hasty{chain: c.Confirmer.(*chain)}
			c.Confirmer = node
		})
		_, _, _, doors := r.wallet.Kept()
		r.submit = func(n int, _ walletfi.Signed) error {
			if n%5 == 4 {
				r.sent = append(r.sent, walletfi.Signed{})
				return fmt.Errorf("%w: no", walletfi.ErrNotSent)
			}
			return nil
		}
		ended := map[bool]int{}
		for n := range 8 * 40 {
			u := r.pay(t, 1)
			u.Transactions[0] = r.transfer(t, uint64(n+1), 1)
			u.Intent.Spend[0].Amount = walletfi.Amount(n + 1)
			o := wallet.ExecuteOptions{Key: fmt.Sprint("order ", n)}
			if n%2 == 0 {
				o.Submitter = aDoor{r.chain}
			}
			_, err := r.wallet.Execute(soon(t), u, o)
			ended[err == nil]++
			if n%80 == 79 {
				synctest.Wait()
				running, followed, hints, now := r.wallet.Kept()
				require.Equal(t, []int{0, 0, doors}, []int{running, followed, now}, "after %d payments", n+1)
				require.LessOrEqual(t, hints, 8, "those of the last payment")
				require.Zero(t, node.watched)
			}
		}
		require.Greater(t, ended[true], 200)
		require.Greater(t, ended[false], 40)
		r.journal.(*wallet.MemoryJournal).Prune(t.Context(), time.Now().Add(1))
		for e := range r.journal.List(context.Background(), wallet.Query{}) {
			require.NotNil(t, e.Ledger, "kept: %v", e.Key)
		}
	})
}

// aDoor is a submitter of one payment's own.
type aDoor struct{ *chain }
