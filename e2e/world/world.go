// Package world is test material: a simulated Solana cluster with
// honest-but-awkward nodes and a minority of liars, spoken to as JSON-RPC
// over HTTP/1.1 on in-memory connections.
//
//	w := world.New(world.Draw(42, "balancer"))
//	defer w.Close()
//	w.Fund(owner, 1_000_000_000)
//	line := w.NewLine("wallet")
//	client := w.Endpoint("rpc0").Client(line)
//	// post JSON-RPC to w.Endpoint("rpc0").URL() with client
//
// A World is a function of its Config: slots, skips, forks, blockhashes,
// background traffic, lag and faults are drawn by hashing the seed with what
// is asked, never from a shared sequence, so goroutine scheduling does not
// change them. The world advances when it is looked at, by time.Now: inside a
// testing/synctest bubble its time is virtual. It starts no goroutine except
// one for each open connection.
//
// The court ([World.Executions], [World.Dead], [World.Finalized],
// [World.ProofPossible]) tells the truth; no node need do so.
package world

import (
	"crypto/sha256"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"
)

// World is a running cluster. Its methods may be called at the same time.
type World struct {
	cfg       Config
	started   time.Time
	nodes     []*Node
	endpoints []*Endpoint
	closed    chan struct{}

	mu       sync.Mutex
	chain    *chain
	ages     ages
	accounts map[Key]*account
	nonces   map[Key]*nonceAccount
	txs      map[Signature]*transaction
	fates    map[Hash]*fate // by the hash of the message
	blocks   []filled       // blocks with clients' transactions, on either side
	landed   []*execution
	agenda   agenda
	trial    trial
	lines    map[*Line]struct{}
	trace    *ring
}

// New starts a cluster at the present time. Times in the past do not exist
// for it, except that the chain has a history of blocks. It panics
// if an endpoint names a node that does not exist.
func New(cfg Config) *World {
	w := &World{
		cfg:      cfg.Clone(),
		started:  time.Now(),
		closed:   make(chan struct{}),
		chain:    newChain(cfg.Seed, cfg.Cluster),
		accounts: make(map[Key]*account),
		nonces:   make(map[Key]*nonceAccount),
		txs:      make(map[Signature]*transaction),
		fates:    make(map[Hash]*fate),
		lines:    make(map[*Line]struct{}),
	}
	w.ages = newAges(w.chain.cfg, w.chain.lastMain(w.chain.first).height)
	if cfg.TraceLines > 0 {
		w.trace = &ring{lines: make([]traced, 0, cfg.TraceLines)}
	}
	if len(w.cfg.Nodes) == 0 {
		w.cfg.Nodes = []NodeConfig{{}}
	}
	for i, n := range w.cfg.Nodes {
		w.nodes = append(w.nodes, &Node{w: w, cfg: n, index: i, seed: draw(cfg.Seed, forNode, uint64(i))})
	}
	if len(w.cfg.Services) == 0 {
		for i := range w.cfg.Nodes {
			w.cfg.Services = append(w.cfg.Services, EndpointConfig{Nodes: []int{i}})
		}
	}
	for i := range w.cfg.Services {
		w.endpoints = append(w.endpoints, newEndpoint(w, i))
	}
	return w
}

// Config returns the configuration.
func (w *World) Config() Config { return w.cfg.Clone() }

// Close breaks all connections and ends all goroutines of the world.
func (w *World) Close() {
	w.mu.Lock()
	lines := make([]*Line, 0, len(w.lines))
	for l := range w.lines {
		lines = append(lines, l)
	}
	select {
	case <-w.closed:
	default:
		close(w.closed)
	}
	w.mu.Unlock()
	for _, l := range lines {
		l.Cut()
	}
}

// Endpoint returns the endpoint of that name. It panics if there is none.
func (w *World) Endpoint(name string) *Endpoint {
	for _, e := range w.endpoints {
		if e.Name() == name {
			return e
		}
	}
	panic("world: no endpoint " + strconv.Quote(name))
}

