package ledger

import (
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSubmitAllOrNone(t *testing.T) {
	f := newFixture(t)
	a, b, c := f.rich("a"), f.key("b"), f.key("c")
	first := f.tx(a, []solana.Instruction{transfer(a, b, sol)})
	second := f.tx(b, []solana.Instruction{transfer(b, c, sol/2)}) // b has nothing before the first
	tooMuch := f.tx(b, []solana.Instruction{transfer(b, c, 2*sol)})
	var seen, watched []*Receipt
	f.Watch(func(r *Receipt) { watched = append(watched, r) })

	_, err := f.SubmitAll([][]byte{first, tooMuch}, nil)
	var bundle *BundleError
	require.ErrorAs(t, err, &bundle)
	assert.Equal(t, 1, bundle.Index)
	assert.EqualError(t, err, "transaction 1: Error processing Instruction 0: custom program error: 0x1")
	assert.EqualValues(t, 10*sol, f.Balance(a), "the fee is not taken either")
	assert.Zero(t, f.Balance(b))
	assert.Empty(t, watched)
	for r := range f.History(a) {
		assert.Fail(t, "not landed", "%s", r.Signature)
	}

	receipts, err := f.SubmitAll([][]byte{first, second}, func(r *Receipt) { seen = append(seen, r) })
	require.NoError(t, err)
	assert.Equal(t, receipts, seen)
	assert.Equal(t, receipts, watched)
	assert.EqualValues(t, sol/2, f.Balance(c))
	assert.Same(t, receipts[0], f.Receipt(receipts[0].Signature))

	for name, raws := range map[string][][]byte{
		"landed before": {first}, "twice": {f.tx(a, []solana.Instruction{transfer(a, c, 1)}), f.tx(a, []solana.Instruction{transfer(a, c, 1)})},
		"no transaction": {{1, 2}}, "a bad signature": {append([]byte{1, 9}, first[2:]...)},
	} {
		before := f.Balance(c)
		_, err := f.SubmitAll(raws, nil)
		require.ErrorAs(t, err, &bundle, name)
		assert.Equal(t, before, f.Balance(c), name)
	}
}

func TestSubmitAllCallsAfterInOrder(t *testing.T) {
	f := newFixture(t)
	a, program := f.rich("a"), f.key("program")
	var done []byte
	f.Register(program, func(x *Invocation) {
		FailIf(x.Data[0] == 0, Custom(1))
		x.After(func(*Receipt) { done = append(done, x.Data[0]) })
	})
	one, two, bad := f.tx(a, []solana.Instruction{in(program, []byte{1})}), f.tx(a, []solana.Instruction{in(program, []byte{2})}), f.tx(a, []solana.Instruction{in(program, []byte{0})})
	_, err := f.SubmitAll([][]byte{one, bad}, nil)
	var cause *TxError
	require.ErrorAs(t, err, &cause)
	assert.Empty(t, done)
	_, err = f.SubmitAll([][]byte{one, two}, func(*Receipt) { assert.Empty(t, done, "not before all have landed") })
	require.NoError(t, err)
	assert.Equal(t, []byte{1, 2}, done)
}
