package world

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
