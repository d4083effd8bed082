package world

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
