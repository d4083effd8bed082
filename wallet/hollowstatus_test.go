package wallet_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// hollow is a confirmer whose answers say nothing until a time.
type hollow struct {
	*chain
	until  time.Duration
	answer func(n int, slot uint64) ([]walletfi.SignatureStatus, uint64)
	said   *int
}

func (h hollow) SignatureStatuses(ctx context.Context, signatures []string) (walletfi.SignatureStatuses, error) {
	if time.Since(h.begun) >= h.until {
		return h.chain.SignatureStatuses(ctx, signatures)
	}
	*h.said++
	head, err := h.Head(ctx)
	statuses, asOf := h.answer(len(signatures), head.Slot)
	return walletfi.SignatureStatuses{Statuses: statuses, AsOfSlot: asOf}, err
}

// Absence says as little.
func (h hollow) Absence(ctx context.Context, q walletfi.AbsenceQuery) (*walletfi.Absence, error) {
	a, err := h.chain.Absence(ctx, q)
	if err == nil && time.Since(h.begun) < h.until {
		a.Statuses, a.AsOfSlot = h.answer(len(q.Signatures), a.AsOfSlot)
	}
	return a, err
}

// TestStatusAnswersThatSayNothing: they are neither "not found" nor "confirmed",
// however long they are all that comes, and whether it landed or not.
func TestStatusAnswersThatSayNothing(t *testing.T) {
	for name, answer := range map[string]func(n int, slot uint64) ([]walletfi.SignatureStatus, uint64){
		"none": func(_ int, slot uint64) ([]walletfi.SignatureStatus, uint64) { return nil, slot },
		"too few": func(n int, slot uint64) ([]walletfi.SignatureStatus, uint64) {
			return make([]walletfi.SignatureStatus, n-1), slot
		},
		"too many": func(n int, slot uint64) ([]walletfi.SignatureStatus, uint64) {
			return make([]walletfi.SignatureStatus, n+1), slot
		},
		"of no slot": func(n int, _ uint64) ([]walletfi.SignatureStatus, uint64) {
			return make([]walletfi.SignatureStatus, n), 0
		},
		"of an old slot": func(n int, _ uint64) ([]walletfi.SignatureStatus, uint64) {
			return make([]walletfi.SignatureStatus, n), 1
		},
		"of no commitment": func(n int, slot uint64) ([]walletfi.SignatureStatus, uint64) {
			all := make([]walletfi.SignatureStatus, n)
			for i := range all {
				all[i].Found = true
			}
			return all, slot
		},
	} {
		for _, lands := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					said := 0
					r := newRigWith(t, func(c *wallet.Config) {
						c.Confirmer = hollow{c.Confirmer.(*chain), 10 * time.Minute, answer, &said}
						c.ConfirmTimeout = 20 * time.Minute
					})
					r.landsAt(24 * time.Hour)
					if lands {
						r.landsAt(time.Second)
					}
					result, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{})
					require.GreaterOrEqual(t, time.Since(r.begun), 10*time.Minute)
					require.Greater(t, said, 10)
					if lands {
						require.NoError(t, err)
						require.True(t, result.Confirmed())
						return
					}
					answersTo(t, err, wallet.ErrExpired)
				})
			})
		}
	}
}
