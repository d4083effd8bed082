package ledger

import (
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSysvarHashes: the accounts list the hashes that the programs take, and no others.
func TestSysvarHashes(t *testing.T) {
	f := newFixture(t)
	for _, slot := range []uint64{f.slot, f.slot - 32} {
		data := f.AccountAt(solana.SysVarSlotHashesPubkey, slot).Data
		n := getUint64(data)
		require.EqualValues(t, 512, n)
		oldest := slot
		for entry := data[8:]; len(entry) > 0; entry = entry[40:] {
			oldest = getUint64(entry)
			require.True(t, f.recent(oldest, slot), oldest)
		}
		assert.False(t, f.recent(oldest-1, slot))

		data = f.AccountAt(solana.SysVarRecentBlockHashesPubkey, slot).Data
		require.EqualValues(t, HashLifetime, getUint64(data))
		for entry := data[8:]; len(entry) > 0; entry = entry[40:] {
			require.True(t, f.BlockhashKnown(solana.Hash(entry[:32]), slot))
		}
	}
}

// TestSysvarsOfAnEpoch looks at the first two blocks of one.
func TestSysvarsOfAnEpoch(t *testing.T) {
	f := newFixture(t)
	f.slot = 300*SlotsInEpoch + 1
	for i, active := range []byte{1, 0} {
		slot := 300*SlotsInEpoch + uint64(i)
		rewards, clock := f.AccountAt(SysvarEpochRewards, slot).Data, f.AccountAt(solana.SysVarClockPubkey, slot).Data
		assert.Equal(t, f.Height(slot)+1-uint64(i), getUint64(rewards))
		parent := f.BlockhashOf(300*SlotsInEpoch - 1)
		assert.Equal(t, parent[:], rewards[16:48])
		assert.Equal(t, active, rewards[80])
		assert.EqualValues(t, []uint64{slot, 300}, []uint64{getUint64(clock), getUint64(clock[16:])})
	}
	assert.Equal(t, uint64(300), getUint64(f.Account(solana.SysVarStakeHistoryPubkey).Data), "as many epochs as there were")
}

// TestSysvarsAreNotKept: reading them stores nothing, and each is exempt from rent.
func TestSysvarsAreNotKept(t *testing.T) {
	f := newFixture(t)
	stored := len(f.accounts)
	require.Len(t, Sysvars(), 9)
	for _, key := range Sysvars() {
		a := f.Account(key)
		assert.Equal(t, Rent(len(a.Data)), f.Balance(key))
		assert.Equal(t, SysvarProgram, a.Owner)
	}
	assert.Equal(t, stored, len(f.accounts))
	assert.Nil(t, f.Account(solana.SysVarInstructionsPubkey))
}
