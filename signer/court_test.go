package signer_test

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
)

// paid is an execution as the ledger has it.
type paid struct {
	at       time.Time
	lamports int64
}

// worst is the most that left within any hour.
func worst(all []paid) (most int64) {
	for _, from := range all {
		sum := int64(0)
		for _, p := range all {
			if !p.at.Before(from.at) && p.at.Sub(from.at) < time.Hour {
				sum += p.lamports
			}
		}
		most = max(most, sum)
	}
	return most
}

// TestNoWindowIsExceeded: a client that keeps what was signed and sends it late, in any order,
// over restarts, nodes that lie or are away, and clocks that drift, never has more leave
// within an hour than the ceiling, by the ledger's own time.
func TestNoWindowIsExceeded(t *testing.T) {
	requests, signed, executed, restarts, closest := 0, 0, 0, 0, int64(0)
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 7))
		r := newRig(t, 3)
		var held []*signing.Transaction
		var all []paid
		land := func(i int) {
			fails := ""
			if random.IntN(6) == 0 {
				fails = "Custom"
			}
			tx := held[i]
			held = append(held[:i], held[i+1:]...)
			if !r.land(tx, fails) {
				return
			}
			executed++
			lamports := int64(baseFee)
			if fails == "" {
				lamports += lamportsOf(t, tx)
			}
			all = append(all, paid{at(r.slot), lamports})
		}
		for range 250 {
			switch random.IntN(10) {
			case 0, 1, 2, 3:
				requests++
				q := r.pay(payee, 1+random.Uint64N(2*sol))
				client := []string{"trader", "other"}[random.IntN(2)]
				_, err := r.SignSet(t.Context(), client, q)
				if err != nil {
					refusal, ok := errors.AsType[*signing.SetRefusal](err)
					require.True(t, ok)
					if refusal.Code == signer.CodeFrozen { // a drift that adds up to a jump
						require.NoError(t, r.Thaw(t.Context(), "uid 0", "the clock is set"))
					}
					continue
				}
				signed++
				tx, err := signing.Decode(q.Unsigned.Transactions[0])
				require.NoError(t, err)
				require.NoError(t, signing.SignUnchecked(t.Context(), tx, ownerKey))
				held = append(held, tx)
			case 4, 5:
				if len(held) > 0 {
					land(random.IntN(len(held)))
				}
			case 6:
				r.pass(time.Duration(random.Int64N(int64(20 * time.Minute))))
			case 7:
				r.pass(time.Duration(random.Int64N(int64(40 * time.Second))))
				_ = r.Settle(t.Context()) // some nodes are away
			case 8:
				n := r.nodes[0] // one of three, which may do what it likes
				n.away, n.hide = random.IntN(3) == 0, random.IntN(3) == 0
				_ = r.Settle(t.Context())
			case 9:
				if random.IntN(3) > 0 {
					r.clock.add(time.Duration(random.Int64N(int64(60*time.Second))) - 30*time.Second)
					continue
				}
				restarts++
				require.NoError(t, r.Signer.Close())
				s, err := signer.Open(t.Context(), r.cfg)
				require.NoError(t, err)
				r.Signer = s
			}
		}
		for len(held) > 0 {
			land(0)
		}
		most := worst(all)
		require.LessOrEqual(t, most, int64(5*sol), "seed %d", seed)
		closest = max(closest, most)
	}
	t.Logf("requests=%d signed=%d executed=%d restarts=%d most in an hour=%d of %d",
		requests, signed, executed, restarts, closest, int64(5*sol))
	assert.Greater(t, executed, 100)
	assert.Greater(t, closest, int64(4*sol), "no run came near the ceiling")
	assert.NotZero(t, restarts)
}

// lamportsOf is the amount of a transfer.
func lamportsOf(t *testing.T, tx *signing.Transaction) (lamports int64) {
	for _, ins := range tx.Instructions() {
		require.Len(t, ins.Data, 12)
		for i := range 8 {
			lamports |= int64(ins.Data[4+i]) << (8 * i)
		}
	}
	return lamports
}
