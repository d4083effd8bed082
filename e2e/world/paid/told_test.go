package paid

import (
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
		k.claimed = now
	}
	in := map[*tx]bool{}
	for _, step := range e.Steps {
		x := c.bySig[step.Own]
		if x == nil {
			continue
		}
		in[x] = true
		if k.claimed.After(x.asked) {
			x.asked = k.claimed // the process stood still in between
		}
		if step.State == wallet.KeyExpired && x.told.IsZero() {
			x.told = now
			c.diary.add("the journal has %s expired", x.name())
		}
	}
	for _, x := range k.signed() {
		if !in[x] && x.told.IsZero() {
			x.told = now
		}
	}
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
// wallet was asked when a proof could be had.
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
			proof := c.w.ProofPossible(k.machine.endpoints, x.question())
			switch {
			case !proof.OK:
				t.noProof++
				c.diary.add("%s: no proof can be had: %s", x.name(), proof.Reason)
			case k.attended(proof.From) && (proof.Until.IsZero() || proof.Until.After(proof.From.Add(inTime/3))):
				t.provable++
				late := x.told.IsZero() || x.told.After(proof.From.Add(inTime))
				if !late {
					t.inTime++
				}
				c.diary.add("%s: a proof could be had at %s (%s); told at %s, late: %v",
					x.name(), c.diary.clock(proof.From), proof.Reason, c.diary.clock(x.told), late)
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
// after a proof could be had, in a process that lived on.
func (k *key) attended(from time.Time) bool {
	return slices.ContainsFunc(append(k.calls[:len(k.calls):len(k.calls)], k.machine.settles()...), func(one call) bool {
		if one.from.After(from.Add(inTime/3)) || one.to.Before(from) {
			return false
		}
		end := from.Add(inTime)
		return one.p.wellUntil(one.from, end) && (one.cut.IsZero() || one.cut.After(end))
	})
}
