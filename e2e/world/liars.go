package world

import "strconv"

// String returns the liar's name.
func (l Liar) String() string {
	names := [...]string{
		"honest", "null", "ours", "success", "failure", "final", "ahead", "height", "invalid",
		"short", "future", "frozen", "nonce", "witness", "swallow", "genesis", "early", "changeable",
	}
	if l < 0 || int(l) >= len(names) {
		return "unknown"
	}
	return names[l]
}

// Liars returns all kinds of liars.
func Liars() []Liar {
	kinds := make([]Liar, 0, liarKinds-1)
	for l := Honest + 1; l < liarKinds; l++ {
		kinds = append(kinds, l)
	}
	return kinds
}

// futureBy is how many slots ahead of the chain [LiarFuture] is.
const futureBy = 450

// earlyBy is how many slots too old the slots of [LiarEarly] are.
const earlyBy = 300

// frozenFor is how long [LiarFrozen] stays still, in slots.
const frozenFor = 2000

// deceive chooses the lie for a call and bends what the node sees.
func (c *call) deceive() {
	c.lie = c.node.cfg.Liar
	if c.lie == LiarChangeable {
		c.lie = Liar(draw(c.node.seed, forLie, c.key, uint64(c.at)) % uint64(LiarChangeable))
	}
	switch c.lie {
	case LiarFuture:
		if c.method != "getLatestBlockhash" && c.method != "sendTransaction" {
			c.view.newest += futureBy
			c.node.look(&c.view)
		}
	case LiarFrozen:
		if tellsOfTransactions[c.method] {
			c.shown = c.view.tip.slot
			c.view.newest = max(c.view.newest/frozenFor*frozenFor, c.w.chain.base+4*spanLen)
			c.node.look(&c.view)
		}
	}
}

// tellsOfTransactions names what [LiarFrozen] answers from an old moment.
var tellsOfTransactions = map[string]bool{
	"getSignatureStatuses":    true,
	"getSignaturesForAddress": true,
	"getTransaction":          true,
	"getAccountInfo":          true,
	"getMultipleAccounts":     true,
	"getBalance":              true,
}

// lieOf bends what a node says of a signature.
func (c *call) lieOf(s Signature, f found, ok bool) (found, bool) {
	if c.lie == Honest {
		return f, ok
	}
	_, _, stranger := c.w.chain.stranger(s)
	b := c.claimed(s)
	switch c.lie {
	case LiarNull:
		return found{}, false
	case LiarOurs, LiarSwallow, LiarFuture:
		return f, ok && stranger
	case LiarSuccess:
		if !stranger {
			return found{on: b, kind: "finalized"}, true
		}
	case LiarFailure:
		if !stranger {
			return found{on: b, kind: "finalized", err: failed(0, `{"Custom":1}`)}, true
		}
	case LiarFinal:
		f.kind = "finalized"
		if !ok && !stranger {
			return c.onFork(s)
		}
	case LiarWitness:
		if stranger && !ok {
			return c.invented(s), true
		}
		return f, stranger
	}
	return f, ok
}

// claimed is the block in which a liar says that a transaction executed, the
// same each time if the transaction is known.
func (c *call) claimed(s Signature) bank {
	b := c.view.final
	if t := c.w.txs[s]; t != nil && t.lives && t.born.slot+8 < b.slot {
		b = c.w.chain.lastMain(t.born.slot + 8)
	}
	return b
}

// onFork finds a client's transaction on any fork and calls it final.
func (c *call) onFork(s Signature) (found, bool) {
	t := c.w.txs[s]
	if t == nil {
		return found{}, false
	}
	for _, e := range t.forks {
		if e.tx == t && e.on.slot <= c.view.tip.slot {
			return found{on: e.on, err: e.err, done: e, kind: "finalized"}, true
		}
	}
	return found{}, false
}

// invented places a stranger's transaction where its signature says that it
// belongs, whether there is such a block or not.
func (c *call) invented(s Signature) found {
	slot, _, _ := c.w.chain.stranger(s)
	return found{on: bank{slot: slot}, kind: "finalized"}
}

// lieNonce returns a value that the nonce account never had, the same each
// time.
func (c *call) lieNonce(value Hash) Hash {
	if c.lie == LiarNonce {
		return durable(value)
	}
	return value
}

// hollow writes the list of a block's transactions if the store has lost them:
// an empty one, or none.
func (c *call) hollow(slot uint64, list string) bool {
	if slot > c.view.final.slot || c.node.lacks(&c.view, slot) != hollow {
		return false
	}
	c.remark("hollow ")
	if draw(c.node.seed, forHollow, slot, 1)%4 > 0 {
		c.text(`,"` + list + `":[]`)
	}
	return true
}

// crooked reports whether the node answers another block for a finalized slot,
// or one that does not hang on the one before.
func (n *Node) crooked(slot uint64) bool {
	return chance(n.cfg.Gaps.Crooked, draw(n.seed, forCrooked, slot))
}

// crooked returns the slot whose block is answered for a finalized one: at times
// the block before or after it.
func (c *call) crooked(slot uint64) uint64 {
	h := mix(draw(c.node.seed, forCrooked, slot))
	if !c.node.crooked(slot) || h%2 == 0 {
		return slot
	}
	b, ok := c.w.chain.main(slot)
	if !ok {
		return slot
	}
	other := c.w.chain.parent(b)
	if h%4 == 1 {
		other = c.w.chain.atHeight(b.height + 1)
	}
	if other.slot > c.view.final.slot {
		return slot
	}
	c.remark("in place of ", strconv.FormatUint(slot, 10), ": ")
	return other.slot
}

// unchained returns the slot whose blockhash a block names as the one before: at
// times that of another block than its parent.
func (c *call) unchained(slot, parent uint64) uint64 {
	h := mix(draw(c.node.seed, forCrooked, slot))
	if slot <= c.view.final.slot && c.node.crooked(slot) && h%2 == 0 {
		return parent - 1 - h%8
	}
	return parent
}
