package world

import "strconv"

// mostSignatures is how many signatures one call returns at most.
const mostSignatures = 1000

func (c *call) getSignaturesForAddress() *rpcError {
	var k Key
	if err := key58(k[:], c.param(0)); err != nil {
		return err
	}
	if stop, err := c.history(); stop {
		return err
	}
	cfg := c.param(1)
	level, err := c.settled(cfg)
	if err != nil {
		return err
	}
	b := c.view.at(level)
	if err := c.reached(cfg, b); err != nil {
		return err
	}
	limit, given := cfg.get("limit").uint()
	if !given {
		limit = mostSignatures
	}
	if limit == 0 || limit > mostSignatures {
		return badParams("Invalid limit; max 1000")
	}
	before, until, err := bounds(cfg)
	if err != nil {
		return err
	}
	c.text(`[`)
	n := 0
	if c.lie == LiarNonce && c.w.nonces[k] != nil {
		c.appendNamed(c.w.chain.strangerSignature(b.slot, 0), found{on: b})
		n++
	}
	for _, e := range c.named(k, b, before, until, int(limit)) {
		c.comma(n)
		c.appendNamed(e.tx.id, found{on: e.on, err: e.err})
		n++
	}
	c.text(`]`)
	c.remark(strconv.Itoa(n), " of ", k.String()[:6], " at ", strconv.FormatUint(b.slot, 10))
	return nil
}

func bounds(cfg *value) (before, until Signature, err *rpcError) {
	if v := cfg.get("before"); !v.missing() {
		err = key58(before[:], v)
	}
	if v := cfg.get("until"); err == nil && !v.missing() {
		err = key58(until[:], v)
	}
	return before, until, err
}

// named lists the executions that named an address, newest first. If the
// store does not have the signature before, it finds none, and says no word
// of it.
func (c *call) named(k Key, b bank, before, until Signature, limit int) []*execution {
	a := c.w.accounts[k]
	if a == nil || c.hidesHistory() {
		return nil
	}
	var out []*execution
	counting := before == Signature{}
	enough := len(a.named)
	if counting {
		enough = limit
	}
	for _, e := range c.inOrder(a, b, enough) {
		if e.tx.id == until || len(out) == limit {
			break
		}
		if counting {
			out = append(out, e)
		}
		counting = counting || e.tx.id == before
	}
	return out
}

func (c *call) hidesHistory() bool {
	switch c.lie {
	case LiarNull, LiarOurs, LiarSwallow, LiarFuture, LiarWitness:
		return true
	}
	return false
}

// inOrder returns what the node's store has of an account's executions in the
// chain of b, newest first, at least the first enough of it.
func (c *call) inOrder(a *account, b bank, enough int) []*execution {
	var out []*execution
	for i := len(a.named) - 1; i >= 0; i-- {
		e := a.named[i].in(c.w.chain, b)
		if e == nil {
			continue
		}
		if len(out) >= enough && e.on.slot+disorder < out[enough-1].on.slot {
			break
		}
		final := c.w.chain.contains(c.view.final, e.on.slot)
		if final && (c.node.lacks(&c.view, e.on.slot) != present || c.readFails(e.tx.id.id())) {
			continue
		}
		out = append(out, e)
		for j := len(out) - 1; j > 0 && newer(out[j], out[j-1]); j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

// disorder is by how many slots an account's list may be out of order, because
// a transaction is listed when it first executes, if only on a fork.
const disorder = 16 * spanLen

func newer(a, b *execution) bool {
	if a.on.slot != b.on.slot {
		return a.on.slot > b.on.slot
	}
	return a.inBlock > b.inBlock
}

func (c *call) appendNamed(s Signature, f found) {
	c.text(`{"blockTime":`)
	c.unix(f.on.slot)
	c.text(`,"confirmationStatus":"`)
	c.text(c.level(f))
	c.text(`","err":`)
	c.orNull(f.err)
	c.text(`,"memo":null,"signature":`)
	c.base58(s[:])
	c.text(`,"slot":`)
	c.number(f.on.slot)
	c.text(`}`)
	if c.w.trace != nil {
		c.about = append(c.about, s)
	}
}
