package wallet_test

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/wallet"
)

// doorsTold notes what the observer is told of doors.
type doorsTold struct {
	observe.None
	mu  sync.Mutex
	all []observe.Door
}

func (d *doorsTold) Observe(_ context.Context, e observe.Event) {
	if door, ok := e.(observe.Door); ok {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.all = append(d.all, door)
	}
}

// slowly submits a second later.
type slowly struct{ *chain }

func (s slowly) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	select {
	case <-time.After(time.Second):
		return s.chain.Submit(ctx, tx)
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// numbered is a payment of a lamport on a blockhash of its own.
func (r *rig) numbered(t *testing.T, n int) walletfi.Unsigned {
	t.Helper()
	tip, blockhash := r.tip(), solana.Hash{byte(n), byte(n >> 8), 3}
	r.mu.Lock()
	r.born[blockhash.String()] = tip
	r.mu.Unlock()
	tx, err := solana.NewTransaction([]solana.Instruction{
		system.NewTransferInstruction(1, r.owner, r.shop).Build(),
	}, blockhash, solana.TransactionPayer(r.owner))
	require.NoError(t, err)
	tx.Signatures = make([]solana.Signature, 1)
	text, err := tx.ToBase64()
	require.NoError(t, err)
	u := r.pay(t, 1)
	u.Transactions[0], u.LastValidBlockHeight = walletfi.Base64Transaction(text), tip.Height+lifetime
	return u
}

// TestDoorThatLandsNothing: of two submitters one takes all and forwards nothing. The observer is
// told, once, and again when it lands something; all lands meanwhile, none of it a second later than
// the other door would have had it. A slow one is not told.
func TestDoorThatLandsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told, also := &doorsTold{}, newChain(t, 1001)
		r := newRigWith(t, func(c *wallet.Config) {
			c.Also, c.AlsoFor, c.Observer = []walletfi.Submitter{also}, []string{"test"}, told
		})
		dead, paid := true, 0
		has := func(sent []walletfi.Signed, signature string) bool {
			return slices.ContainsFunc(sent, func(tx walletfi.Signed) bool { return tx.Signature == signature })
		}
		r.status = func(_ int, signature string) (walletfi.SignatureStatus, error) {
			if has(r.sent, signature) || !dead && has(also.gone(), signature) {
				return found, nil
			}
			return notFound, nil
		}
		pay := func(n int) (longest time.Duration) {
			for range n {
				paid++
				u := r.numbered(t, paid)
				begun := time.Now()
				_, err := r.wallet.Execute(t.Context(), u, wallet.ExecuteOptions{Key: strconv.Itoa(paid)})
				require.NoError(t, err)
				longest = max(longest, time.Since(begun))
				synctest.Wait()
			}
			return longest
		}
		require.LessOrEqual(t, pay(16*63), 4*time.Second)
		require.Empty(t, told.all)
		pay(16 * 2)
		want := []observe.Door{{Name: "*wallet_test.chain 2", Trials: 64}}
		require.Equal(t, want, told.all)
		before := also.submissions()
		pay(16)
		require.Equal(t, before+16, also.submissions(), "it is given all the same, as it may come back")
		dead = false
		pay(16)
		require.Equal(t, append(want, observe.Door{Name: "*wallet_test.chain 2", Lands: true}), told.all)
	})
	synctest.Test(t, func(t *testing.T) {
		told := &doorsTold{}
		r := newRigWith(t, func(c *wallet.Config) {
			c.Also, c.AlsoFor, c.Observer = []walletfi.Submitter{slowly{c.Submitter.(*chain)}}, []string{"test"}, told
		})
		for i := range 16 * 70 {
			u := r.numbered(t, i)
			_, err := r.wallet.Execute(t.Context(), u, wallet.ExecuteOptions{Key: strconv.Itoa(i)})
			require.NoError(t, err)
		}
		synctest.Wait()
		require.Empty(t, told.all)
	})
}

// TestTrialThatIsRefused: a door that refuses in its trial does not keep the other one waiting.
func TestTrialThatIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		also := newChain(t, 1001)
		also.submit = func(int, walletfi.Signed) error { return walletfi.ErrNotSent }
		r := newRigWith(t, func(c *wallet.Config) { c.Also, c.AlsoFor = []walletfi.Submitter{also}, []string{"test"} })
		for i := range 16 {
			u := r.numbered(t, i)
			begun := time.Now()
			_, err := r.wallet.Execute(t.Context(), u, wallet.ExecuteOptions{Key: strconv.Itoa(i)})
			require.NoError(t, err)
			require.LessOrEqual(t, time.Since(begun), 600*time.Millisecond)
		}
	})
}
