package world

import (
	"errors"
	"slices"
)

// Errors of transactions that no block takes, as JSON.
const (
	errProcessed    = `"AlreadyProcessed"`
	errBlockhash    = `"BlockhashNotFound"`
	errNoAccount    = `"AccountNotFound"`
	errFunds        = `"InsufficientFundsForFee"`
	errSignature    = `"SignatureFailure"`
	errUnknownTable = `"AddressLookupTableNotFound"`
)

// check says whether a block on top of parent would take the transaction: the
// error is empty, or one of the above. The block itself is on; for a preflight
// it is the parent again.
func (w *World) check(t *transaction, parent, on bank) string {
	if t.lookups > 0 {
		return errUnknownTable
	}
	if !w.fresh(t, parent, on) && !w.freshNonce(t, parent, on) {
		return errBlockhash
	}
	if t.in(w.chain, on) != nil {
		return errProcessed
	}
	switch held := w.lamports(t.keys[0], on); {
	case held == 0:
		return errNoAccount
	case held < t.fee():
		return errFunds
	}
	return ""
}

// fresh reports whether parent's blockhash queue holds the blockhash, with
// some time to spare if this is a simulation.
func (w *World) fresh(t *transaction, parent, on bank) bool {
	if !t.lives || !w.chain.contains(parent, t.born.slot) {
		return false
	}
	if on == parent {
		return w.ages.simulates(t.born.height, on.height)
	}
	return w.ages.accepts(t.born.height, on.height)
}

// freshNonce reports whether the blockhash is the value of the nonce account
// that the transaction advances first, and may be advanced in this block.
func (w *World) freshNonce(t *transaction, parent, on bank) bool {
	k, authority, ok := t.nonce()
	if !ok {
		return false
	}
	n := w.nonces[k]
	if n == nil || authority >= t.signers || t.keys[authority] != n.authority {
		return false
	}
	return w.nonceAt(n, on) == t.blockhash && t.blockhash != w.chain.nextNonce(parent)
}

// run computes what a transaction that passed the check does in a block.
func (w *World) run(t *transaction, parent, on bank) effects {
	e := effects{before: make([]uint64, len(t.keys), 2*len(t.keys))}
	for i, k := range t.keys {
		e.before[i] = w.lamports(k, on)
	}
	e.after = append(e.before[len(t.keys):], e.before...)
	e.after[0] -= t.fee()
	kept := e
	if !w.fresh(t, parent, on) {
		k, _, _ := t.nonce()
		kept.nonce, kept.value = w.nonces[k], w.chain.nextNonce(parent)
		e.nonce, e.value = kept.nonce, kept.value
	}
	e.after = append([]uint64(nil), e.after...)
	for i := range t.steps {
		if e.err = e.call(w, t.message, i, on); e.err != "" {
			kept.err = e.err
			return kept // a failure undoes all but the fee and the nonce
		}
	}
	return e
}

// execute puts a transaction into a block and keeps what it did.
func (w *World) execute(t *transaction, parent, on bank) *execution {
	e := w.run(t, parent, on)
	if on.fork && e.err == "" && chance(w.cfg.Cluster.ForkFails, draw(w.cfg.Seed, forForkFail, t.id.id(), on.slot)) {
		e = w.fail(t, e)
	}
	done := &execution{tx: t, on: on, err: e.err, fee: t.fee(), before: e.before, after: e.after}
	for i, k := range t.keys {
		if e.before[i] != e.after[i] {
			w.account(k).set(on, e.after[i])
		}
	}
	if e.nonce != nil {
		e.nonce.set(on, e.value)
	}
	w.keep(done)
	return done
}

// fail turns a success into the failure of the last instruction, as if the
// fork's state were another.
func (w *World) fail(t *transaction, e effects) effects {
	copy(e.after, e.before)
	e.after[0] -= t.fee()
	e.err = failed(len(t.steps)-1, `{"Custom":1}`)
	if k, _, ok := t.nonce(); !ok || w.nonces[k] != e.nonce || t.lives {
		e.nonce = nil
	}
	return e
}

// keep files an execution under its transaction, block and accounts.
func (w *World) keep(done *execution) {
	t := done.tx
	if n := len(w.blocks); n == 0 || w.blocks[n-1].slot != done.on.slot {
		w.blocks = append(w.blocks, filled{slot: done.on.slot})
	}
	b := &w.blocks[len(w.blocks)-1]
	done.inBlock = len(b.done)
	b.done = append(b.done, done)
	if t.main == nil && len(t.forks) == 0 {
		for _, k := range t.keys {
			if !isProgram(k) {
				a := w.account(k)
				a.named = append(a.named, t)
			}
		}
	}
	if done.on.fork {
		t.forks = append(t.forks, done)
	} else {
		t.main = done
		w.landed = append(w.landed, done)
	}
	if w.trace != nil {
		w.traceExecution(done)
	}
}

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
