package wallet_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	computebudget "github.com/gagliardetto/solana-go/programs/compute-budget"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// each counts for a payment of a rig: a lamport, and the fee of one signature.
const each = 5001

func limitedTo(payments int, within time.Duration) []wallet.SpendLimit {
	return []wallet.SpendLimit{
		{Mint: walletfi.NativeMint, Within: within, Most: walletfi.Amount(payments * each)},
	}
}

// fresh is a payment on a blockhash of now.
func (r *rig) fresh(t *testing.T, salt int) walletfi.Unsigned {
	u := r.pay(t, 1)
	head, _ := r.Head(t.Context())
	u.LastValidBlockHeight = head.Height + lifetime
	u.Transactions[0] = r.transfer(t, 1, byte(salt))
	return u
}

func (r *rig) order(t *testing.T, w *wallet.Wallet, n int) error {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	_, err := w.Execute(ctx, r.fresh(t, n), wallet.ExecuteOptions{Key: fmt.Sprint("order ", n)})
	return err
}

// refusedBy is the error of a payment that a limit does not allow: nothing was signed for it.
func refusedBy(t *testing.T, r *rig, err error) *wallet.SpendLimitError {
	t.Helper()
	answersTo(t, err, walletfi.ErrNotSent)
	require.ErrorIs(t, err, wallet.ErrSpendLimit)
	var e *wallet.SpendLimitError
	require.ErrorAs(t, err, &e)
	return e
}

// TestSpendLimit: what would exceed a limit is not signed, in this process and the next, and is
// when the window has passed.
func TestSpendLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "journal")
		j, err := wallet.OpenFileJournal(path)
		require.NoError(t, err)
		var cfg wallet.Config
		r := newRigWith(t, func(c *wallet.Config) {
			c.Spend, c.Journal = append(limitedTo(3, time.Hour), limitedTo(5, 24*time.Hour)...), j
			cfg = *c
		})
		for n := range 3 {
			require.NoError(t, r.order(t, r.wallet, n+1))
			time.Sleep(time.Minute)
		}
		e := refusedBy(t, r, r.order(t, r.wallet, 4))
		require.Equal(t, []any{walletfi.NativeMint, time.Hour, walletfi.Amount(3 * each), walletfi.Amount(3 * each), walletfi.Amount(each)},
			[]any{e.Mint, e.Within, e.Most, e.Used, e.Asked})
		require.ErrorContains(t, e, "15003 of 15003 within 1h0m0s are used, free at ")
		require.Equal(t, 3, r.submissions())
		require.Equal(t, wallet.KeyReleased, r.entry(t, "key:order 4").State, "the key is not used up")
		left := time.Until(e.FreeAt)
		require.Greater(t, left, 57*time.Minute)
		require.Less(t, left, 61*time.Minute)

		require.NoError(t, r.wallet.Close())
		require.NoError(t, j.Close())
		j, err = wallet.OpenFileJournal(path)
		require.NoError(t, err)
		defer j.Close()
		cfg.Journal = j
		w, err := wallet.New(cfg)
		require.NoError(t, err)
		defer w.Close()
		refusedBy(t, r, r.order(t, w, 4))
		time.Sleep(left - 2*time.Minute)
		refusedBy(t, r, r.order(t, w, 4))
		time.Sleep(2*time.Minute + time.Second)
		require.NoError(t, r.order(t, w, 4))
		time.Sleep(2 * time.Hour)
		require.NoError(t, r.order(t, w, 5))
		e = refusedBy(t, r, r.order(t, w, 6))
		require.Equal(t, 24*time.Hour, e.Within, "each window holds")
		require.Equal(t, 5, r.submissions())
	})
}

// TestSpendLimitOfWhatEnds: only what is proven to have expired, or was never sent, comes back.
func TestSpendLimitOfWhatEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRigWith(t, func(c *wallet.Config) { c.Spend = limitedTo(1, time.Hour) })
		r.submit = func(int, walletfi.Signed) error { return fmt.Errorf("%w: busy", walletfi.ErrNotSent) }
		answersTo(t, r.order(t, r.wallet, 1), walletfi.ErrNotSent)
		r.submit = func(int, walletfi.Signed) error { return errLost }
		answersTo(t, r.order(t, r.wallet, 2), wallet.ErrExpired)
		r.submit = nil
		r.status = func(int, string) (walletfi.SignatureStatus, error) {
			return walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentFinalized, Slot: 7, Err: "custom"}, nil
		}
		answersTo(t, r.order(t, r.wallet, 3), wallet.ErrFailed)
		r.status = nil
		e := refusedBy(t, r, r.order(t, r.wallet, 4))
		require.Equal(t, walletfi.Amount(each-1), e.Used, "the fee of what failed has left")
		time.Sleep(time.Hour + 3*time.Minute)
		require.NoError(t, r.order(t, r.wallet, 4))
	})
}

