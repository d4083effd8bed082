package wallet_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/wallet"
)

// stepper interrupts an Execute at its n-th step: a call of the journal, the
// signer, the submitter or the node, before or after it.
type stepper struct {
	at, steps atomic.Int64
	interrupt func()
}

func (s *stepper) step() {
	if s.steps.Add(1) == s.at.Load() {
		s.interrupt()
	}
}

type stepJournal struct {
	wallet.Journal
	*stepper
}

func (j stepJournal) Load(ctx context.Context, key string) (wallet.Entry, error) {
	j.step()
	defer j.step()
	return j.Journal.Load(ctx, key)
}

func (j stepJournal) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	j.step()
	defer j.step()
	return j.Journal.Store(ctx, was, e)
}

func (j stepJournal) List(ctx context.Context, q wallet.Query) iter.Seq2[wallet.Entry, error] {
	return j.Journal.List(ctx, q)
}

// stepChain is a chain whose calls are steps.
type stepChain struct {
	*chain
	*stepper
}

func (c stepChain) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	c.step()
	defer c.step()
	return c.chain.Submit(ctx, tx)
}

func (c stepChain) SignatureStatuses(ctx context.Context, signatures []string) (walletfi.SignatureStatuses, error) {
	c.step()
	return c.chain.SignatureStatuses(ctx, signatures)
}

func (c stepChain) Head(ctx context.Context) (walletfi.Head, error) {
	c.step()
	return c.chain.Head(ctx)
}

// interrupted runs an Execute of two transactions that is interrupted at step at,
// and again until it is confirmed. It returns false if there was no such step.
func interrupted(t *testing.T, at int, interrupt func(cancel func(), r *rig)) bool {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	memory := wallet.NewMemoryJournal()
	s := &stepper{}
	first := newRigWith(t, func(c *wallet.Config) {
		node := stepChain{c.Confirmer.(*chain), s}
		c.Journal, c.Submitter, c.Confirmer, c.Heights = stepJournal{memory, s}, node, node, node
		c.Signer = slowSigner{c.Signer, s.step}
	})
	s.interrupt = func() { interrupt(cancel, first) }
	s.steps.Store(0)
	s.at.Store(int64(at))
	_, err := execute(first, ctx, t)
	came := s.steps.Load() >= int64(at)
	if err != nil {
		requireOneOutcome(t, err)
	}
	require.NoError(t, first.wallet.Close())

	next := newRigWith(t, func(c *wallet.Config) {
		c.Journal, c.Submitter, c.Confirmer, c.Heights = memory, first.chain, first.chain, first.chain
	})
	for range 10 {
		var result *wallet.Result
		if result, err = execute(next, soon(t), t); err == nil {
			require.True(t, result.Confirmed())
			break
		}
		requireOneOutcome(t, err)
		if errors.Is(err, walletfi.ErrNotSent) || errors.Is(err, wallet.ErrStopped) {
			break // the rest of a set, which is another key's
		}
	}
	open := func() (entries []wallet.Entry) {
		for e, err := range memory.List(t.Context(), wallet.Query{Open: true}) {
			require.NoError(t, err)
			entries = append(entries, e)
		}
		return entries
	}
	for tries := 0; tries == 0 || tries < 5 && len(open()) > 0; tries++ {
		_, err = next.wallet.Settle(soon(t))
		require.NoError(t, err)
		pause.For(t.Context(), 30*time.Second)
	}
	paid := map[string]int{}
	for _, tx := range first.sent {
		paid[tx.Signature]++
	}
	require.LessOrEqual(t, len(paid), 2, "no transaction but those of one set")
	require.Empty(t, open())
	return came
}

// execute pays in two transactions, which are new each time.
func execute(r *rig, ctx context.Context, t *testing.T) (*wallet.Result, error) {
	u := r.pay(t, 2)
	salt := salts.Add(2)
	u.Transactions = []walletfi.EncodedTransaction{r.transfer(t, 1, byte(salt)), r.transfer(t, 1, byte(salt+1))}
	return r.wallet.Execute(ctx, u, wallet.ExecuteOptions{Key: "a"})
}

