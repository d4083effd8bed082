package world

// event is the try of a leader to put a transaction into the block of a slot,
// or its first arrival there.
type event struct {
	slot    uint64
	order   uint64
	tx      *transaction
	arrival bool
	bundle  []*transaction // in place of tx
}

func (e *event) before(o *event) bool {
	if e.slot != o.slot {
		return e.slot < o.slot
	}
	return e.order < o.order
}

// agenda is a heap of events by slot and, within one, by a drawn order.
type agenda []event

func (a *agenda) push(e event) {
	h := append(*a, e)
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if !h[i].before(&h[up]) {
			break
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
	*a = h
}

func (a *agenda) pop() event {
	h := *a
	first := h[0]
	last := len(h) - 1
	h[0] = h[last]
	h[last] = event{}
	h = h[:last]
	for i := 0; ; {
		down := 2*i + 1
		if down >= last {
			break
		}
		if down+1 < last && h[down+1].before(&h[down]) {
			down++
		}
		if !h[down].before(&h[i]) {
			break
		}
		h[i], h[down] = h[down], h[i]
		i = down
	}
	*a = h
	return first
}

// advance executes what falls into the blocks that are complete by now, and
// returns the slot that is being produced. Slots without a pending transaction
// cost nothing.
func (w *World) advance(now int64) uint64 {
	current := w.chain.slotAt(now)
	for len(w.agenda) > 0 && w.agenda[0].slot < current {
		switch e := w.agenda.pop(); {
		case e.bundle != nil:
			w.tryBundle(e.bundle, e.slot)
		case e.arrival:
			e.tx.planned--
			w.arrive(e.tx, e.slot)
		default:
			e.tx.planned--
			w.try(e.tx, e.slot)
		}
	}
	return current
}

func (w *World) plan(t *transaction, slot uint64, arrival bool) {
	order := draw(w.cfg.Seed, forOrder, t.id.id(), slot)
	t.planned++
	w.agenda.push(event{slot: slot, order: order, tx: t, arrival: arrival})
}

// send is a node sending a transaction on, in a slot, and then again each
// five slots. Each time it may be lost.
func (w *World) send(t *transaction, node, slot uint64, again int) {
	for i := range uint64(min(max(again, 0), 32) + 1) {
		t.sends++
		h := draw(w.cfg.Seed, forReach, t.id.id(), node, t.sends)
		if chance(w.cfg.Landing.Loss, h) {
			continue
		}
		delay := between(0, w.cfg.Landing.DelayMax, draw(w.cfg.Seed, forDelay, t.id.id(), t.sends))
		w.plan(t, slot+5*i+uint64(delay), true)
		if w.cfg.Landing.Drop == 0 {
			return // it will be kept
		}
	}
}

// arrive queues a transaction at the leaders, unless it is queued.
func (w *World) arrive(t *transaction, slot uint64) {
	if t.queued || t.main != nil {
		return
	}
	t.queued = true
	w.postpone(t, slot)
	if t.notUntil > slot {
		w.plan(t, t.notUntil, false)
		return
	}
	w.try(t, slot)
}

// postpone chooses, once, whether a transaction is tried only in one of its
// last blocks.
func (w *World) postpone(t *transaction, slot uint64) {
	if t.late || !chance(w.cfg.Landing.Late, draw(w.cfg.Seed, forLate, t.id.id())) {
		return
	}
	t.late = true
	h := draw(w.cfg.Seed, forLateBlock, t.id.id())
	if t.lives && !t.born.fork {
		before := uint64(between(0, w.cfg.Landing.LateSpan-1, h))
		t.notUntil = w.chain.atHeight(t.last - before).slot
	} else if !t.lives {
		t.notUntil = slot + uint64(between(100, 3000, h))
	}
}

// try offers a transaction to the leader of a slot.
func (w *World) try(t *transaction, slot uint64) {
	on, ok := w.chain.block(slot)
	if !ok {
		w.plan(t, slot+1, false)
		return
	}
	if !w.take(t, on) {
		t.queued = false
		return
	}
	w.plan(t, slot+1, false)
}

// take lets a block take a transaction or not, and reports whether a later
// leader will be offered it.
func (w *World) take(t *transaction, on bank) bool {
	if t.main != nil {
		return false
	}
	parent := w.chain.parent(on)
	refused := w.check(t, parent, on)
	if on.fork {
		if refused != "" || w.held(t, on) {
			return true
		}
		w.execute(t, parent, on)
		lost := chance(w.cfg.Cluster.ForkLost, draw(w.cfg.Seed, forCarry, t.id.id(), on.slot))
		return !lost
	}
	if refused != "" {
		return w.mayRecover(t, on, refused)
	}
	if w.held(t, on) {
		return !chance(w.cfg.Landing.Drop, draw(w.cfg.Seed, forDrop, t.id.id(), on.slot))
	}
	w.execute(t, parent, on)
	return false
}

// held reports whether a leader leaves a transaction for later.
func (w *World) held(t *transaction, on bank) bool {
	if t.late {
		return false
	}
	return chance(min(w.cfg.Landing.Hold, 0.995), draw(w.cfg.Seed, forHold, t.id.id(), on.slot))
}

// mayRecover reports whether a leader keeps a transaction that the block on
// the surviving chain refused: its blockhash may be from a fork that leaders
// still build on, or its payer may yet be paid.
func (w *World) mayRecover(t *transaction, on bank, refused string) bool {
	switch refused {
	case errFunds, errNoAccount:
		return t.lives && on.height < t.last
	case errBlockhash:
		return t.lives && t.born.fork && on.slot/spanLen == t.born.slot/spanLen
	}
	return false
}
