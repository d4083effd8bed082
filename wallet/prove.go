package wallet

import (
	"context"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/wallet/internal/evidence"
)

// Pauses between two turns of questions about a transaction that is not found, and
// bounds of such a turn.
const (
	slowAfter   = 5 * time.Second // most have landed by then
	firstProof  = 2 * time.Second
	lastProof   = 5 * time.Second
	vainProof   = 40 * time.Second // the longest, if nothing new came for long
	passTimeout = time.Minute
	maxDeep     = 16 // of the turns that take many calls, at once to one node
)

// missing has f's end proven, as soon as that can be. The lock is held.
func (t *tracker) missing(f *flight, now time.Time) {
	if t.prover == nil || f.finished || f.proveWait > 0 {
		return
	}
	f.proveWait, f.proveAt = firstProof, now
	if f.parcel.left {
		f.proveWait = lastProof
	} else {
		f.proveAt = f.begun.Add(slowAfter)
	}
	t.planProof(f)
}

// prove begins a turn of questions to each node that is not being asked, if any is due.
// The lock is held.
func (t *tracker) prove(ctx context.Context, now time.Time, due []*flight) {
	if len(due) == 0 {
		return
	}
	t.proving = true
	spare := t.spare()
	t.proofRest = now.Add(spare)
	t.begin(ctx, func(working context.Context) {
		_ = t.prover.Refresh(working, max(firstProof/2, spare)) // with an older head, less is asked
		t.mu.Lock()
		now := t.now() // the clock may have been set back in the meantime
		for _, f := range due {
			t.pace(f, now)
			t.planProof(f)
		}
		for i := range t.nodes() {
			t.askNode(ctx, i, due)
		}
		t.proving = false
		t.mu.Unlock()
		t.poke()
	})
}

// pace plans f's next turn. The lock is held.
func (t *tracker) pace(f *flight, now time.Time) {
	if news := t.untilNews(f); news > 0 {
		f.proveAt = now.Add(max(firstProof, news))
		return
	}
	f.proveAt = now.Add(f.proveWait)
	f.proveWait = min(2*f.proveWait, max(lastProof, min(now.Sub(f.since)/8, vainProof)))
}

// untilNews is how long no node can show more of f, at the shortest slots: its blockhash has
// not ended, or what the first answer had seen is not final. It paces, and decides nothing.
func (t *tracker) untilNews(f *flight) time.Duration {
	const shortSlot, most, soonFinal = 200 * time.Millisecond, 150, 32
	last, known := proof.Last(f.evidence, t.nodes())
	if !known || f.step.NonceAccount != "" || t.prover.Stalled() { // the head may grow by many at once
		return 0
	}
	final, slots := t.prover.Final(), uint64(most)
	for _, id := range t.prover.Showing() {
		switch n := proof.Node(f.evidence, id); {
		case n.Seen == 0:
			return 0
		case final.Height <= last:
			end := last
			if told := f.evidence.Told; told >= final.Height {
				end = min(told, last) // its block may be found by then, and is older than was known
			}
			slots = min(slots, end-final.Height+1)
		case len(n.Nulls) < 2:
			slots = min(slots, proof.Wait(n, final))
			if proof.Ahead(n) {
				slots = min(slots, soonFinal)
			}
		}
	}
	return time.Duration(slots) * shortSlot
}

// askNode begins a turn of questions to node i. What takes many calls is left for turns of
// its own: those after it do not wait. The lock is held.
func (t *tracker) askNode(ctx context.Context, i int, due []*flight) {
	if t.busy[i] || t.closed {
		return
	}
	p := t.passOf(i, due)
	if p == nil {
		return
	}
	t.busy[i], p.Quick = true, true
	t.turnTo(ctx, i, p, func() {
		t.busy[i] = false
		for _, items := range p.Left {
			t.askDeep(ctx, i, items)
		}
	})
}

// askDeep begins a turn of questions to node i that may take many calls. The lock is held.
func (t *tracker) askDeep(ctx context.Context, i int, items []*evidence.Item) {
	var flights []*flight
	for _, it := range items {
		flights = append(flights, it.For.(*flight))
	}
	p := t.passOf(i, flights)
	if p == nil || t.deep[i] == maxDeep || t.closed {
		return
	}
	t.deep[i]++
	for _, it := range p.Items {
		f := it.For.(*flight)
		if f.under == nil {
			f.under = map[int]bool{}
		}
		f.under[i] = true
	}
	t.turnTo(ctx, i, p, func() {
		t.deep[i]--
		for _, it := range p.Items {
			delete(it.For.(*flight).under, i)
		}
	})
}

