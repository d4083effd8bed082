package world

import "time"

// Span is a stretch of time.
type Span struct{ From, To time.Time }

// lesson is what a client must have learned of a transaction's window to prove
// that nothing executed in it. A node that has pruned its store can no longer
// teach it.
type lesson struct {
	end bool // where it ends: the blockhash seen valid, or the block that it is the hash of
	low bool // a witness from where it begins, or before
}

// learns tells what a client can learn through an endpoint if it asks at every
// moment of the given times. Of several nodes one is enough: a client that asks
// again comes to it.
func (w *World) learns(e *Endpoint, t *transaction, asked []Span, until int64) (l lesson) {
	heads, stores := e.cfg.Nodes, e.cfg.Nodes
	if e.cfg.Balance == BalanceByMethod {
		heads, stores = heads[:1], stores[len(stores)-1:]
	}
	for _, s := range asked {
		from, to := w.arrivals(s)
		for at := from; at <= min(to, until); at = w.chain.begins(w.chain.slotAt(at) + 1) {
			for _, i := range heads {
				v := w.nodes[i].view(at)
				l.end = l.end || w.valid(t, v.tip) || w.valid(t, v.confirmed)
			}
			for _, i := range stores {
				w.nodes[i].teach(&l, t, at)
			}
			if l.end && l.low {
				return l
			}
		}
	}
	return l
}

// arrivals are the first and the last moment at which a request can reach a node
// that is made and answered in a span, however long it takes.
func (w *World) arrivals(s Span) (from, to int64) {
	way := int64(w.cfg.LatencyMax / 2)
	return int64(s.From.Sub(w.started)) + way, int64(s.To.Sub(w.started)) - way
}

// valid is what isBlockhashValid says at a bank. True bounds where the window
// ends, on a fork too: the blockhash's slot is not after the bank's.
func (w *World) valid(t *transaction, b bank) bool {
	return w.chain.contains(b, t.born.slot) && w.ages.valid(t.born.height, b.height)
}

// teach adds what the node's store shows at a moment: the header of the
// blockhash's block, or of the next one, if that is the first that was not cleaned
// up, as it names the hash before it; and a block with transactions not after it.
func (n *Node) teach(l *lesson, t *transaction, at int64) {
	v, c := n.view(at), n.w.chain
	l.end = l.end || n.header(&v, t.born) ||
		n.lacks(&v, t.born.slot) == tooOld && n.header(&v, c.atHeight(t.born.height+1))
	b := t.born
	for b.slot > v.final.slot {
		b = c.parent(b)
	}
	floor := max(n.floor(&v), c.base+spanLen)
	for ; !l.low && b.slot >= floor && b.height+v.recent >= t.last; b = c.parent(b) {
		l.low = n.speaks(&v, b)
	}
}

// header reports whether the node gives the header of a finalized block.
func (n *Node) header(v *view, b bank) bool {
	if b.slot > v.final.slot || n.crooked(b.slot) {
		return false
	}
	lack := n.lacks(v, b.slot)
	return lack == present || lack == hollow
}
