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

// advancedAt finds the slots at which a nonce account got a value and lost it. ok is false if it has
// the value, or never had it.
func (a *nonceAccount) advancedAt(value Hash) (got, lost uint64, ok bool) {
	for i := len(a.main) - 2; i >= 0; i-- {
		if a.main[i].value == value {
			return a.main[i].slot, a.main[i+1].slot, true
		}
	}
	return 0, 0, false
}

// proveNonce needs the nonce's next value finalized, and what advanced it: the transaction whose
// first instruction that is. Others in the window that name the account or bear its value need not be
// read, and nothing above that block.
func (n *Node) proveNonce(k Key, value Hash, heads bool) []stretch {
	a := n.w.nonces[k]
	if a == nil {
		return never("there is no such nonce account")
	}
	_, at, ok := a.advancedAt(value)
	if !ok {
		return never("the nonce has that value, or never had it")
	}
	from, ok := n.when(at, func(v *view) bool { return v.final.slot >= at })
	if !ok {
		return never("the node does not catch up")
	}
	v := n.view(from)
	if !heads && (n.lacks(&v, at) != present || n.cfg.NullErrors > 0) {
		return never("the store lacks what advanced the nonce")
	}
	until := endless
	if g := n.cfg.Gaps; g.Keep > 0 || g.SnapshotEvery > 0 || g.ArchiveLag > 0 {
		until, _ = n.scan(v.clock, func(v *view) bool { return n.lacks(v, at) != present })
	}
	return []stretch{{ok: true, from: from, until: until, reason: "the nonce was advanced"}}
}

// shows measures for how long the endpoint's nodes had the value final while the client could ask, and
// denies the proof to a client to which none could show it: it knows of no time before the next value.
func (w *World) shows(s *stretch, e *Endpoint, value Hash, q Question) {
	got, lost, _ := w.nonces[q.Nonce].advancedAt(value)
	nodes := e.cfg.Nodes
	if e.cfg.Balance == BalanceByMethod {
		nodes = nodes[:1]
	}
	s.shown = endless
	some := false
	for _, i := range nodes {
		n := w.nodes[i]
		old := int64(n.cfg.Stale + e.cfg.Profile.Cache)
		longest := w.longest(q, w.chain.begins(got), s.from, func(at int64) bool {
			now, then := n.view(at), n.view(max(at-old, 0))
			return then.final.slot >= got && now.final.slot < lost
		})
		some = some || longest > 0
		s.shown = min(s.shown, longest)
	}
	if !some {
		*s = refuted("no node showed the nonce with its value at finality, while it could be asked")
	}
}

// longest is for how long at a stretch a condition holds between two moments, while the client could ask.
func (w *World) longest(q Question, from, to int64, ok func(at int64) bool) (most int64) {
	from = max(from, 0) // when the world began
	spans := [][2]int64{{from, to}}
	if q.Asked != nil {
		spans = nil
		for _, s := range q.Asked {
			first, last := w.arrivals(s)
			spans = append(spans, [2]int64{max(first, from), min(last, to)})
		}
	}
	for _, s := range spans {
		began := int64(-1)
		for at := s[0]; at <= s[1]; at = w.chain.begins(w.chain.slotAt(at) + 1) {
			if !ok(at) {
				began = -1
				continue
			}
			if began < 0 {
				began = at
			}
			most = max(most, min(w.chain.begins(w.chain.slotAt(at)+1), s[1])-began, 1)
		}
	}
	return most
}
