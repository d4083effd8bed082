package world

import (
	"fmt"
	"strconv"
)

// mostStatuses is how many signatures one call may ask for.
const mostStatuses = 256

// found is what a node finds of a signature.
type found struct {
	on   bank
	err  string
	done *execution // nil for a stranger's, and for lies
	kind string     // the level, if it is not that of the bank
}

// look finds a signature in a bank or its ancestors.
func (c *call) look(s Signature, b bank) (found, bool) {
	if t := c.w.txs[s]; t != nil {
		if e := t.in(c.w.chain, b); e != nil && e.tx.id == s {
			return found{on: e.on, err: e.err, done: e}, true
		}
		return found{}, false
	}
	slot, index, ok := c.w.chain.stranger(s)
	if !ok || !c.w.chain.contains(b, slot) {
		return found{}, false
	}
	f := found{}
	f.on, _ = c.w.chain.block(slot)
	if c.w.chain.strangerFailed(slot, index) {
		f.err = strangerErr
	}
	return f, true
}

// stored finds a signature in the node's store of finalized blocks.
func (c *call) stored(s Signature) (found, bool) {
	f, ok := c.look(s, c.view.final)
	if !ok || c.node.lacks(&c.view, f.on.slot) != present || c.readFails(s.id()) {
		return found{}, false
	}
	return f, true
}

// readFails reports whether a read of the store fails, without saying so.
func (c *call) readFails(id uint64) bool {
	return chance(c.node.cfg.NullErrors, draw(c.node.seed, forNullError, id, uint64(c.at)))
}

func (c *call) getSignatureStatuses() *rpcError {
	list := c.param(0)
	if list.kind != jsonArray {
		return badParams("Invalid params: expected an array of signatures.")
	}
	if len(list.item) > mostStatuses {
		return badParams(fmt.Sprintf("Too many inputs provided; max %d", mostStatuses))
	}
	search := c.param(1).get("searchTransactionHistory").isTrue()
	if search && c.node.cfg.NoHistory == HistoryError {
		return errNoHistory
	}
	b := c.view.tip
	if c.node.cfg.Newer {
		var err *rpcError
		if b, err = c.statusBank(c.param(1)); err != nil {
			return err
		}
	}
	c.context(b.slot)
	c.text(`[`)
	c.remark("@", strconv.FormatUint(max(b.slot, c.shown), 10))
	for i := range list.item {
		var s Signature
		if err := key58(s[:], &list.item[i]); err != nil {
			return err
		}
		c.comma(i)
		f, ok := c.status(s, b, search)
		f, ok = c.lieOf(s, f, ok)
		c.appendStatus(s, f, ok)
	}
	c.text(`]}`)
	return nil
}

// statusBank is the bank whose status cache newer nodes ask: the processed
// one, unless another commitment is named.
func (c *call) statusBank(cfg *value) (bank, *rpcError) {
	b := c.view.tip
	if !cfg.get("commitment").missing() {
		level, err := c.commitment(cfg)
		if err != nil {
			return b, err
		}
		b = c.view.at(level)
	}
	return b, c.reached(cfg, b)
}

// status is what the node knows of a signature: from the status cache of a
// bank, or else from its store.
func (c *call) status(s Signature, b bank, search bool) (found, bool) {
	f, ok := c.look(s, b)
	if ok && c.view.cached(f.on) {
		return f, true
	}
	if !search || c.node.cfg.NoHistory != HistoryOn {
		return found{}, false
	}
	return c.stored(s)
}

// level names the commitment that the node has for a block of its bank's.
func (c *call) level(f found) string {
	switch {
	case f.kind != "":
		return f.kind
	case c.w.chain.contains(c.view.final, f.on.slot):
		return "finalized"
	case c.w.chain.contains(c.view.confirmed, f.on.slot):
		return "confirmed"
	}
	return "processed"
}

func (c *call) appendStatus(s Signature, f found, ok bool) {
	c.traceStatus(s, f, ok)
	if !ok {
		c.text(`null`)
		return
	}
	level := c.level(f)
	c.text(`{"confirmationStatus":"`)
	c.text(level)
	c.text(`","confirmations":`)
	if level == "finalized" {
		c.text(`null`)
	} else {
		c.number(c.view.confirmations(f.on))
	}
	c.text(`,"err":`)
	c.orNull(f.err)
	c.text(`,"slot":`)
	c.number(f.on.slot)
	if f.err == "" {
		c.text(`,"status":{"Ok":null}}`)
		return
	}
	c.text(`,"status":{"Err":`)
	c.text(f.err)
	c.text(`}}`)
}

// traceStatus remarks on clients' signatures only.
func (c *call) traceStatus(s Signature, f found, ok bool) {
	if c.w.trace == nil {
		return
	}
	if _, _, stranger := c.w.chain.stranger(s); stranger || len(c.about) >= 8 {
		return
	}
	c.about = append(c.about, s)
	if !ok {
		c.remark(" ", short(s), "=null")
		return
	}
	c.remark(" ", short(s), "=", c.level(f), " in ", strconv.FormatUint(f.on.slot, 10), " ", f.err)
}

var errNoHistory = &rpcError{code: codeNoHistory, message: "Transaction history is not available from this node"}
