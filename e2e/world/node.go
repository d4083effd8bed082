package world

import "math/bits"

// healthDistance is how many slots a node may lag the cluster and call
// itself healthy.
const healthDistance = 128

// Node is a validator that serves RPC. Nodes keep nothing: what one knows is
// the chain as it was when seen from its place.
type Node struct {
	w     *World
	cfg   NodeConfig
	index int
	seed  uint64
}

// view is what a node sees at a moment.
type view struct {
	clock     uint64 // the slot that is being produced
	newest    uint64 // the newest slot the node has seen
	tip       bank   // its processed bank
	confirmed bank
	final     bank
	recent    uint64 // how many rooted blocks the status cache holds
}

// view returns what the node sees at a time.
func (n *Node) view(t int64) view {
	c := n.w.chain
	v := view{clock: c.slotAt(t), recent: uint64(c.cfg.StatusCache)}
	v.newest = v.clock - 1 - min(n.lag(v.clock), v.clock-1-c.base-spanLen)
	n.look(&v)
	return v
}

// look fills in the banks for the newest slot.
func (n *Node) look(v *view) {
	c := n.w.chain
	v.final = c.lastMain(c.rooted(v.newest))
	v.tip = c.lastMain(v.newest)
	v.confirmed = c.lastMain(v.newest - c.confirm)
	if fork, ok := c.forked(v.newest); ok && n.follows(v.newest) {
		v.tip = fork
		start := v.newest - v.newest%spanLen + uint64(c.at(v.newest).forkAt)
		v.final = c.lastMain(c.rooted(start))
		v.confirmed = c.lastMain(min(v.newest-c.confirm, start-1))
		if older, ok := c.forked(v.newest - c.confirm); ok && c.at(v.newest).confirmed {
			v.confirmed = older
		}
	}
	if v.confirmed.slot < v.final.slot {
		v.confirmed = v.final
	}
}

// follows reports whether the node is among those who follow a fork in the
// span of a slot.
func (n *Node) follows(slot uint64) bool {
	return chance(n.cfg.Fork, draw(n.seed, forFollow, slot/spanLen))
}

// lag returns how many slots the node lags. Apart from restarts, what it
// sees never goes back.
func (n *Node) lag(clock uint64) uint64 {
	lag := uint64(n.cfg.Lag)
	if spread := n.cfg.LagMax - n.cfg.Lag; spread > 0 {
		period := uint64(2*spread + 32)
		at, off := clock/period, int64(clock%period)
		from := int64(draw(n.seed, forLag, at) % uint64(spread+1))
		to := int64(draw(n.seed, forLag, at+1) % uint64(spread+1))
		lag += uint64(from + (to-from)*off/int64(period))
	}
	if n.cfg.Jitter > 0 {
		lag += (clock - lag + n.seed%64) % uint64(n.cfg.Jitter+1)
	}
	if at, snapshot, ok := n.restart(clock); ok {
		behind, caught := at-snapshot, 4*(clock-at)
		if caught < behind {
			lag = max(lag, behind-caught)
		}
	}
	return lag
}

// restart returns when the node was last restarted, and from a snapshot of
// which slot.
func (n *Node) restart(clock uint64) (at, snapshot uint64, ok bool) {
	every := uint64(n.cfg.Gaps.SnapshotEvery)
	if every == 0 {
		return 0, 0, false
	}
	period := clock / every
	at = n.restartIn(period, every)
	if at > clock {
		at = n.restartIn(period-1, every)
	}
	return at, at - 50 - draw(n.seed, forRestart, at)%350, true
}

func (n *Node) restartIn(period, every uint64) uint64 {
	return period*every + draw(n.seed, forRestart, period)%(every/2+1)
}

// cached reports whether the status cache of a node that sees v still has what
// happened in a block of its bank's.
func (v *view) cached(b bank) bool { return b.height+v.recent > v.final.height }

// floor returns the oldest slot of the node's store.
func (n *Node) floor(v *view) uint64 {
	lowest := n.w.chain.base + spanLen
	if _, snapshot, ok := n.restart(v.clock); ok {
		lowest = max(lowest, snapshot+1)
	}
	if keep := uint64(n.cfg.Gaps.Keep); keep > 0 {
		lowest = max(lowest, v.final.slot-min(keep, v.final.slot))
	}
	return lowest
}

// absence says why a store lacks a slot.
type absence int

const (
	present absence = iota
	tooOld
	hole
	hollow // the block is there, its transactions are not
	notArchived
)

// lacks says whether the node's store has the blocks of a slot, and the
// statuses in it. It says nothing of what the status cache has.
func (n *Node) lacks(v *view, slot uint64) absence {
	g := &n.cfg.Gaps
	if slot < n.floor(v) {
		return tooOld
	}
	width := g.HoleSpan
	if width == 0 {
		width = 16
	}
	if chance(g.HoleRate, draw(n.seed, forHole, slot/uint64(width))) {
		return hole
	}
	if chance(g.Hollow, draw(n.seed, forHollow, slot/uint64(width))) {
		return hollow
	}
	if g.ArchiveLag > 0 && slot+uint64(g.ArchiveLag) > v.newest && !v.cached(n.w.chain.lastMain(slot)) {
		return notArchived
	}
	return present
}

// behind is the number of slots by which the node trails the cluster.
func (v *view) behind() uint64 { return v.clock - 1 - v.newest }

// at returns the bank of a commitment.
func (v *view) at(level commitment) bank {
	switch level {
	case processed:
		return v.tip
	case confirmed:
		return v.confirmed
	}
	return v.final
}

// commitment is a commitment level.
type commitment int

const (
	finalized commitment = iota
	confirmed
	processed
)

// confirmations is how many blocks were built on b, as far as it matters.
func (v *view) confirmations(b bank) uint64 {
	return min(v.tip.height-min(b.height, v.tip.height), 31)
}

// blocks lists the slots from first to last that have a block of b's chain.
func (c *chain) blocks(b bank, first, last uint64, out []uint64) []uint64 {
	first, last = max(first, c.base), min(last, b.slot)
	stop := last
	if b.fork {
		stop = min(last, c.forkRoot(b.slot).slot)
	}
	for at := first; at <= stop; at = at - at%spanLen + spanLen {
		mask := c.at(at).main >> (at % spanLen) << (at % spanLen)
		for ; mask != 0; mask &= mask - 1 {
			slot := at - at%spanLen + uint64(bits.TrailingZeros64(mask))
			if slot > stop {
				break
			}
			out = append(out, slot)
		}
	}
	for at := stop + 1; at <= last; at++ {
		if at >= first && c.contains(b, at) {
			out = append(out, at)
		}
	}
	return out
}
