package world

import (
	"slices"
	"sort"
	"time"
)

// Question names a transaction of which [World.ProofPossible] is asked.
type Question struct {
	// Signature is enough for a transaction that was sent. Otherwise give
	// Blockhash, and Nonce if it is a durable nonce's value.
	Signature Signature
	Blockhash Hash
	Nonce     Key

	// ByOwner asks for a proof from the history of an owner's account, for
	// a signature that is not known. The answer is the same for each Owner.
	ByOwner bool
	Owner   Key

	// Asked are the times in which the client could ask the endpoints. Nil means
	// that it always could. Where its window lies it must have been able to learn
	// then, and of a nonce, that it had the value at finality.
	Asked []Span
}

// Proof says whether the death of a transaction can be proven through given
// endpoints.
type Proof struct {
	// OK reports that a majority of the endpoints can prove it in the time
	// From until Until (zero means without end), if it does not execute.
	OK          bool
	From, Until time.Time

	// Shown is, of a nonce, for how long at a stretch each node had its value final while the client
	// could ask: who looks less often than that may miss it. It is 0 without a nonce.
	Shown time.Duration

	// Takes is how long a proof takes: one from the first moment on is under way
	// so long before From.
	Takes time.Duration

	// Reason says in words why not, or by what means.
	Reason string
}

// ProofPossible is the first of [World.Proofs] that is not over yet, or the last.
func (w *World) ProofPossible(endpoints []*Endpoint, q Question) (p Proof) {
	now := time.Now()
	for _, p = range w.Proofs(endpoints, q) {
		if p.Until.IsZero() || p.Until.After(now) {
			break
		}
	}
	return p
}

// Proofs tells from when on a careful client can prove, through a
// majority of the endpoints, that a transaction is dead: the finalized height
// is past its last one, its blockhash is invalid there, and the transaction is
// null, with witnesses around it in the same call, at two heads one finality
// apart. For a durable nonce the value must have been there at finality, and another
// later, and the transaction that changed it be found. It looks ahead: From may be in the
// future. It is careful itself: where it says OK, every node of each of
// those endpoints can bear witness, so that chance plays no part; a client
// may find a proof where it does not. It leaves refusals for lack of budget,
// and faults of transport, out of account.
//
// There may be several stretches of time: what the status cache has forgotten, an archive may have later.
// They are in order, and do not touch. If there is none the only Proof says why.
func (w *World) Proofs(endpoints []*Endpoint, q Question) []Proof {
	w.enter()
	defer w.mu.Unlock()
	t := w.txs[q.Signature]
	if t != nil && t.main != nil {
		return []Proof{{Reason: "it executed"}}
	}
	if t == nil {
		t = &transaction{message: &message{blockhash: q.Blockhash}}
		w.place(t)
	} else if k, _, ok := t.nonce(); ok && !t.lives {
		q.Nonce = k
	}
	var can [][]stretch
	reason := "no endpoint"
	for _, e := range endpoints {
		list := w.through(e, t, q, len(endpoints) == 1)
		if list[0].ok {
			can = append(can, list)
		} else {
			reason = e.Name() + ": " + list[0].reason
		}
	}
	need := len(endpoints)/2 + 1
	if len(can) < need {
		return []Proof{{Reason: reason}}
	}
	list := most(need, can)
	if len(list) == 0 {
		return []Proof{{Reason: "at no time can enough endpoints prove it"}}
	}
	proofs := make([]Proof, len(list))
	for i, s := range list {
		p := Proof{OK: true, Reason: s.reason, Takes: time.Duration(s.takes), Shown: time.Duration(s.shown)}
		p.From = w.started.Add(time.Duration(s.from))
		if s.until < endless {
			p.Until = w.started.Add(time.Duration(s.until))
		}
		proofs[i] = p
	}
	return proofs
}

// needed are the methods that a proof takes.
var needed = []string{"getSignatureStatuses", "isBlockhashValid", "getBlock"}

