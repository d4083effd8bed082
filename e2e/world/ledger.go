package world

import "sort"

// keepVersions is how many slots back accounts can be looked at.
const keepVersions = 8192

// version is the state of an account from a slot on.
type version[T any] struct {
	slot  uint64
	value T
}

// history is an account's state over time, on the surviving chain and on
// forks.
type history[T any] struct {
	main, forks []version[T]
}

// at returns the state at a bank, the block itself included.
func (h *history[T]) at(c *chain, b bank) T {
	newest := b.slot
	if b.fork {
		for i := len(h.forks) - 1; i >= 0; i-- {
			v := &h.forks[i]
			if v.slot/spanLen < b.slot/spanLen {
				break
			}
			if v.slot <= b.slot {
				return v.value
			}
		}
		newest = c.forkRoot(b.slot).slot
	}
	last := len(h.main) - 1
	if last >= 0 && h.main[last].slot <= newest {
		return h.main[last].value
	}
	i := sort.Search(len(h.main), func(i int) bool { return h.main[i].slot > newest })
	if i == 0 {
		var none T
		return none
	}
	return h.main[i-1].value
}

// set changes the state from the block b on, which must not be before any
// earlier change on its side.
func (h *history[T]) set(b bank, value T) {
	side := &h.main
	if b.fork {
		side = &h.forks
	}
	if n := len(*side); n > 0 && (*side)[n-1].slot == b.slot {
		(*side)[n-1].value = value
		return
	}
	*side = append(*side, version[T]{b.slot, value})
	if len(*side)%256 == 0 {
		h.forget(b.slot)
	}
}

// forget drops what is too old to be looked at, all but the newest of it.
func (h *history[T]) forget(now uint64) {
	old := func(v []version[T], keep int) []version[T] {
		i := sort.Search(len(v), func(i int) bool { return v[i].slot+keepVersions > now })
		if i <= keep {
			return v
		}
		return append([]version[T](nil), v[i-keep:]...)
	}
	h.main = old(h.main, 1)
	h.forks = old(h.forks, 0)
}

// account holds lamports, and what clients' transactions named it.
type account struct {
	history[uint64]
	named []*transaction // in order of their first execution on either side
}

// nonceAccount is a durable nonce.
type nonceAccount struct {
	history[Hash]
	authority Key
}

// nonceAt returns the value of a nonce account at a bank.
func (w *World) nonceAt(n *nonceAccount, b bank) Hash {
	if v, ok := w.trial.nonces[n]; ok {
		return v
	}
	return n.at(w.chain, b)
}

// nonceLamports is what each nonce account holds: the rent exemption of its
// 80 bytes.
const nonceLamports = 1_447_680

// account returns the account of a key, which it creates.
func (w *World) account(k Key) *account {
	a := w.accounts[k]
	if a == nil {
		a = new(account)
		w.accounts[k] = a
	}
	return a
}

// lamports returns the balance of a key at a bank.
func (w *World) lamports(k Key, b bank) uint64 {
	if v, ok := w.trial.lamports[k]; ok {
		return v
	}
	if a := w.accounts[k]; a != nil {
		return a.at(w.chain, b)
	}
	return 0
}

// fate is what became of a message, whatever signatures it bears: nodes know
// what they executed by the hash of the message too.
type fate struct {
	main  *execution
	forks []*execution
}

// transaction is what a client sent.
type transaction struct {
	*message
	*fate
	id       Signature
	lives    bool   // it hangs on a blockhash that a block has
	born     bank   // that block
	last     uint64 // the height of the last block that accepts it
	sends    uint64 // how often nodes sent it on
	queued   bool   // a leader will try it
	planned  int    // how many events on the agenda are about it
	late     bool
	notUntil uint64 // a slot
	checked  bool   // its signatures were checked
	good     bool
}

// execution is one execution of a transaction.
type execution struct {
	tx      *transaction
	on      bank
	err     string
	fee     uint64
	before  []uint64
	after   []uint64
	inBlock int
}

// in returns the execution that a bank or one of its ancestors holds.
func (t *fate) in(c *chain, b bank) *execution {
	if b.fork {
		for _, e := range t.forks {
			if c.contains(b, e.on.slot) {
				return e
			}
		}
	}
	if t.main != nil && c.contains(b, t.main.on.slot) {
		return t.main
	}
	return nil
}

// filled is the clients' transactions of one block.
type filled struct {
	slot uint64
	done []*execution
}

// executed returns the clients' transactions in the block of a slot.
func (w *World) executed(slot uint64) []*execution {
	i := sort.Search(len(w.blocks), func(i int) bool { return w.blocks[i].slot >= slot })
	if i < len(w.blocks) && w.blocks[i].slot == slot {
		return w.blocks[i].done
	}
	return nil
}
