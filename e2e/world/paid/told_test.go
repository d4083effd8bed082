package paid

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/e2e/world"
	"github.com/walletfi/walletfi-go/wallet"
)

// call is a time in which a wallet was asked for a key.
type call struct {
	p        *proc
	from, to time.Time
	cut      time.Time // when its context ended by itself, zero if it did not
}

// stored notes what a journal was given: the moment at which a wallet knows
// that a transaction has expired. A claim by a later build says so too.
func (c *court) stored(e wallet.Entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.keyIn(e)
	if k == nil {
		return
	}
	k.stir()
	now := time.Now()
	if e.State == wallet.KeyClaimed {
		k.claimed = c.now()
	}
	in := c.learn(e)
	for _, x := range in {
		if k.claimed.turn > x.asked.turn {
			x.asked = k.claimed // the process stood still in between
		}
	}
	for _, x := range k.signed() {
		if !slices.Contains(in, x) && x.told.IsZero() {
			x.told = now
		}
	}
}

// learn notes which transactions of an entry have expired, by its word, and returns all that it names.
// The caller holds the lock.
func (c *court) learn(e wallet.Entry) (in []*tx) {
	for _, step := range e.Steps {
		x := c.bySig[step.Own]
		if x == nil {
			continue
		}
		in = append(in, x)
		if step.State == wallet.KeyExpired && x.told.IsZero() {
			x.told = time.Now()
			c.diary.add("the journal has %s expired", x.name())
		}
	}
	return in
}

// listen hears each second what a keyless machine's journal says, as a wallet without keys takes no
// journal that could tell it to the court at once.
func (m *machine) listen() {
	ticks := time.NewTicker(time.Second)
	defer ticks.Stop()
	open := map[string]claim{}
	for {
		select {
		case <-ticks.C:
			open = m.s.court.listed(open, m.memory)
		case <-m.s.over:
			return
		}
	}
}

// claim is an open entry of a journal: when it was claimed and signed, and what it names.
type claim struct {
	since, signed time.Time
	names         []*tx
}

// listed learns from a journal's open entries, which it returns. What one named a second ago is settled
// if it names it no longer, or if it has been claimed or signed since, as it is of bytes that are handed
// in once more: an entry that has expired and bears no key is dropped.
func (c *court) listed(before map[string]claim, j wallet.Journal) map[string]claim {
	c.mu.Lock()
	defer c.mu.Unlock()
	open := map[string]claim{}
	for e, err := range j.List(context.Background(), wallet.Query{Open: true}) {
		if err != nil {
			panic(err) // it is in memory
		}
		open[e.Key] = claim{e.Since, e.SignedAt, c.learn(e)}
	}
	for key, was := range before {
		is := open[key]
		same := is.since.Equal(was.since) && is.signed.Equal(was.signed)
		for _, x := range was.names {
			if (!same || !slices.Contains(is.names, x)) && x.told.IsZero() {
				x.told = time.Now()
				c.diary.add("the journal has %s settled", x.name())
			}
		}
	}
	return open
}

// keyIn is the key of an entry, however the journal names it.
func (c *court) keyIn(e wallet.Entry) *key {
	for _, step := range e.Steps {
		if x := c.bySig[step.Own]; x != nil {
			return x.build.key
		}
	}
	for name := e.Key; ; {
		if k := c.byName[name]; k != nil {
			return k
		}
		_, rest, ok := strings.Cut(name, ":")
		if !ok {
			return nil
		}
		name = rest
	}
}