// through joins what the nodes of one endpoint can prove; alone says that the client asks no other. If they
// can prove it at no time, the only stretch says why.
func (w *World) through(e *Endpoint, t *transaction, q Question, alone bool) []stretch {
	methods := needed
	if q.ByOwner || q.Nonce != (Key{}) {
		methods = append([]string{"getSignaturesForAddress"}, needed...)
	}
	for _, m := range methods {
		if slices.Contains(e.cfg.Profile.Refuse, m) {
			return never("refuses " + m)
		}
	}
	var asked []Span
	if q.Nonce == (Key{}) && t.lives && !t.born.fork {
		asked = w.asked(t, q)
		if l := w.learns(e, t, asked, endless); l.last > t.last {
			known := *t
			known.last = l.last
			t = &known
		}
	}
	all := []stretch{{ok: true, until: endless}}
	for i, index := range e.cfg.Nodes {
		n := w.nodes[index]
		if n.cfg.Liar != Honest {
			return never("a node lies")
		}
		only := e.cfg.Balance == BalanceByMethod && i < len(e.cfg.Nodes)-1
		list := n.prove(t, q, only, alone)
		if !list[0].ok {
			return list
		}
		old := int64(n.cfg.Stale + e.cfg.Profile.Cache)
		for i := range list {
			list[i].from += old
		}
		all = both(all, list)
	}
	why := never("its nodes can at no time prove it together")
	able := all[:0]
	for _, s := range all {
		if q.Nonce == (Key{}) {
			w.taught(&s, e, t, asked)
		} else {
			w.shows(&s, e, t.blockhash, q)
		}
		if s.ok {
			able = append(able, s)
		} else {
			why = []stretch{s}
		}
	}
	if len(able) == 0 {
		return why
	}
	return able
}

// asked are the times in which the client of a question could ask.
func (w *World) asked(t *transaction, q Question) []Span {
	if q.Asked != nil {
		return q.Asked
	}
	born, end := w.chain.begins(t.born.slot), w.chain.begins(t.born.slot+farthest)
	return []Span{{w.started.Add(time.Duration(born)), w.started.Add(time.Duration(end))}}
}

// taught denies the proof to a client that could not learn what it takes.
func (w *World) taught(s *stretch, e *Endpoint, t *transaction, asked []Span) {
	switch l := w.learns(e, t, asked, s.until); {
	case l.last == 0:
		*s = refuted("no node showed the blockhash valid, or its block, while it could be asked")
	case !l.low:
		*s = refuted("no node showed a witness from the blockhash's block or before, while it could be asked")
	}
}

// prove tells when a node can prove the death of a transaction, or, if heads
// is set, only the head's part in it.
func (n *Node) prove(t *transaction, q Question, heads, alone bool) []stretch {
	if !heads && n.cfg.NoHistory != HistoryOn {
		return never("history is off, so no block can be read for witnesses")
	}
	if q.Nonce != (Key{}) {
		return n.proveNonce(q.Nonce, t.blockhash, heads)
	}
	if !t.lives || t.born.fork {
		return never("the surviving chain has no such blockhash")
	}
	return n.proveWindow(t, q.ByOwner, heads, alone)
}

// farthest is how many slots ahead a proof is looked for.
const farthest = 20_000

// when returns the first time after a slot at which what the node sees
// satisfies ok, which must hold from then on as the node sees more. If there
// is none it returns endless.
func (n *Node) when(slot uint64, ok func(*view) bool) (int64, bool) {
	if n.cfg.Gaps.SnapshotEvery > 0 {
		return n.scan(slot, ok) // restarts take the node back
	}
	at := func(i int) int64 { return n.w.chain.begins(slot + 1 + uint64(i)) }
	i := sort.Search(farthest, func(i int) bool {
		v := n.view(at(i))
		return ok(&v)
	})
	if i == farthest {
		return endless, false
	}
	return at(i), true
}

// scan is when for a condition that may come and go.
func (n *Node) scan(slot uint64, ok func(*view) bool) (int64, bool) {
	for s := slot + 1; s < slot+farthest; s++ {
		t := n.w.chain.begins(s)
		v := n.view(t)
		if ok(&v) {
			return t, true
		}
	}
	return endless, false
}
