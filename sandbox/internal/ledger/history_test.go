package ledger

import (
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLongRunReceipts records more transactions than are remembered.
func TestLongRunReceipts(t *testing.T) {
	f := newFixture(t)
	signature := func(n int) (s solana.Signature) {
		s[0], s[1], s[2] = byte(n), byte(n>>8), byte(n>>16)
		return s
	}
	const all = WholeReceipts + Outcomes + 1000
	for n := range all {
		f.slot += 2
		f.record(&Receipt{Signature: signature(n), Slot: f.slot, Fee: uint64(n), Tx: &Transaction{}, Keys: []solana.PublicKey{{1}}, Err: ErrBlockhash})
	}
	young := f.Receipt(signature(all - WholeReceipts))
	require.NotNil(t, young)
	assert.NotNil(t, young.Tx)
	old := f.Receipt(signature(all - WholeReceipts - 1))
	require.NotNil(t, old)
	assert.Nil(t, old.Tx, "its status alone is left")
	assert.EqualValues(t, all-WholeReceipts-1, old.Fee)
	assert.Equal(t, ErrBlockhash, old.Err)
	assert.NotNil(t, f.Receipt(signature(1000)))
	assert.Nil(t, f.Receipt(signature(999)), "forgotten")
	assert.NotNil(t, f.Receipt(f.Vote(f.Receipt(signature(1000)).Slot)), "what is known of others is known of votes")
	assert.Nil(t, f.Receipt(f.Vote(f.Receipt(signature(1000)).Slot-2)), "also that it is forgotten")
	assert.Nil(t, f.Receipt(f.Vote(old.Slot)).Tx)
	assert.Equal(t, young.Slot-1, f.FirstBlock())
	listed := 0
	for range f.History(solana.PublicKey{1}) {
		listed++
	}
	assert.Equal(t, WholeReceipts, listed)

	// However many there are in a short time, the young ones stay whole.
	for n := range WholeReceipts {
		f.record(&Receipt{Signature: signature(all + n), Slot: f.slot, Tx: &Transaction{}})
	}
	f.record(&Receipt{Signature: signature(all + WholeReceipts), Slot: f.slot + youngReceipts/2, Tx: &Transaction{}})
	assert.NotNil(t, f.Receipt(signature(all)).Tx)
}
