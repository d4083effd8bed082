package paid

import (
	"slices"

	"github.com/walletfi/walletfi-go/e2e/world"
	"github.com/walletfi/walletfi-go/wallet"
)

// signAnew lets the sponsor of a transaction sign it once more.
func (c *court) signAnew(x *tx, d dice) (raw []byte, wire world.Signature) {
	c.mu.Lock()
	defer c.mu.Unlock()
	wire = x.payer.signAnew(x.message, d)
	if c.bySig[wire.String()] == nil {
		c.bySig[wire.String()] = x
		x.more = append(x.more, wire)
		c.diary.add("signed once more: %s is %.12s too", x.name(), wire)
	}
	return envelope(x.message, x.signers, wire, x.own), wire
}

// executed is what became of a transaction on the surviving chain, whichever
// of its signatures it bears there.
func (c *court) executed(x *tx) (world.Execution, bool) {
	for _, s := range x.wires() {
		if e, ok := c.w.Executed(s); ok {
			return e, true
		}
	}
	return world.Execution{}, false
}

// wires are the signatures that the ledger may know a transaction by.
func (x *tx) wires() []world.Signature { return append(x.more[:len(x.more):len(x.more)], x.wire) }

// undone are the executions of a transaction on forks that are left.
func (c *court) undone(x *tx) (list []world.Execution) {
	for _, s := range x.wires() {
		if list = c.w.Undone(s); len(list) > 0 {
			break
		}
	}
	return list
}

// seen reports whether a node was given the transaction under any signature.
func (c *court) seen(x *tx) bool { return slices.ContainsFunc(x.wires(), c.w.Seen) }

// held reports whether a door has got it: a node, or one of the stage's.
func (c *court) held(x *tx) bool { return x.knocks > 0 || c.seen(x) }

// pending reports whether a node holds it and may yet put it into a block.
func (c *court) pending(x *tx) bool { return slices.ContainsFunc(x.wires(), c.w.Pending) }

// named judges by which signature a confirmed transaction is named: who looks for
// it in the ledger must find it.
func (c *court) named(x *tx, source string, step wallet.Step) {
	e, ok := c.executed(x)
	if step.State != wallet.StateConfirmed || !ok || len(c.undone(x)) > 0 {
		return
	}
	if got := e.Signature.String(); step.Signature != "" && step.Signature != got {
		c.accuse(x, "wrong signature", "%s has %s confirmed as %.12s, and it executed as %.12s",
			source, x.name(), step.Signature, got)
	}
}
