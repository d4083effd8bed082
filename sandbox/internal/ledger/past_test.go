package ledger

import (
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAccountsAsTheyWere(t *testing.T) {
	f := newFixture(t)
	f.Remembered = 4
	a, b := f.rich("a"), f.key("b")
	f.ok(a, transfer(a, b, sol))
	first := f.slot
	_, err := f.Submit(f.tx(a, []solana.Instruction{transfer(a, b, sol+1)}))
	require.NoError(t, err, "a second change in the slot")
	f.slot += 2
	_, err = f.SubmitAll([][]byte{
		f.tx(b, []solana.Instruction{transfer(b, f.key("c"), sol)}),
		f.tx(b, []solana.Instruction{transfer(b, f.key("c"), sol-9999)}),
	}, nil)
	require.NoError(t, err)
	held := func(k solana.PublicKey, slot uint64) uint64 {
		if account := f.AccountAt(k, slot); account != nil {
			return account.Lamports
		}
		return 0
	}
	listed := func(slot uint64) (n int) {
		f.EachAt(slot, func(k solana.PublicKey, account *Account) bool {
			if k == a || k == b || k == f.key("c") {
				assert.Equal(t, held(k, slot), account.Lamports)
				n++
			}
			return true
		})
		return n
	}
	for _, test := range []struct {
		slot    uint64
		a, b, c uint64
		listed  int
	}{
		{first - 1, 10 * sol, 0, 0, 1},
		{first, 8*sol - 10_001, 2*sol + 1, 0, 2},
		{first + 1, 8*sol - 10_001, 2*sol + 1, 0, 2},
		{first + 2, 8*sol - 10_001, 0, 2*sol - 9999, 2},
		{first + 3, 8*sol - 10_001, 0, 2*sol - 9999, 2},
	} {
		got := []uint64{held(a, test.slot), held(b, test.slot), held(f.key("c"), test.slot)}
		assert.Equal(t, []uint64{test.a, test.b, test.c}, got, "slot %d", test.slot-first)
		assert.Equal(t, test.listed, listed(test.slot))
	}
	assert.Equal(t, f.Account(a), f.AccountAt(a, f.slot))
}

// TestPastIsLetGo runs on for longer than is remembered.
func TestPastIsLetGo(t *testing.T) {
	f := newFixture(t)
	a, b := f.rich("a"), f.key("b")
	f.Remembered = 4
	for range 20 {
		f.ok(a, transfer(a, b, sol/100))
	}
	assert.Len(t, f.past[a], 4)
	f.Remove(b)
	assert.Nil(t, f.AccountAt(b, f.slot))
	for range 4 {
		f.ok(a, transfer(a, f.key("c"), sol/100))
	}
	assert.Len(t, f.past, 2)
	f.slot += 4
	f.Remembered = 0
	f.ok(a, transfer(a, b, sol/100))
	assert.Empty(t, f.past)
	assert.Empty(t, f.changes)
}

func TestFailureKeepsThePast(t *testing.T) {
	f := newFixture(t)
	f.Remembered = 4
	a, b := f.rich("a"), f.key("b")
	f.slot++
	good, bad := f.tx(a, []solana.Instruction{transfer(a, b, sol)}), f.tx(b, []solana.Instruction{transfer(b, a, 9*sol)})
	_, err := f.SubmitAll([][]byte{good, bad}, nil)
	require.Error(t, err)
	assert.Empty(t, f.past, "a bundle that fails changed nothing")
	f.run(a, transfer(a, b, 20*sol))
	assert.EqualValues(t, 10*sol, f.AccountAt(a, f.slot-1).Lamports)
	assert.EqualValues(t, 10*sol-5000, f.AccountAt(a, f.slot).Lamports, "the fee")
	assert.Len(t, f.past, 1)
}