// Endpoints returns all endpoints in the order of the configuration.
func (w *World) Endpoints() []*Endpoint { return slices.Clone(w.endpoints) }

// Genesis returns the hash that names the cluster.
func (w *World) Genesis() Hash { return w.chain.genesis() }

// now returns the time since the start.
func (w *World) now() int64 { return int64(time.Since(w.started)) }

// enter locks the world, brings it up to the present and returns the slot
// that is being produced.
func (w *World) enter() uint64 {
	w.mu.Lock()
	return w.advance(w.now())
}

// Fund sets the lamports of an account from the present block on. For an
// account without any it is as if it had held them always.
func (w *World) Fund(owner Key, lamports uint64) {
	current := w.enter()
	defer w.mu.Unlock()
	a := w.account(owner)
	if len(a.main) == 0 {
		a.set(bank{slot: w.chain.base}, lamports)
		return
	}
	a.set(w.chain.lastMain(current-1), lamports)
}

// AddNonce creates a durable nonce account, as if it had existed always, and
// returns its value. Adding it again changes nothing.
func (w *World) AddNonce(key, authority Key) Hash {
	w.enter()
	defer w.mu.Unlock()
	if n := w.nonces[key]; n != nil {
		return n.main[len(n.main)-1].value
	}
	var value Hash
	fill(value[:], draw(w.cfg.Seed, forNonce, digest(key[:])))
	value = durable(value)
	n := &nonceAccount{authority: authority}
	n.set(bank{slot: w.chain.base}, value)
	w.nonces[key] = n
	w.account(key).set(bank{slot: w.chain.base}, nonceLamports)
	return value
}

// Leak gives a signed transaction to the leaders from elsewhere: a page, a
// relay, another process. It reaches them for certain, in the slot that is
// being produced.
func (w *World) Leak(raw []byte) error {
	current := w.enter()
	defer w.mu.Unlock()
	t, err := w.learn(raw)
	if err != nil {
		return err
	}
	if !w.genuine(t) {
		return errors.New("signature does not verify")
	}
	if w.trace != nil {
		w.trace.add(w.now(), "leaked "+short(t.id), t.id)
	}
	w.plan(t, current, true)
	return nil
}

// SlotTime returns when a slot began or will begin. Slots before the known
// past begin with it.
func (w *World) SlotTime(slot uint64) time.Time {
	current := w.enter()
	defer w.mu.Unlock()
	slot = min(max(slot, w.chain.base), current+horizon)
	return w.started.Add(time.Duration(w.chain.begins(slot)))
}

// learn returns the transaction in the bytes, the first time it parses them.
func (w *World) learn(raw []byte) (*transaction, error) {
	if len(raw) > 65 && raw[0] < 0x80 {
		if t := w.txs[Signature(raw[1:65])]; t != nil && string(t.raw) == string(raw) {
			return t, nil
		}
	}
	m, err := parseTransaction(slices.Clone(raw))
	if err != nil {
		return nil, err
	}
	if t := w.txs[m.signatures[0]]; t != nil && w.genuine(t) {
		return t, nil
	}
	t := &transaction{message: m, id: m.signatures[0], fate: w.fateOf(m)}
	w.place(t)
	w.txs[t.id] = t
	return t, nil
}

// fateOf returns the fate of a message, new if it was not sent before.
func (w *World) fateOf(m *message) *fate {
	key := Hash(sha256.Sum256(m.signed))
	if w.fates[key] == nil {
		w.fates[key] = new(fate)
	}
	return w.fates[key]
}

// place finds the block whose hash the transaction hangs on.
func (w *World) place(t *transaction) {
	slot, ok := w.chain.slotOf(t.blockhash)
	if ok && w.chain.holds(slot, w.chain.slotAt(w.now())) {
		t.born, t.lives = w.chain.block(slot)
		t.last = w.ages.last(t.born.height)
	}
}

// genuine checks a transaction's signatures, once.
func (w *World) genuine(t *transaction) bool {
	if !t.checked {
		t.checked = true
		t.good = w.cfg.SkipVerify || t.verify()
	}
	return t.good
}
