package kit

import (
	"strconv"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/snapshot"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// NodeCount is how many nodes the cluster has.
func (s *Core) NodeCount() int { return NodesOf(s.Config) }

// NodesOf is how many nodes the cluster of a configuration has.
func NodesOf(c play.Config) int {
	if c.Network == nil {
		return 1
	}
	return max(1, len(c.Network.Nodes))
}

// NodeName is the name of a node's listener.
func NodeName(i int) string {
	if i == 0 {
		return ""
	}
	return "node " + strconv.Itoa(i)
}

// NodeAt says how node i behaves, its lag with the network's.
func (s *Core) NodeAt(i int) (n play.Node) {
	network := s.Config.Network
	if network == nil {
		return n
	}
	if i < len(network.Nodes) {
		n = network.Nodes[i]
	}
	n.Lag += network.Lag
	return n
}

// Deepest is how many slots back a node can be asked for an account: at finalized,
// the one that lags most.
func (s *Core) Deepest() (slots uint64) {
	for i := range s.NodeCount() {
		slots = max(slots, s.NodeAt(i).Lag)
	}
	return slots + s.Lag("finalized")
}

// Parcel is carried by Relay.
type Parcel interface {
	// Land hands it over.
	Land()
	// Over reports that it need not be sent again.
	Over() bool
}

// landing and resending are what becomes of a parcel.
type (
	landing   struct{ Parcel }
	resending struct {
		core   *Core
		parcel Parcel
	}
)

var _ = snapshot.Keep(landing{}, resending{})

// Happen hands the parcel to the leader.
func (l landing) Happen() { l.Land() }

// Happen sends the parcel again.
func (r resending) Happen() {
	if !r.parcel.Over() {
		r.core.Relay(r.parcel)
	}
}

// Relay carries a parcel to a leader, with the network's chance, who then lands
// it. If nodes send again on their own, so does this one until it is over.
func (s *Core) Relay(p Parcel) {
	n := s.Config.Network
	reach := n.Reach
	if reach == 0 {
		reach = 1
	}
	if float64(s.Random()>>11)/(1<<53) < reach {
		// The leader puts it into the block after the one that it is at.
		slot := s.Config.SlotTime
		into := s.Now().Sub(s.Start) % slot
		s.After(2*slot-into, landing{p})
	}
	if n.Resends {
		s.After(resendEvery, resending{s, p})
	}
}

const resendEvery = 2 * time.Second

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
