package wallet_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// torn is a journal that takes so many writes more, and then no more of its process.
type torn struct {
	wallet.Journal
	left, taken atomic.Int64
}

func (j *torn) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	if j.left.Add(-1) < 0 {
		return errors.New("the process is dead")
	}
	j.taken.Add(1)
	return j.Journal.Store(ctx, was, e)
}

// TestChangedSubmitCrash: a process ends at any write of a Submit of a message that the owner's wallet has
// changed. The page, which has the signed bytes, sends them when Submit has failed. If the journal has taken the
// message, the key must not be called expired: it would pay twice.
func TestChangedSubmitCrash(t *testing.T) {
	for writes := range int64(6) {
		t.Run(fmt.Sprint(writes), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				j := &torn{Journal: wallet.NewMemoryJournal()}
				j.left.Store(1 << 30)
				p := newPage(t, func(c *wallet.Config) { c.Journal = j })
				p.prepare(t, p.priced(t, 1))
				signed := sign(t, p.priced(t, 2).bytes(t), p.key)
				j.left.Store(writes)
				had := false
				_, err := p.submit(t, signed)
				j.left.Store(0)
				e, loadErr := j.Journal.Load(t.Context(), "key:order")
				require.NoError(t, loadErr)
				had = len(e.Steps) == 2
				require.NoError(t, p.wallet.Close())
				if err != nil && p.submissions() == 0 {
					p.lands(t, signed)
				}
				node := searched{p.chain, p}
				p.wallet, err = wallet.New(wallet.Config{
					Guard: signing.NewGuard(signing.Policy{}), Submitter: node, Confirmer: node, Heights: node, Journal: j.Journal,
				})
				require.NoError(t, err)
				time.Sleep(time.Minute)
				state := p.settled(t, "order").State
				t.Logf("after %d writes: the journal had the message: %v, sent %d, and the key is %s", writes, had, p.submissions(), state)
				if had {
					require.NotEqual(t, wallet.StateExpired, state, "what was executed was in the journal")
				}
			})
		})
	}
}

// TestRivalLetsGo: a message that comes back for one key is refused, as another key is about to send it. That
// one's door says that it has sent nothing, and the page sends what was signed. The ledger has executed it: it must
// count for one of the two.
func TestRivalLetsGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPage(t, nil)
		prepared := p.prepare(t, p.priced(t, 1))
		require.Len(t, prepared.Transactions, 1)
		x := p.priced(t, 2)
		signed := sign(t, x.bytes(t), p.key)
		refusals := 0
		p.chain.submit = func(int, walletfi.Signed) error {
			if refusals++; refusals > 1 {
				return nil
			}
			_, err := p.submit(t, signed)
			require.ErrorContains(t, err, `key "first"`)
			return fmt.Errorf("%w: busy", walletfi.ErrNotSent)
		}
		_, err := p.wallet.Execute(soon(t), p.asked(t, x), wallet.ExecuteOptions{Key: "first", Signer: p.key})
		require.ErrorIs(t, err, walletfi.ErrNotSent)
		require.Equal(t, 1, refusals)
		p.lands(t, signed)
		states := map[wallet.State]int{}
		for _, key := range []string{"first", "order"} {
			states[p.settled(t, key).State]++
		}
		require.Equal(t, 1, states[wallet.StateConfirmed], "%v: what was executed counts for one", states)
	})
}
