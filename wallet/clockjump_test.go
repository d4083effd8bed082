package wallet_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// setClock is real time, or as far from it as somebody has set it.
type setClock struct {
	mu  sync.Mutex
	off time.Duration
}

func (c *setClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Round(0).Add(c.off)
}

func (*setClock) AfterFunc(d time.Duration, f func()) (stop func() bool) {
	return time.AfterFunc(d, f).Stop
}

func (c *setClock) jump(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.off += by
}

var jumps = []time.Duration{-time.Hour, 24 * time.Hour}

// TestClockThatJumps: the wallet's clock is set back or ahead between two steps of an
// Execute of two transactions. What it says of each is right, and it says so as soon as
// with a clock that was left alone.
func TestClockThatJumps(t *testing.T) {
	for name, step := range map[string]func(r *rig, jump func()){
		"signed": func(r *rig, jump func()) {
			r.submit = func(n int, _ walletfi.Signed) error { jump(); return nil }
		},
		"sent": func(r *rig, jump func()) {
			r.answer(func(int, string) { jump() })
		},
		"asked for a while": func(r *rig, jump func()) {
			r.answer(func(asked int, _ string) {
				if asked == 5 {
					jump()
				}
			})
		},
		"confirmed the first": func(r *rig, jump func()) {
			r.submit = func(n int, tx walletfi.Signed) error {
				if n > 0 && tx.Signature != r.sent[0].Signature {
					jump()
				}
				return nil
			}
		},
	} {
		for _, by := range jumps {
			for _, lands := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s %v lands %v", name, by, lands), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) { jumpedAt(t, step, by, lands) })
				})
			}
		}
	}
}

// answer has the chain tell of each question before it is answered.
func (r *rig) answer(before func(asked int, signature string)) {
	answers := r.status
	r.status = func(asked int, signature string) (walletfi.SignatureStatus, error) {
		before(asked, signature)
		return answers(asked, signature)
	}
}

// paid lists the signatures of what was sent so far.
func (r *rig) paid() map[string]bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return distinct(r.sent)
}

func jumpedAt(t *testing.T, step func(*rig, func()), by time.Duration, lands bool) {
	c := &setClock{}
	r := newRigWith(t, func(cfg *wallet.Config) { cfg.Clock = c })
	r.status = func(_ int, signature string) (walletfi.SignatureStatus, error) {
		first := len(r.sent) > 0 && signature == r.sent[0].Signature
		if since := time.Since(r.begun); first && since > 5*time.Second || lands && since > 15*time.Second {
			return found, nil
		}
		return notFound, nil
	}
	var jumped atomic.Int32
	step(r, func() {
		if jumped.Add(1) == 1 {
			c.jump(by)
		}
	})
	key := wallet.ExecuteOptions{Key: "a"}
	result, err := r.wallet.Execute(soon(t), r.pay(t, 2), key)
	require.Positive(t, jumped.Load())
	if by > 0 && errors.Is(err, walletfi.ErrOutcomeUnknown) {
		// By its clock the wallet has heard nothing for a day. What it does not know, it
		// finds out.
		for range 20 {
			pause.For(t.Context(), 20*time.Second)
			if result, err = r.wallet.Execute(soon(t), r.pay(t, 2), key); !errors.Is(err, walletfi.ErrOutcomeUnknown) {
				break
			}
		}
		require.LessOrEqual(t, len(r.paid()), 2)
		require.Equal(t, wallet.StateConfirmed, result.Steps[0].State)
		require.NotEqual(t, wallet.StateUnknown, result.Steps[1].State)
		require.False(t, errors.Is(err, wallet.ErrExpired) && lands)
		return
	}
	require.Len(t, r.paid(), 2)
	if lands {
		require.NoError(t, err)
		require.Less(t, time.Since(r.begun), 25*time.Second)
		return
	}
	answersTo(t, err, wallet.ErrExpired)
	require.Equal(t, []wallet.State{wallet.StateConfirmed, wallet.StateExpired}, states(result))
	require.Greater(t, time.Since(r.begun), lifetime*slotTime)
	require.Less(t, time.Since(r.begun), 5*time.Minute)
}

// TestApprovalOutlivesAClock: what a person approved ends with the ledger's height, and
// not because a clock was set. The head is asked for again if its age is not known.
func TestApprovalOutlivesAClock(t *testing.T) {
	for _, by := range jumps {
		synctest.Test(t, func(t *testing.T) {
			c := &setClock{}
			r := newRigWith(t, func(cfg *wallet.Config) { cfg.Clock = c })
			approved := func(salt byte) error {
				u := r.another(t, salt)
				_, report, err := signing.NewGuard(signing.Policy{}).CheckSet(t.Context(), u)
				require.NoError(t, err)
				_, err = r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: fmt.Sprint(salt), Approved: report.Digest()})
				return err
			}
			require.NoError(t, approved(1))
			c.jump(by)
			require.NoError(t, approved(2), "%v", by)
			c.jump(by)
			r.mu.Lock()
			r.height += lastValid
			r.mu.Unlock()
			answersTo(t, approved(3), wallet.ErrExpired)
			require.Len(t, r.paid(), 2)
		})
	}
}

// another is a payment of one lamport on a blockhash of its own.
func (r *rig) another(t *testing.T, salt byte) walletfi.Unsigned {
	t.Helper()
	u := r.pay(t, 1)
	u.Transactions[0] = r.transfer(t, 1, salt)
	return u
}

// TestLeaseOutlivesAClock: whether another process is alive is the journal's to say. A
// wallet whose clock is set does not take up what another works on, and what it works
// on is not taken up.
func TestLeaseOutlivesAClock(t *testing.T) {
	for _, by := range jumps {
		synctest.Test(t, func(t *testing.T) {
			journal, c := wallet.NewMemoryJournal(), &setClock{}
			slow := newRigWith(t, func(cfg *wallet.Config) { cfg.Journal = journal })
			other := newRigWith(t, func(cfg *wallet.Config) { cfg.Journal, cfg.Clock = journal, c })
			for _, on := range []*rig{slow, other} {
				on.landsAt(3 * time.Minute)
			}
			for i, pair := range [][2]*rig{{slow, other}, {other, slow}} {
				pays, looks := pair[0], pair[1]
				key := wallet.ExecuteOptions{Key: fmt.Sprint(i)}
				u := pays.another(t, byte(20+i))
				u.LastValidBlockHeight = 0
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
				over := make(chan error, 1)
				go func() { _, err := pays.wallet.Execute(ctx, u, key); over <- err }()
				<-time.After(time.Second)
				c.jump(by)
				_, err := looks.wallet.Execute(soon(t), looks.another(t, byte(30+i)), key)
				var open *wallet.UnsettledError
				require.ErrorAs(t, err, &open)
				require.True(t, open.Running)
				require.Zero(t, looks.submissions()-i)
				cancel()
				require.ErrorIs(t, <-over, walletfi.ErrOutcomeUnknown)
			}
		})
	}
}
