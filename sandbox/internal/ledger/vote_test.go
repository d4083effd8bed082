package ledger

import (
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestVotes(t *testing.T) {
	f := newFixture(t)
	other := New(8, f)
	garbled := f.Vote(f.slot)
	garbled[30] ^= 1
	seen := map[solana.Signature]bool{}
	for name, test := range map[string]struct {
		vote solana.Signature
		slot uint64 // 0 if it is not of this chain
	}{
		"of this block":       {f.Vote(f.slot), f.slot},
		"of an old one":       {f.Vote(f.slot - firstKept), f.slot - firstKept},
		"before the first":    {f.Vote(f.slot - firstKept - 1), 0},
		"that is to come":     {f.Vote(f.slot + 1), 0},
		"of another chain":    {other.Vote(f.slot), 0},
		"garbled":             {garbled, 0},
		"no signature at all": {solana.Signature{}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			assert.False(t, seen[test.vote], "each is another")
			seen[test.vote] = true
			r := f.Receipt(test.vote)
			if test.slot == 0 {
				assert.Nil(t, r)
				return
			}
			require.NotNil(t, r)
			assert.Equal(t, []any{test.vote, test.slot, f.TimeOf(test.slot)}, []any{r.Signature, r.Slot, r.Time})
			assert.Nil(t, r.Err)
			assert.Equal(t, r.Pre[0]-r.Fee, r.Post[0])
			assert.Equal(t, f.BlockhashOf(test.slot-1), r.Tx.Blockhash)
			assert.Equal(t, solana.VoteProgramID, r.Keys[r.Tx.Instructions[0].Program])
			assert.Equal(t, test.vote, r.Tx.Signatures[0])
			assert.Len(t, r.Pre, len(r.Keys))
			_, err := f.Submit(r.Tx.Raw)
			assert.ErrorIs(t, err, ErrSignature, "none can be sent")
		})
	}
}

func TestBlocks(t *testing.T) {
	f := newFixture(t)
	a, b := f.rich("a"), f.key("b")
	want := map[uint64][]solana.Signature{}
	for lamports := range uint64(7) {
		f.slot += lamports % 3
		r, err := f.Submit(f.tx(a, []solana.Instruction{transfer(a, b, sol+lamports)}))
		require.NoError(t, err)
		want[f.slot] = append(want[f.slot], r.Signature)
	}
	for slot := f.slot - 10; slot <= f.slot; slot++ {
		var got []solana.Signature
		for _, r := range f.Block(slot) {
			assert.Equal(t, slot, r.Slot)
			got = append(got, r.Signature)
		}
		assert.Equal(t, append([]solana.Signature{f.Vote(slot)}, want[slot]...), got)
	}
}
