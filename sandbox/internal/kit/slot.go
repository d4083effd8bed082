package kit

import "time"

// FirstSlot is the slot in which the sandbox starts.
const FirstSlot = 320_000_000

// Finality is how many slots it takes until a transaction cannot be undone.
const Finality = 32

// hashLifetime is how many blocks a blockhash can be used for.
const hashLifetime = 150

// Expiry is how long a built transaction is remembered, by the sandbox's clock:
// while its blockhash can land, and nearly as long again for those who simulate
// it on another blockhash.
func (s *Core) Expiry() time.Duration { return (2*hashLifetime - 10) * s.Config.SlotTime }

// CurrentSlot returns the newest slot with a block.
func (s *Core) CurrentSlot() uint64 {
	return s.BlockAt(FirstSlot + uint64(s.Now().Sub(s.Start)/s.Config.SlotTime))
}

// BlockAt is the newest slot up to this one that has a block.
func (s *Core) BlockAt(slot uint64) uint64 {
	if n := s.Config.Network; n != nil && n.SkipEvery > 1 && slot > FirstSlot && slot%n.SkipEvery == 0 {
		return slot - 1
	}
	return slot
}

// BlockFrom is the oldest slot from this one on that has a block.
func (s *Core) BlockFrom(slot uint64) uint64 { return slot + (slot - s.BlockAt(slot)) }

// Height is the block height of a slot. Before FirstSlot many were skipped, so that
// confusing slots and heights fails.
func (s *Core) Height(slot uint64) uint64 {
	height := slot - 21_000_000
	if n := s.Config.Network; n != nil && n.SkipEvery > 1 && slot > FirstSlot {
		height -= slot/n.SkipEvery - FirstSlot/n.SkipEvery
	}
	return height
}

// TimeOf returns when a slot begins.
func (s *Core) TimeOf(slot uint64) time.Time {
	return s.Start.Add(time.Duration(int64(slot)-FirstSlot) * s.Config.SlotTime)
}

// Lag is how many slots it takes to reach a commitment.
func (s *Core) Lag(commitment string) uint64 {
	if s.Config.InstantConfirmation {
		return 0
	}
	switch commitment {
	case "processed":
		return 0
	case "confirmed":
		return 1
	}
	return Finality
}
