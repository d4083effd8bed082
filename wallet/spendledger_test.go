package wallet_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// spending is a ledger on which what is sent lands, at once or late, or gets lost.
type spending struct {
	*rig
	random *rand.Rand
	fates  map[string]func() error // by signature
	left   []time.Time             // when payments have left
}

// send is asked with the chain's lock held.
func (s *spending) send(_ int, tx walletfi.Signed) error {
	if f := s.fates[tx.Signature]; f != nil {
		return f()
	}
	late, lost := time.Duration(s.random.IntN(50))*time.Second, error(errLost)
	lands := func() {
		s.sent, s.left = append(s.sent, tx), append(s.left, time.Now())
	}
	switch s.random.IntN(6) {
	case 0:
	case 1:
		lands()
	case 2:
		go func() {
			time.Sleep(late)
			s.mu.Lock()
			defer s.mu.Unlock()
			lands()
		}()
	case 3:
		lost = fmt.Errorf("%w: busy", walletfi.ErrNotSent)
	default:
		s.left = append(s.left, time.Now())
		s.fates[tx.Signature] = func() error { return nil }
		return nil
	}
	s.fates[tx.Signature] = func() error { return lost }
	return lost
}

// TestSpendOnALedger draws payments of two wallets that are closed and opened again, over hours. Within no window
// leaves more than the limit allows, and nothing counts as open for longer than it can land and that is proven.
func TestSpendOnALedger(t *testing.T) {
	const fits, window, payments = 6, 20 * time.Minute, 150
	paid, refused, longest := 0, 0, time.Duration(0)
	for seed := range uint64(4) {
		synctest.Test(t, func(t *testing.T) {
			var cfg wallet.Config
			r := newRigWith(t, func(c *wallet.Config) {
				c.Spend, c.Lease = limitedTo(fits, window), 2*time.Second
				cfg = *c
			})
			s := &spending{rig: r, random: rand.New(rand.NewPCG(seed, 2)), fates: map[string]func() error{}}
			r.submit = s.send
			other, err := wallet.New(cfg)
			require.NoError(t, err)
			wallets := []*wallet.Wallet{r.wallet, other}
			defer func() { require.NoError(t, wallets[1].Close()) }()
			since, done := map[string]time.Time{}, make(chan struct{})
			look := func() {
				e := r.entry(t, "spend")
				if e.Spend == nil {
					return // nothing was signed yet
				}
				for _, d := range e.Spend.Open {
					if since[d.ID].IsZero() {
						since[d.ID] = time.Now()
					}
					longest = max(longest, time.Since(since[d.ID]))
				}
			}
			go func() {
				for tick := time.NewTicker(time.Second); ; {
					select {
					case <-tick.C:
						look()
					case <-done:
						return
					}
				}
			}()
			var all sync.WaitGroup
			for n := range payments {
				r.mu.Lock()
				pause, which := time.Duration(s.random.IntN(90))*time.Second, s.random.IntN(2)
				restarts := s.random.IntN(10) == 0
				r.mu.Unlock()
				time.Sleep(pause)
				if restarts {
					require.NoError(t, wallets[1].Close())
					wallets[1], err = wallet.New(cfg)
					require.NoError(t, err)
				}
				w := wallets[which]
				all.Go(func() {
					ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
					defer cancel()
					_, err := w.Execute(ctx, r.fresh(t, n+1), wallet.ExecuteOptions{Key: fmt.Sprint("order ", n)})
					r.mu.Lock()
					defer r.mu.Unlock()
					if err == nil {
						paid++
					} else if errors.Is(err, wallet.ErrSpendLimit) {
						refused++
					}
				})
			}
			all.Wait()
			time.Sleep(10 * time.Minute)
			close(done)
			require.Empty(t, r.entry(t, "spend").Spend.Open)
			for i, at := range s.left {
				within := 0
				for _, before := range s.left[:i+1] {
					if at.Sub(before) < window {
						within++
					}
				}
				require.LessOrEqual(t, within, fits, "seed %d", seed)
			}
		})
	}
	t.Logf("paid %d, refused %d, the longest open %v", paid, refused, longest)
	require.Greater(t, paid, 60)
	require.Greater(t, refused, 60)
	require.Less(t, longest, 3*time.Minute)
}
