package kit

import (
	"strconv"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// NodeCount is how many nodes the cluster has.
func (s *Core) NodeCount() int {
	if s.Config.Network == nil {
		return 1
	}
	return max(1, len(s.Config.Network.Nodes))
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

// Relay carries bytes to a leader, with the network's chance, who then lands
// them. If nodes send again on their own, so does this one until over.
func (s *Core) Relay(land func(), over func() bool) {
	n := s.Config.Network
	reach := n.Reach
	if reach == 0 {
		reach = 1
	}
	if float64(s.Random()>>11)/(1<<53) < reach {
		// The leader puts it into the block after the one that it is at.
		slot := s.Config.SlotTime
		into := s.Now().Sub(s.Start) % slot
		s.After(2*slot-into, land)
	}
	if !n.Resends {
		return
	}
	s.After(resendEvery, func() {
		if !over() {
			s.Relay(land, over)
		}
	})
}

const resendEvery = 2 * time.Second
