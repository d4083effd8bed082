package ledger

import (
	"bytes"
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// What is constant about epochs, stake and the history of slots.
const (
	SlotsInEpoch = 432_000
	SlotHistory  = 1 << 20               // slots of which a bank knows whether they have a block
	Stake        = 1_000_000_000_000_000 // lamports of the one validator, in each epoch
	stakeHistory = 512                   // epochs whose stake a bank knows
)

// SysvarProgram owns the accounts that the runtime writes.
var SysvarProgram = solana.MPK("Sysvar1111111111111111111111111111111111111")

// The sysvars that solana-go does not name.
var (
	SysvarLastRestartSlot = solana.MPK("SysvarLastRestartS1ot1111111111111111111111")
	SysvarEpochRewards    = solana.MPK("SysvarEpochRewards1111111111111111111111111")
)

// sysvars are the accounts that the runtime writes, as the bank of a slot has them at its end, in
// bincode. They follow from the clock, so that none is kept.
var sysvars = map[solana.PublicKey]func(l *Ledger, slot uint64) []byte{
	solana.SysVarClockPubkey:             (*Ledger).sysvarClock,
	solana.SysVarEpochSchedulePubkey:     (*Ledger).sysvarEpochSchedule,
	solana.SysVarRecentBlockHashesPubkey: (*Ledger).sysvarRecentBlockhashes,
	solana.SysVarRentPubkey:              (*Ledger).sysvarRent,
	solana.SysVarSlotHashesPubkey:        (*Ledger).sysvarSlotHashes,
	solana.SysVarSlotHistoryPubkey:       (*Ledger).sysvarSlotHistory,
	solana.SysVarStakeHistoryPubkey:      (*Ledger).sysvarStakeHistory,
	SysvarLastRestartSlot:                (*Ledger).sysvarLastRestartSlot,
	SysvarEpochRewards:                   (*Ledger).sysvarEpochRewards,
}

// Sysvars lists the addresses of the accounts that the runtime writes.
func Sysvars() []solana.PublicKey { return slices.Collect(maps.Keys(sysvars)) }

// inEachSlot are the sysvars that each bank writes.
var inEachSlot = []solana.PublicKey{
	solana.SysVarClockPubkey, solana.SysVarRecentBlockHashesPubkey, solana.SysVarSlotHashesPubkey,
	solana.SysVarSlotHistoryPubkey,
}

// SysvarsWritten lists the sysvars that the bank of a slot writes: some always, the others when they change.
func (l *Ledger) SysvarsWritten(slot uint64) []solana.PublicKey {
	written, before := slices.Clone(inEachSlot), l.clock.BlockAt(slot-1)
	for key, write := range sysvars {
		if !slices.Contains(inEachSlot, key) && !bytes.Equal(write(l, slot), write(l, before)) {
			written = append(written, key)
		}
	}
	slices.SortFunc(written, byBytes)
	return written
}

// sysvarAt returns a sysvar's account as it was at the end of a slot, nil if the address is of none.
func (l *Ledger) sysvarAt(key solana.PublicKey, slot uint64) *Account {
	write, ok := sysvars[key]
	if !ok {
		return nil
	}
	data := write(l, min(slot, l.Slot()))
	return &Account{Lamports: Rent(len(data)), Owner: SysvarProgram, Data: data}
}

// numbers writes 64-bit numbers.
func numbers(all ...uint64) (b []byte) {
	for _, n := range all {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	return b
}

// firstOf is the first slot of an epoch that has a block.
func (l *Ledger) firstOf(epoch uint64) uint64 {
	slot := epoch * SlotsInEpoch
	for l.clock.BlockAt(slot) != slot {
		slot++
	}
	return slot
}

func (l *Ledger) sysvarClock(slot uint64) []byte {
	epoch := slot / SlotsInEpoch
	begun, now := l.clock.TimeOf(l.firstOf(epoch)), l.clock.TimeOf(slot)
	return numbers(slot, uint64(begun.Unix()), epoch, epoch+1, uint64(now.Unix()))
}

// sysvarEpochSchedule: all epochs are equally long, and leaders are chosen one epoch ahead.
func (l *Ledger) sysvarEpochSchedule(uint64) []byte {
	return append(append(numbers(SlotsInEpoch, SlotsInEpoch), 0), numbers(0, 0)...)
}

// sysvarRecentBlockhashes has the newest first, with the fee of a signature.
func (l *Ledger) sysvarRecentBlockhashes(slot uint64) []byte {
	b := numbers(HashLifetime)
	for range HashLifetime {
		hash := l.BlockhashOf(slot)
		b = append(append(b, hash[:]...), numbers(signatureFee)...)
		slot = l.clock.BlockAt(slot - 1)
	}
	return b
}

func (l *Ledger) sysvarRent(uint64) []byte {
	return append(numbers(rentPerByteYear, math.Float64bits(rentExemptYears)), 50) // percent are burnt
}

// sysvarSlotHashes has the blocks before the slot's own, the newest first.
func (l *Ledger) sysvarSlotHashes(slot uint64) []byte {
	b := numbers(slotHashes)
	for range slotHashes {
		slot = l.clock.BlockAt(slot - 1)
		hash := l.BlockhashOf(slot)
		b = append(append(b, numbers(slot)...), hash[:]...)
	}
	return b
}

// sysvarSlotHistory has a bit for each slot up to this one, at the slot's number modulo their count.
func (l *Ledger) sysvarSlotHistory(slot uint64) []byte {
	bits := make([]byte, SlotHistory/8)
	for s := slot - SlotHistory + 1; s <= slot; s++ {
		if l.clock.BlockAt(s) == s {
			bits[s%SlotHistory/8] |= 1 << (s % 8)
		}
	}
	b := append([]byte{1}, numbers(SlotHistory/64)...) // the bits are there: so many words
	return append(append(b, bits...), numbers(SlotHistory, slot+1)...)
}

// sysvarStakeHistory has the epochs before the slot's own, the newest first.
func (l *Ledger) sysvarStakeHistory(slot uint64) []byte {
	epoch := slot / SlotsInEpoch
	known := min(epoch, stakeHistory)
	b := numbers(known)
	for i := range known {
		b = append(b, numbers(epoch-1-i, Stake, 0, 0)...) // nothing of it comes or goes
	}
	return b
}

// sysvarLastRestartSlot: the cluster has never been restarted.
func (l *Ledger) sysvarLastRestartSlot(uint64) []byte { return numbers(0) }

// sysvarEpochRewards: the block after the epoch's first would distribute rewards; there are none.
func (l *Ledger) sysvarEpochRewards(slot uint64) []byte {
	first := l.firstOf(slot / SlotsInEpoch)
	starts := l.clock.Height(first) + 1
	parent := l.BlockhashOf(l.clock.BlockAt(first - 1))
	b := append(numbers(starts, 1), parent[:]...) // in one part
	b = append(b, numbers(0, 0, 0, 0)...)         // points in 128 bits, rewards, those distributed
	if l.clock.Height(slot) < starts {
		return append(b, 1)
	}
	return append(b, 0)
}
