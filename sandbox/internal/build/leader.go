package build

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/snapshot"
)

// waiting is a transaction that a leader has and that is in no block yet.
type waiting struct {
	raw       []byte
	signature solana.Signature
	bid       ledger.Bid
	until     uint64 // the leader's last slot for it
}

// mostAsked is for how many slots LeastPrice answers.
const mostAsked = 100_000

// leaderSlots is how many slots a leader has one after another.
const leaderSlots = 4

// Take gives a transaction to the leader of the slot: it lands at once, or as soon
// as the market has room for it. If it cannot land, nothing tells.
func (s *Chain) Take(raw []byte) {
	if s.fees == nil {
		s.Submit(raw)
		return
	}
	signature, bid, err := s.Bid(raw)
	if err != nil {
		return
	}
	until := s.slotNow() + leaderSlots - 1
	for i, w := range s.queue {
		if w.signature == signature {
			s.queue[i].until = until
			return
		}
	}
	if s.queue = append(s.queue, waiting{raw, signature, bid, until}); len(s.queue) == 1 {
		s.planBlock()
	}
}

// slotNow is the slot that it is, whether or not it has a block.
func (s *Chain) slotNow() uint64 {
	slot := s.CurrentSlot()
	for !s.TimeOf(slot + 1).After(s.Now()) {
		slot++
	}
	return slot
}

// planBlock packs a block in the middle of the next slot whose middle is to come: what
// comes in during a slot competes for the same block.
func (s *Chain) planBlock() {
	at := s.TimeOf(s.slotNow()).Add(s.Config.SlotTime / 2)
	if !at.After(s.Now()) {
		at = at.Add(s.Config.SlotTime)
	}
	s.At(at, packing{s})
}

// packing is when a block is packed.
type packing struct{ *Chain }

var _ = snapshot.Keep(packing{})

// Happen packs the block.
func (p packing) Happen() { p.pack() }

// pack lands what reaches, the highest price first, and drops what has waited too long.
func (s *Chain) pack() {
	slot := s.slotNow()
	hasBlock := s.BlockAt(slot) == slot
	slices.SortStableFunc(s.queue, func(a, b waiting) int { return cmp.Compare(b.bid.Price, a.bid.Price) })
	in, left := s.bidsIn(slot), []waiting(nil)
	for _, w := range s.queue {
		if hasBlock {
			if least, ok := s.fees.least(slot, in, w.bid); ok && w.bid.Price >= least {
				if _, err := s.Submit(w.raw); err == nil {
					in = append(in, w.bid)
				}
				continue
			}
		}
		if slot < w.until {
			left = append(left, w)
		}
	}
	if s.queue = left; len(left) > 0 {
		s.planBlock()
	}
}

// bidsIn are the bids of what landed in a slot.
func (s *Chain) bidsIn(slot uint64) (bids []ledger.Bid) {
	for _, r := range s.Block(slot) {
		if r.Bid.Units > 0 {
			bids = append(bids, r.Bid)
		}
	}
	return bids
}

// RecentFee is the answer for a block in getRecentPrioritizationFees.
func (s *Chain) RecentFee(slot uint64, accounts []solana.PublicKey) uint64 {
	return s.fees.recent(slot, s.bidsIn(slot), accounts)
}

// LeastPrice does what sandbox.LedgerHandle.LeastPrice says.
func (s *Chain) LeastPrice(writable []string, units, from, to uint64) (uint64, error) {
	if to < from || to-from >= mostAsked {
		return 0, fmt.Errorf("sandbox: slots %d to %d are not 1 to %d slots", from, to, mostAsked)
	}
	want := ledger.Bid{Units: units}
	for _, text := range writable {
		key, err := solana.PublicKeyFromBase58(text)
		if err != nil {
			return 0, fmt.Errorf("sandbox: %q is no address", text)
		}
		want.Writable = append(want.Writable, key)
	}
	s.Lock()
	defer s.Unlock()
	if s.fees == nil {
		return 0, nil
	}
	least := uint64(math.MaxUint64)
	for i := range to - from + 1 {
		slot := from + i
		if price, ok := s.fees.least(slot, nil, want); ok && s.BlockAt(slot) == slot {
			least = min(least, price)
		}
	}
	if least == math.MaxUint64 {
		return 0, fmt.Errorf("sandbox: no block of slots %d to %d has room for %d units", from, to, units)
	}
	return least, nil
}
