package wallet_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/wallet"
)

// narrow is a submitter that can be sent so much a second.
type narrow struct {
	*chain
	rate float64
}

func (n narrow) SendRate() float64 { return n.rate }

// wrapped is a caller's own layer around a submitter.
type wrapped struct{ walletfi.Submitter }

func (w wrapped) Unwrap() walletfi.Submitter { return w.Submitter }

// TestAdmissionThroughLayers: the limit of a submitter is seen through those around it that show it.
func TestAdmissionThroughLayers(t *testing.T) {
	type opaque struct{ walletfi.Submitter }
	for _, c := range []struct {
		around func(walletfi.Submitter) walletfi.Submitter
		built  int
	}{
		{func(s walletfi.Submitter) walletfi.Submitter { return s }, 6},
		{func(s walletfi.Submitter) walletfi.Submitter { return wrapped{wrapped{s}} }, 6},
		{func(s walletfi.Submitter) walletfi.Submitter { return opaque{s} }, 8},
		{func(s walletfi.Submitter) walletfi.Submitter { return wrapped{opaque{s}} }, 8},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := newRigWith(t, func(cfg *wallet.Config) { cfg.Submitter = c.around(narrow{cfg.Submitter.(*chain), 1}) })
			r.status = lost
			ctx, cancel := context.WithCancel(t.Context())
			var mu sync.Mutex
			var order []byte
			var all sync.WaitGroup
			for i := range byte(8) {
				all.Go(func() {
					_, _ = r.wallet.Place(ctx, queued{r, t, i, &order, &mu}, wallet.PlaceOptions{Key: string(rune('a' + i))})
				})
			}
			synctest.Wait()
			require.Len(t, order, c.built)
			cancel()
			all.Wait()
		})
	}
}

// queued is an order that notes when it is built.
type queued struct {
	r     *rig
	t     *testing.T
	name  byte
	order *[]byte
	mu    *sync.Mutex
}

func (q queued) Build(ctx context.Context) (walletfi.Unsigned, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	*q.order = append(*q.order, q.name)
	u := q.r.pay(q.t, 1)
	head, _ := q.r.Head(ctx)
	u.LastValidBlockHeight = head.Height + lifetime
	u.Transactions[0] = q.r.transfer(q.t, 1, q.name+1)
	return u, nil
}

// TestAdmission: no more is built than can be sent in 10 s; the rest waits for its turn, and what has
// no time for that is refused before it is built. All of it lands.
func TestAdmission(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRigWith(t, func(c *wallet.Config) { c.Submitter = narrow{c.Submitter.(*chain), 1} })
		release := make(chan struct{})
		r.status = func(_ int, signature string) (walletfi.SignatureStatus, error) {
			select {
			case <-release:
				return walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed, Slot: 7}, nil
			default:
				return walletfi.SignatureStatus{}, nil
			}
		}
		var mu sync.Mutex
		var order []byte
		var all sync.WaitGroup
		place := func(ctx context.Context, name byte) {
			all.Go(func() {
				placed, err := r.wallet.Place(ctx, queued{r, t, name, &order, &mu}, wallet.PlaceOptions{Key: string(rune('a' + name))})
				require.NoError(t, err)
				require.True(t, placed.Result.Confirmed())
			})
			synctest.Wait()
		}
		for i := range byte(8) {
			place(soon(t), i)
		}
		require.Len(t, order, 6, "6 x 1.5 sends take 10 s")
		place(ratelimit.WithUrgent(soon(t)), 8)
		require.Len(t, order, 6)

		short, cancel := context.WithTimeout(t.Context(), 6*time.Second)
		defer cancel()
		_, err := r.wallet.Place(short, queued{r, t, 9, &order, &mu}, wallet.PlaceOptions{Key: "short"})
		requireStage(t, err, wallet.StageBuild, walletfi.ErrNotSent)
		limited, ok := errors.AsType[*ratelimit.Error](err)
		require.True(t, ok)
		require.True(t, limited.ResetAt.After(time.Now()))
		_, err = r.wallet.Outcome(t.Context(), "short")
		require.ErrorIs(t, err, walletfi.ErrNotFound)

		close(release)
		all.Wait()
		require.ElementsMatch(t, []byte{8, 6, 7}, order[6:])
		require.Len(t, distinct(r.gone()), 9)
	})
}

// TestExecuteIsAdmitted: a transaction that is built already is refused if its turn comes too late
// for it, and a result that the journal has waits for no turn.
func TestExecuteIsAdmitted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRigWith(t, func(c *wallet.Config) { c.Submitter = narrow{c.Submitter.(*chain), 0.01} })
		paid := r.pay(t, 1)
		_, err := r.wallet.Execute(soon(t), paid, wallet.ExecuteOptions{Key: "paid"})
		require.NoError(t, err)
		r.status = lost
		var all sync.WaitGroup
		ctx, cancel := context.WithCancel(t.Context())
		build := func(salt byte) walletfi.Unsigned {
			u := r.pay(t, 1)
			u.Transactions[0] = r.transfer(t, 1, salt)
			return u
		}
		for i := range byte(4) {
			u := build(10 + i)
			all.Go(func() { _, _ = r.wallet.Execute(ctx, u, wallet.ExecuteOptions{Key: solana.PublicKey{i}.String()}) })
		}
		synctest.Wait()
		_, err = r.wallet.Execute(soon(t), build(20), wallet.ExecuteOptions{Key: "late"})
		require.ErrorIs(t, err, walletfi.ErrNotSent)
		require.ErrorIs(t, err, walletfi.ErrRateLimited)
		r.mu.Lock()
		r.status = nil
		r.mu.Unlock()
		_, err = r.wallet.Execute(soon(t), paid, wallet.ExecuteOptions{Key: "paid"})
		require.NoError(t, err)
		cancel()
		all.Wait()
		require.Len(t, distinct(r.gone()), 5)
	})
}
