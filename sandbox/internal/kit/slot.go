package kit

// FirstSlot is the slot in which the sandbox starts.
const FirstSlot = 320_000_000

// Finality is how many slots it takes until a transaction cannot be undone.
const Finality = 32

// CurrentSlot returns the current slot.
func (s *Core) CurrentSlot() uint64 {
	return FirstSlot + uint64(s.Now().Sub(s.Start)/s.Config.SlotTime)
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