// turnTo is one turn of questions to node i. It ends with done, which has the lock.
func (t *tracker) turnTo(ctx context.Context, i int, p *evidence.Pass, done func()) {
	t.begin(ctx, func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, passTimeout)
		defer cancel()
		p.Ask(ctx)
		t.mu.Lock()
		defer t.mu.Unlock()
		t.shown(i, p)
		done()
		t.poke()
	})
}

// passOf are the questions to node i, nil if there are none. The lock is held.
func (t *tracker) passOf(i int, due []*flight) *evidence.Pass {
	p := t.prover.Pass(i)
	if p == nil {
		return nil
	}
	for _, f := range due {
		if f.finished || f.status.Found || f.under[i] {
			continue
		}
		n := proof.Node(f.evidence, p.ID)
		proof.Nearer(n, p.Final)
		it := &evidence.Item{
			For: f, Step: f.step.asked(), After: f.evidence.After, Unsure: f.evidence.Unsure, Told: f.evidence.Told,
			Shown: *n, Final: p.Final, Heard: f.heard[i],
		}
		it.Last, it.Known = proof.Last(f.evidence, t.nodes())
		if it.Known && p.Final.Height > it.Last && f.past.Height <= it.Last {
			f.past = p.Final // a node that lags reaches it sooner than a newer one
		}
		gone := it.Shown.Gone.Height
		if f.step.NonceAccount != "" && gone > 0 && f.past.Height <= gone && p.Final.Height > gone {
			f.past = p.Final // likewise
		}
		it.Past = f.past
		p.Items = append(p.Items, it)
	}
	if len(p.Items) == 0 {
		return nil
	}
	return p
}

// shown takes in what node i has shown, and tells the verdicts. The lock is held.
func (t *tracker) shown(i int, p *evidence.Pass) {
	for _, it := range p.Items {
		f := it.For.(*flight)
		if f.finished {
			continue
		}
		n := proof.Node(f.evidence, p.ID)
		if more(*n, it.Shown) {
			now := t.now()
			f.waitFrom(now)
			f.proveWait, f.proveAt = firstProof, now.Add(firstProof)
			t.planProof(f)
			f.tell()
		}
		*n = it.Shown
		if it.Heard > 0 {
			if f.heard == nil {
				f.heard = map[int]uint64{}
			}
			f.heard[i] = it.Heard
		}
		if f.renamed(it.Named) {
			f.step.Signature = it.Named
			t.soon(f, t.now())
			continue
		}
		t.conclude(f)
	}
}

// more reports that a node has shown more than before.
func more(was, is walletfi.NodeEvidence) bool {
	return was.Seen != is.Seen || was.Bound != is.Bound || was.Gone != is.Gone || len(was.Nulls) != len(is.Nulls) ||
		was.UsedBy != is.UsedBy || was.Held.Slot == 0 && is.Held.Slot > 0
}

// dead reports whether it is proven that a step can never be executed, or what is
// missing for that.
func (t *tracker) dead(s EntryStep, e *walletfi.Evidence) (bool, string) {
	if s.NonceAccount != "" {
		return proof.DeadNonce(e, t.nodes())
	}
	return proof.Dead(e, t.nodes())
}

// lacks says in words what is missing for a proof of what became of a step.
func (t *tracker) lacks(s EntryStep) string {
	switch {
	case t.prover == nil:
		return "no node is configured that can show what its ledger holds"
	case s.Evidence == nil:
		return "no node was asked yet"
	}
	_, missing := t.dead(s, s.Evidence)
	return missing
}

// conclude settles f if it is proven that it can never be executed. The lock is held.
func (t *tracker) conclude(f *flight) {
	dead, missing := t.dead(f.step, f.evidence)
	if f.lacks = missing; dead && !f.status.Found {
		t.settle(f, KeyExpired, withText(ErrExpired, f.parcel.lost))
	}
}

// glanceProof asks every node once about flights that the tracker does not follow.
func (t *tracker) glanceProof(ctx context.Context, flights []*flight) {
	if t.prover == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 2*askTimeout)
	defer cancel()
	_ = t.prover.Refresh(ctx, firstProof/2)
	var all sync.WaitGroup
	for i := range t.nodes() {
		t.mu.Lock()
		p := t.passOf(i, flights)
		t.mu.Unlock()
		if p == nil {
			continue
		}
		all.Go(func() {
			p.Ask(ctx)
			t.mu.Lock()
			defer t.mu.Unlock()
			t.shown(i, p)
		})
	}
	all.Wait()
}