// TestSpendLimitOfWhatIsOpen: what may still land counts at any age, under whatever key.
func TestSpendLimitOfWhatIsOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRigWith(t, func(c *wallet.Config) {
			c.Spend = limitedTo(1, time.Hour)
			unproven(c)
		})
		r.submit = func(int, walletfi.Signed) error { return errLost }
		answersTo(t, r.order(t, r.wallet, 1), walletfi.ErrOutcomeUnknown)
		time.Sleep(100 * time.Hour)
		require.Zero(t, refusedBy(t, r, r.order(t, r.wallet, 2)).FreeAt)
		var open *wallet.UnsettledError
		require.ErrorAs(t, r.order(t, r.wallet, 1), &open)
		_, err := r.wallet.Execute(soon(t), r.fresh(t, 9), wallet.ExecuteOptions{Key: "order 1", Force: open.Signatures})
		refusedBy(t, r, err)
		time.Sleep(90 * time.Minute)
		refusedBy(t, r, r.order(t, r.wallet, 2))
		time.Sleep(45 * time.Minute)
		r.submit = nil
		require.NoError(t, r.order(t, r.wallet, 2))
	})
}

// lazy signs nothing.
type lazy struct{ signing.Signer }

func (lazy) Sign(context.Context, []byte) (signing.Signature, error) {
	return signing.Signature{}, errors.New("no")
}

// TestSpendLimitOfWhatIsNotSigned: what the signer refuses does not count, nor what the guard does.
func TestSpendLimitOfWhatIsNotSigned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRigWith(t, func(c *wallet.Config) {
			c.Spend, c.Signer = limitedTo(1, time.Hour), lazy{c.Signer}
		})
		answersTo(t, r.order(t, r.wallet, 1), walletfi.ErrNotSent)
		spend := r.entry(t, "spend").Spend
		require.Empty(t, spend.Open)
		require.Empty(t, spend.Landed)
	})
}

// TestSpendLimitWithoutKeys: a payment without a key counts too, though a memory journal drops it.
func TestSpendLimitWithoutKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRigWith(t, func(c *wallet.Config) { c.Spend = limitedTo(2, time.Hour) })
		for n := range 2 {
			_, err := r.wallet.Execute(soon(t), r.fresh(t, n+1), wallet.ExecuteOptions{})
			require.NoError(t, err)
		}
		_, err := r.wallet.Execute(soon(t), r.fresh(t, 3), wallet.ExecuteOptions{})
		refusedBy(t, r, err)
		time.Sleep(time.Hour + 3*time.Minute)
		_, err = r.wallet.Execute(soon(t), r.fresh(t, 4), wallet.ExecuteOptions{})
		require.NoError(t, err)
	})
}

// TestSpendLimitOfWhatIsPrepared: what is given away counts, and so does another message that comes back.
func TestSpendLimitOfWhatIsPrepared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPage(t, func(c *wallet.Config) { c.Spend = limitedTo(2, time.Hour) })
		prepare := func(key string, salt byte) (*wallet.Prepared, error) {
			u := p.asked(t, p.transferOf(signing.Legacy, salt))
			head, _ := p.Head(t.Context())
			u.LastValidBlockHeight = head.Height + lifetime
			return p.wallet.Prepare(t.Context(), key, u, wallet.PrepareOptions{})
		}
		first, err := prepare("one", 1)
		require.NoError(t, err)
		_, err = prepare("two", 2)
		require.NoError(t, err)
		_, err = prepare("three", 3)
		refusedBy(t, p.rig, err)
		dearer := p.transferOf(signing.Legacy, 1, computebudget.NewSetComputeUnitPriceInstruction(1).Build())
		_, err = p.wallet.Submit(soon(t), "one", [][]byte{sign(t, dearer.bytes(t), p.key)}, wallet.SubmitOptions{})
		require.ErrorIs(t, err, wallet.ErrSpendLimit, "either of the two messages may land")
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.Zero(t, p.submissions())
		_, err = p.wallet.Submit(soon(t), "one", p.signs(t, first), wallet.SubmitOptions{})
		require.NoError(t, err, "it counts already")
		require.Equal(t, wallet.StateExpired, p.settled(t, "two").State)
		_, err = prepare("three", 3)
		require.NoError(t, err, "two comes back")
	})
}

