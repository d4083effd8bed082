package wallet_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/wallet"
)

// placeKinds are what an error of Place answers to: exactly one of them.
var placeKinds = []error{walletfi.ErrNotSent, wallet.ErrExpired, wallet.ErrFailed, wallet.ErrNotFilled, wallet.ErrShort, walletfi.ErrOutcomeUnknown}

// endsAt is a Progress that does something when the n-th thing is told, and how many
// things were told.
func endsAt(n int, do func()) (progress func(wallet.PlaceProgress), told func() int) {
	count := 0
	return func(wallet.PlaceProgress) {
		if count++; count == n {
			do()
		}
	}, func() int { return count }
}

// TestPlaceEndedByItsCaller: the caller's context ends, or its Progress panics, at each
// thing that is told. The next call with the same key ends the order, and one set was
// sent.
func TestPlaceEndedByItsCaller(t *testing.T) {
	for name, panics := range map[string]bool{"context": false, "panic": true} {
		t.Run(name, func(t *testing.T) {
			ended := 0
			for n := 1; ; n++ {
				last := false
				synctest.Test(t, func(t *testing.T) {
					r := newRig(t)
					b := &builder{r: r, t: t}
					ctx, cancel := context.WithCancel(soon(t))
					defer cancel()
					progress, told := endsAt(n, func() {
						if panics {
							panic("of the caller")
						}
						cancel()
					})
					place := func() (err error) {
						defer func() {
							if p := recover(); p != nil {
								err = fmt.Errorf("panic: %v", p)
							}
						}()
						placed, err := r.wallet.Place(ctx, b, wallet.PlaceOptions{Key: "a", Progress: progress})
						require.NotNil(t, placed)
						return err
					}
					err := place()
					if told() < n {
						require.NoError(t, err)
						last = true
						return
					}
					if !panics && err != nil {
						is := 0
						for _, kind := range placeKinds {
							if errors.Is(err, kind) {
								is++
							}
						}
						require.Equal(t, 1, is, "at %d: %v", n, err)
					}
					if err != nil {
						ended++
					}
					var again error
					for range 60 {
						if _, again = r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a"}); again == nil {
							break
						}
						pause.For(t.Context(), 10*time.Second)
					}
					require.NoError(t, again, "at %d", n)
					require.Len(t, distinct(r.sent), 1, "at %d", n)
				})
				if last {
					break
				}
				require.Less(t, n, 50)
			}
			require.GreaterOrEqual(t, ended, 4, "most of what is told comes before the end")
		})
	}
}

// TestPlaceRefusedAtTheSecondAttempt: the first set has expired, and what the service
// builds then takes more. Nothing of it is signed, and the error tells the second
// attempt.
func TestPlaceRefusedAtTheSecondAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.status = func(int, string) (walletfi.SignatureStatus, error) { return walletfi.SignatureStatus{}, nil }
		b := &builder{r: r, t: t}
		greedy := wallet.OrderFunc(func(ctx context.Context) (walletfi.Unsigned, error) {
			u, err := b.Build(ctx)
			if b.built > 1 {
				u.Transactions[0] = r.transfer(t, 1_000_000, 99)
			}
			return u, err
		})
		placed, err := r.wallet.Place(soon(t), greedy, wallet.PlaceOptions{Key: "a", Attempts: 5})
		requireStage(t, err, wallet.StageGuard, walletfi.ErrNotSent)
		require.Equal(t, 2, placed.Attempts)
		require.Equal(t, 2, b.built)
		require.NotNil(t, placed.Result.Report.Refusal)
		require.Len(t, distinct(r.sent), 1, "that of the first attempt")
	})
}

// TestPlaceInTwoProcesses: two wallets on one journal place the same key at once, many
// times. One set is sent, and whoever does not end the order says that its end is not
// known to it, or what it was.
func TestPlaceInTwoProcesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		on, journal := newRig(t), wallet.NewMemoryJournal()
		b := &builder{r: on, t: t}
		var building sync.Mutex
		order := wallet.OrderFunc(func(ctx context.Context) (walletfi.Unsigned, error) {
			building.Lock()
			defer building.Unlock()
			return b.Build(ctx)
		})
		const processes = 4
		errs := make([]error, processes)
		var all sync.WaitGroup
		for i := range processes {
			ctx, w, _ := mortal(t, on, journal, 0)
			all.Go(func() { _, errs[i] = w.Place(ctx, order, wallet.PlaceOptions{Key: "a", Attempts: 3}) })
		}
		all.Wait()
		done := 0
		for _, err := range errs {
			if err == nil {
				done++
			} else {
				require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
			}
		}
		require.Positive(t, done)
		require.Len(t, distinct(on.sent), 1)
	})
}