var salts atomic.Int64

func requireOneOutcome(t *testing.T, err error) {
	t.Helper()
	outcomes := 0
	for _, outcome := range []error{walletfi.ErrNotSent, wallet.ErrExpired, wallet.ErrFailed, walletfi.ErrOutcomeUnknown} {
		if errors.Is(err, outcome) {
			outcomes++
		}
	}
	if errors.Is(err, wallet.ErrStopped) {
		outcomes = max(outcomes, 1) // alone, or beside what became of one
	}
	require.Equal(t, 1, outcomes, "%v", err)
}

// TestInterruptedAtEachStep cancels the context, closes the wallet, or panics in
// the signer, at each step of an Execute. What follows pays at most once.
func TestInterruptedAtEachStep(t *testing.T) {
	for name, interrupt := range map[string]func(cancel func(), r *rig){
		"cancelled": func(cancel func(), _ *rig) { cancel() },
		"closed":    func(_ func(), r *rig) { go r.wallet.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			const most = 30 // how often it asks the node differs from run to run
			interruptions := 0
			for at := range most {
				synctest.Test(t, func(t *testing.T) {
					if interrupted(t, at+1, interrupt) {
						interruptions++
					}
				})
			}
			require.Greater(t, interruptions, 11)
		})
	}
}

// TestSignerThatPanics lets go of the key.
func TestSignerThatPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ill := true
		r := newRigWith(t, func(c *wallet.Config) {
			c.Signer = slowSigner{c.Signer, func() {
				if ill {
					panic("the device is gone")
				}
			}}
		})
		require.Panics(t, func() { _, _ = r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "a"}) })
		ill = false
		_, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "a"})
		require.NoError(t, err)
		require.Equal(t, 1, r.submissions())
	})
}

// TestEverythingAtOnce executes few keys from many goroutines while others settle
// and list, and one closes the wallet.
func TestEverythingAtOnce(t *testing.T) {
	for _, file := range []bool{false, true} {
		t.Run(fmt.Sprintf("file %v", file), func(t *testing.T) {
			var journal wallet.Journal = wallet.NewMemoryJournal()
			if file {
				journal = openJournal(t, filepath.Join(t.TempDir(), "journal"))
			}
			r := newRigWith(t, func(c *wallet.Config) { c.Journal = journal })
			var all sync.WaitGroup
			var confirmed [5]atomic.Bool
			for i := range 60 {
				u := r.pay(t, 1)
				u.Transactions[0] = r.transfer(t, 1, byte(i+1))
				all.Go(func() {
					result, err := r.wallet.Execute(t.Context(), u, wallet.ExecuteOptions{Key: fmt.Sprint(i % 5)})
					if err == nil && result.Confirmed() {
						confirmed[i%5].Store(true)
					}
				})
				if i%6 == 0 {
					all.Go(func() { _, _ = r.wallet.Settle(t.Context()) })
					all.Go(func() { _, _ = r.wallet.Unsettled(t.Context()) })
				}
			}
			all.Go(func() {
				for i := range confirmed {
					for !confirmed[i].Load() && t.Context().Err() == nil {
						_, _ = r.wallet.Unsettled(t.Context())
					}
				}
				_ = r.wallet.Close()
			})
			all.Wait()
			signatures := map[string]bool{}
			for _, tx := range r.sent {
				signatures[tx.Signature] = true
			}
			require.Len(t, signatures, 5, "one transaction for each key")
		})
	}
}

// TestJournalThatCannotBeOpened says which file.
func TestJournalThatCannotBeOpened(t *testing.T) {
	folder := t.TempDir()
	for _, path := range []string{filepath.Join(folder, "missing", "journal"), folder} {
		_, err := wallet.OpenFileJournal(path)
		require.ErrorContains(t, err, "journal "+path)
	}
	_, err := wallet.OpenFileJournal("")
	var invalid *walletfi.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, "path", invalid.Field)
	left, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Empty(t, left, "no lock beside it")
	require.NoFileExists(t, folder+".lock")
}