// TestSpendLimitOfTwoProcesses: wallets on one journal, at once, stay within one limit.
func TestSpendLimitOfTwoProcesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var cfg wallet.Config
		r := newRigWith(t, func(c *wallet.Config) {
			c.Spend = limitedTo(7, time.Hour)
			cfg = *c
		})
		other, err := wallet.New(cfg)
		require.NoError(t, err)
		defer other.Close()
		const payments = 20
		outcomes := make([]error, payments)
		var all sync.WaitGroup
		for n := range payments {
			all.Go(func() { outcomes[n] = r.order(t, []*wallet.Wallet{r.wallet, other}[n%2], n+1) })
		}
		all.Wait()
		paid := 0
		for _, err := range outcomes {
			if err == nil {
				paid++
				continue
			}
			refusedBy(t, r, err)
		}
		require.Equal(t, 7, paid)
		require.Equal(t, 7, r.submissions())
	})
}

func TestSpendLimitsAreChecked(t *testing.T) {
	const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	for problem, limits := range map[string][]wallet.SpendLimit{
		"Config.Spend must limit SOL too":                      {{Mint: usdc, Within: time.Hour, Most: 1}},
		"Config.Spend[1].Within must be 1m0s to 8784h0m0s":     append(limitedTo(1, time.Hour), limitedTo(1, time.Second)...),
		"Config.Spend[0].Mint must be the base58 of 32 bytes;": {{Mint: "SOL", Within: time.Hour}},
	} {
		_, err := wallet.New(wallet.Config{Spend: limits})
		require.ErrorContains(t, err, problem)
	}
	require.NotContains(t, made(wallet.New(wallet.Config{Spend: limitedTo(0, time.Hour)})).Error(), "Spend")
}

func made[T any](_ T, err error) error { return err }

// TestSpendOfAChangedMessage: what was prepared and what came back in its place count both, as long as both may
// execute. Once one has paid, the other is followed to its proven end, also by the next process.
func TestSpendOfAChangedMessage(t *testing.T) {
	for name, c := range map[string]struct{ lands, restarts bool }{
		"one":               {},
		"one, by the next":  {restarts: true},
		"both":              {lands: true},
		"both, by the next": {lands: true, restarts: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var cfg wallet.Config
				p := newPage(t, func(c *wallet.Config) {
					c.Spend = []wallet.SpendLimit{{Mint: walletfi.NativeMint, Within: time.Hour, Most: 2*each + 1}}
					cfg = *c
				})
				prepare := func(key string, salt byte) (*wallet.Prepared, error) {
					u := p.asked(t, p.transferOf(signing.Legacy, salt))
					head, _ := p.Head(t.Context())
					u.LastValidBlockHeight = head.Height + lifetime
					return p.wallet.Prepare(t.Context(), key, u, wallet.PrepareOptions{})
				}
				first, err := prepare("one", 1)
				require.NoError(t, err)
				dearer := p.transferOf(signing.Legacy, 1, computebudget.NewSetComputeUnitPriceInstruction(1).Build())
				_, err = p.wallet.Submit(soon(t), "one", [][]byte{sign(t, dearer.bytes(t), p.key)}, wallet.SubmitOptions{})
				require.NoError(t, err)
				_, err = prepare("two", 2)
				refusedBy(t, p.rig, err)
				if c.restarts {
					require.NoError(t, p.wallet.Close())
					p.wallet, err = wallet.New(cfg)
					require.NoError(t, err)
					defer p.wallet.Close()
				}
				if c.lands {
					p.lands(t, p.signs(t, first)[0])
				}
				time.Sleep(3 * time.Minute)
				e := p.entry(t, "spend").Spend
				require.Empty(t, e.Open, "both have ended")
				_, err = prepare("two", 3)
				require.Equal(t, 1+len(map[bool][]int{true: {1}}[c.lands]), p.submissions())
				if !c.lands {
					require.NoError(t, err)
					return
				}
				refusedBy(t, p.rig, err)
				time.Sleep(time.Hour)
				_, err = prepare("two", 4)
				require.NoError(t, err)
			})
		})
	}
}