// lateness counts, of the keys of which a transaction truly expired, those
// that were told in time. Only the first one of a key counts, and only if the
// wallet was asked when a proof could be had, and could learn what it takes
// while one of its processes lived. Of several times in which one could be had the first one in which the
// wallet was asked decides, whatever becomes of it in a later one.
func (c *court) lateness() (t telling) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range c.keys {
		for _, x := range k.signed() {
			if _, ok := c.executed(x); ok || x.denied || !c.seen(x) {
				continue
			}
			if dead, err := c.w.DeadBytes(x.raw); err != nil || !dead {
				continue
			}
			q, asked := x.question(), k.asked(x)
			if x.told.IsZero() || x.nonce != (world.Key{}) { // who was told has learned what it takes
				q.Asked = asked
			}
			proofs := c.w.Proofs(k.machine.endpoints, q)
			first := slices.IndexFunc(proofs, func(p world.Proof) bool { return k.attended(x, p, asked) })
			switch allowed, needed := k.machine.allowance(), k.machine.needed(); {
			case !proofs[0].OK:
				t.noProof++
				c.diary.add("%s: no proof can be had: %s", x.name(), proofs[0].Reason)
			case allowed > 0 && allowed < needed:
				t.noProof++
				c.diary.add("%s: its nodes take %.1f requests a second of it, and it needs %.0f", x.name(), allowed, needed)
			case first >= 0:
				proof := proofs[first]
				t.provable++
				late := x.told.IsZero() || x.told.After(proof.From.Add(inTime))
				if !late {
					t.inTime++
				}
				c.diary.add("%s: a proof could be had at %s (%s), until %s; told at %s, late: %v", x.name(),
					c.diary.clock(proof.From), proof.Reason, c.diary.clock(proof.Until), c.diary.clock(x.told), late)
			default:
				for _, proof := range proofs {
					c.diary.add("%s: a proof could be had at %s (%s), until %s; told at %s, and not asked then, or not for so long",
						x.name(), c.diary.clock(proof.From), proof.Reason, c.diary.clock(proof.Until), c.diary.clock(x.told))
				}
			}
			break
		}
	}
	return t
}

// question asks the world's oracle for a transaction.
func (x *tx) question() world.Question {
	return world.Question{
		Signature: x.wire, Blockhash: x.hash, Nonce: x.nonce, ByOwner: x.payer != x.build.key.owner,
	}
}

// attended reports whether a call for the key was under way, or began soon
// after a proof could be had, in a process that lived on. The proof must last
// until the call begins, until the wallet has looked as often as it takes, and for
// as long as a wallet waits between two looks; and a nonce's value must have been final for as long.
//
// A call that came back earlier counts too if the transaction was told to have expired while it was under way:
// a wallet may find a proof before the oracle does, and has no reason to wait for the oracle's.
func (k *key) attended(x *tx, proof world.Proof, asked []world.Span) bool {
	lasts := func(from time.Time) bool { return proof.Until.IsZero() || from.Before(proof.Until) }
	if !lasts(ready(proof, asked)) || !lasts(proof.From.Add(slowest)) || k.nonce != (world.Key{}) && proof.Shown < slowest {
		return false
	}
	return slices.ContainsFunc(k.allCalls(), func(one call) bool {
		heard := !one.from.After(x.told) && !one.to.Before(x.told) // never if it is zero
		if one.from.After(proof.From.Add(inTime/3)) || one.to.Before(proof.From) && !heard || !lasts(one.from) {
			return false
		}
		end := proof.From.Add(inTime)
		return one.p.wellUntil(one.from, end) && (one.cut.IsZero() || one.cut.After(end))
	})
}

// allCalls are the calls for the key and for all keys of its machine.
func (k *key) allCalls() []call { return slices.Concat(k.calls, k.machine.settles()) }

// ready is when a wallet that could ask in the given times has looked as often as a
// proof takes.
func ready(proof world.Proof, asked []world.Span) time.Time {
	first := proof.From.Add(-proof.Takes)
	for _, s := range asked {
		if s.To.After(first) {
			return later(s.From, first).Add(proof.Takes)
		}
	}
	return proof.From
}

// asked are the times since a transaction was signed in which a process lived
// that had been asked for its key: what it can learn for it, it can learn then,
// also after the call. They are in the order in which they begin.
func (k *key) asked(x *tx) []world.Span {
	spans := []world.Span{} // not nil, which would mean always
	for _, one := range k.allCalls() {
		spans = append(spans, one.p.awake(later(one.from, x.signed), time.Now())...)
	}
	slices.SortFunc(spans, func(a, b world.Span) int { return a.From.Compare(b.From) })
	return spans
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// needed is how many requests a second a process has to ask with all its machine's payments in the air,
// so that what it proves is not too old for a node's cache by then. With a sponsor whose signature
// it does not know it reads each block of a window.
func (m *machine) needed() float64 {
	if m.sponsored {
		return 12
	}
	return 6
}

// allowance is how many requests a second the machine's endpoints take of it, if all machines that
// ask them share alike; 0 if they have no limit.
func (m *machine) allowance() (least float64) {
	for _, e := range m.endpoints {
		asking := 0
		for _, other := range m.s.machines {
			if slices.Contains(other.endpoints, e) {
				asking++
			}
		}
		share := float64(e.Rate()) / float64(asking)
		if share > 0 && (least == 0 || share < least) {
			least = share
		}
	}
	return least
}
