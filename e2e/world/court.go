package world

import (
	"bytes"
	"slices"
	"time"
)

// Execution is one execution of a client's transaction.
type Execution struct {
	Signature Signature
	Slot      uint64
	Height    uint64
	Time      time.Time // when the block's slot ended
	Err       string    // the error as JSON, empty for success
	Fork      bool      // on a fork that is, or will be, left
	Finalized bool

	// Confirmed reports that a node that sees everything has called the block
	// confirmed by now; on a fork, that the nodes that followed it did, or
	// will before they leave it.
	Confirmed bool
}

func (w *World) report(e *execution, current uint64) Execution {
	return Execution{
		Signature: e.tx.id,
		Slot:      e.on.slot,
		Height:    e.on.height,
		Time:      w.started.Add(time.Duration(w.chain.begins(e.on.slot + 1))),
		Err:       e.err,
		Fork:      e.on.fork,
		Finalized: !e.on.fork && e.on.slot <= w.chain.rooted(current-1),
		Confirmed: w.confirmed(e.on, current),
	}
}

// confirmed reports whether a block was called confirmed.
func (w *World) confirmed(b bank, current uint64) bool {
	if !b.fork {
		return b.slot+w.chain.confirm < current
	}
	s := w.chain.at(b.slot)
	left := b.slot - b.slot%spanLen + uint64(s.forkLeft)
	return s.confirmed && b.slot+w.chain.confirm < left &&
		slices.ContainsFunc(w.nodes, func(n *Node) bool { return n.follows(b.slot) })
}

// Executions returns what executed on the surviving chain by now, in order.
func (w *World) Executions() []Execution {
	current := w.enter()
	defer w.mu.Unlock()
	out := make([]Execution, 0, len(w.landed))
	for _, e := range w.landed {
		out = append(out, w.report(e, current))
	}
	return out
}

// Executed returns how a transaction executed on the surviving chain, under
// this signature or another of the same message.
func (w *World) Executed(s Signature) (Execution, bool) {
	current := w.enter()
	defer w.mu.Unlock()
	if t := w.txs[s]; t != nil && t.main != nil {
		return w.report(t.main, current), true
	}
	return Execution{}, false
}

// Undone returns the executions of a transaction on forks that are, or will
// be, left.
func (w *World) Undone(s Signature) []Execution {
	current := w.enter()
	defer w.mu.Unlock()
	t := w.txs[s]
	if t == nil {
		return nil
	}
	out := make([]Execution, 0, len(t.forks))
	for _, e := range t.forks {
		out = append(out, w.report(e, current))
	}
	return out
}

// Tip returns the newest block of the surviving chain.
func (w *World) Tip() (slot, height uint64) {
	b := w.chain.lastMain(w.enter() - 1)
	w.mu.Unlock()
	return b.slot, b.height
}

// Finalized returns the true finalized head.
func (w *World) Finalized() (slot, height uint64) {
	b := w.chain.lastMain(w.chain.rooted(w.enter() - 1))
	w.mu.Unlock()
	return b.slot, b.height
}

// Height returns the height of the surviving chain's block in a slot, if it
// has one by now.
func (w *World) Height(slot uint64) (height uint64, ok bool) {
	current := w.enter()
	defer w.mu.Unlock()
	if slot < w.chain.base || slot >= current {
		return 0, false
	}
	b, ok := w.chain.main(slot)
	return b.height, ok
}

// LastHeight returns the height of the last block in which a transaction
// with this blockhash can execute, if the surviving chain has the blockhash.
func (w *World) LastHeight(h Hash) (uint64, bool) {
	current := w.enter()
	defer w.mu.Unlock()
	slot, ok := w.chain.slotOf(h)
	if !ok || !w.chain.holds(slot, current) {
		return 0, false
	}
	b, ok := w.chain.main(slot)
	return w.ages.last(b.height), ok
}

// Dead reports whether a transaction that was sent has not executed on the
// surviving chain and can never do so, whatever is sent from now on. It is
// false for a signature that the world has never seen.
func (w *World) Dead(s Signature) bool {
	current := w.enter()
	defer w.mu.Unlock()
	t := w.txs[s]
	return t != nil && w.dead(t, current)
}

// Pending reports whether a node or leader holds a transaction and may yet put
// it into a block without anybody sending it again.
func (w *World) Pending(s Signature) bool {
	current := w.enter()
	defer w.mu.Unlock()
	t := w.txs[s]
	return t != nil && t.main == nil && t.planned > 0 && !w.dead(t, current)
}

// Alive returns the transactions that were sent, have not executed on the
// surviving chain and could still do so, sorted. It looks at all of them.
func (w *World) Alive() []Signature {
	current := w.enter()
	defer w.mu.Unlock()
	var alive []Signature
	for s, t := range w.txs {
		if t.main == nil && !w.dead(t, current) {
			alive = append(alive, s)
		}
	}
	slices.SortFunc(alive, func(a, b Signature) int { return bytes.Compare(a[:], b[:]) })
	return alive
}

// DeadBytes is [World.Dead] for a transaction that may not have been sent.
func (w *World) DeadBytes(raw []byte) (bool, error) {
	current := w.enter()
	defer w.mu.Unlock()
	known := w.txs[signatureIn(raw)] != nil
	t, err := w.learn(raw)
	if err != nil {
		return false, err
	}
	if !known {
		delete(w.txs, t.id)
	}
	return w.dead(t, current), nil
}

// signatureIn returns the first signature of a transaction.
func signatureIn(raw []byte) Signature {
	var s Signature
	if len(raw) > 64 {
		copy(s[:], raw[1:65])
	}
	return s
}

// dead compares a transaction with the next block of the surviving chain.
func (w *World) dead(t *transaction, current uint64) bool {
	if t.main != nil {
		return false
	}
	tip := w.chain.lastMain(current - 1)
	if t.lives && !t.born.fork && tip.height < t.last {
		return false
	}
	k, _, ok := t.nonce()
	if !ok || w.nonces[k] == nil {
		return true
	}
	return w.nonces[k].at(w.chain, tip) != t.blockhash
}

// Seen reports whether any node was sent the transaction, or it was leaked.
func (w *World) Seen(s Signature) bool {
	w.enter()
	defer w.mu.Unlock()
	return w.txs[s] != nil
}

// Balance returns the lamports of an account at the tip of the surviving
// chain.
func (w *World) Balance(k Key) uint64 {
	current := w.enter()
	defer w.mu.Unlock()
	return w.lamports(k, w.chain.lastMain(current-1))
}

// NonceValue returns the value of a nonce account at the tip of the
// surviving chain.
func (w *World) NonceValue(k Key) (Hash, bool) {
	current := w.enter()
	defer w.mu.Unlock()
	n := w.nonces[k]
	if n == nil {
		return Hash{}, false
	}
	return n.at(w.chain, w.chain.lastMain(current-1)), true
}
