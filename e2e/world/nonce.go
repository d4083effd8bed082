package world

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
func (n *Node) proveNonce(k Key, value Hash, heads bool) stretch {
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
	return stretch{ok: true, from: from, until: until, reason: "the nonce was advanced"}
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
		*s = never("no node showed the nonce with its value at finality, while it could be asked")
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
