package world

import (
	"errors"
	"slices"
)

// trial is what transactions of a bundle did that is on trial: it lies over
// the ledger until all of the bundle is known to succeed.
type trial struct {
	lamports map[Key]uint64
	nonces   map[*nonceAccount]Hash
}

// LeakBundle gives signed transactions to the leaders, to be executed in one
// block, in order, all with success, or not at all. It is tried in each block
// of the surviving chain until one takes it or one of them is dead.
func (w *World) LeakBundle(raws [][]byte) error {
	current := w.enter()
	defer w.mu.Unlock()
	var bundle []*transaction
	for _, raw := range raws {
		t, err := w.learn(raw)
		if err != nil {
			return err
		}
		again := slices.ContainsFunc(bundle, func(other *transaction) bool { return other.fate == t.fate })
		if again || !w.genuine(t) {
			return errors.New("signature does not verify, or is in the bundle twice")
		}
		bundle = append(bundle, t)
	}
	if len(bundle) == 0 {
		return errors.New("empty bundle")
	}
	if w.trace != nil {
		for _, t := range bundle {
			w.trace.add(w.now(), "leaked in a bundle "+short(t.id), t.id)
		}
	}
	w.planBundle(bundle, current)
	return nil
}

func (w *World) planBundle(bundle []*transaction, slot uint64) {
	for _, t := range bundle {
		t.planned++
	}
	order := draw(w.cfg.Seed, forOrder, bundle[0].id.id(), slot)
	w.agenda.push(event{slot: slot, order: order, bundle: bundle})
}

// tryBundle offers a bundle to the leader of a slot.
func (w *World) tryBundle(bundle []*transaction, slot uint64) {
	for _, t := range bundle {
		t.planned--
	}
	on, ok := w.chain.main(slot)
	if !ok {
		w.planBundle(bundle, slot+1)
		return
	}
	if slices.ContainsFunc(bundle, func(t *transaction) bool { return w.dead(t, slot) || t.main != nil }) {
		return
	}
	parent := w.chain.parent(on)
	if w.held(bundle[0], on) || !w.allSucceed(bundle, parent, on) {
		w.planBundle(bundle, slot+1)
		return
	}
	for _, t := range bundle {
		w.execute(t, parent, on)
	}
}

// allSucceed tries a bundle in a block.
func (w *World) allSucceed(bundle []*transaction, parent, on bank) bool {
	w.trial = trial{make(map[Key]uint64), make(map[*nonceAccount]Hash)}
	defer func() { w.trial = trial{} }()
	for _, t := range bundle {
		if w.check(t, parent, on) != "" {
			return false
		}
		e := w.run(t, parent, on)
		if e.err != "" {
			return false
		}
		for i, k := range t.keys {
			w.trial.lamports[k] = e.after[i]
		}
		if e.nonce != nil {
			w.trial.nonces[e.nonce] = e.value
		}
	}
	return true
}
