package paid

import (
	"fmt"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go/e2e/world"
	"github.com/walletfi/walletfi-go/wallet"
)

// final judges what only the end can tell: how often each key was paid, and
// what was said too early. It may be called once nothing can land any more.
func (c *court) final() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range c.keys {
		c.paidOnce(k)
		for _, x := range k.signed() {
			for _, word := range x.words {
				c.finalWord(x, word)
			}
		}
	}
	for _, d := range c.denials {
		if e, ok := c.executed(d.tx); ok && !d.outdated() {
			c.accuse(d.tx, "false not sent", "%s says at %s that %s will not land; it %s",
				d.source, c.diary.clock(d.at), d.tx.name(), c.how(e))
		}
	}
	for _, l := range c.looks {
		c.look(l)
	}
}

// outdated reports whether the key was claimed for the transaction after the word that it will not land.
// At the same instant that may be so of each claim that came after the call began, as nothing tells when
// the wallet read what it says; but not if a door had got the transaction when the word was heard.
func (d denial) outdated() bool {
	asked := d.tx.asked
	return asked.After(d.at) || asked.Equal(d.at) && asked.turn > d.from.turn && !d.held
}

// paidOnce holds the executions of a key against the promise.
func (c *court) paidOnce(k *key) {
	var paid []string
	last := -1
	for _, x := range k.signed() {
		e, ok := c.executed(x)
		if !ok || e.Err != "" || x.build.n == last {
			continue
		}
		last = x.build.n
		paid = append(paid, fmt.Sprintf("%s %s", x.name(), c.how(e)))
	}
	most := 1
	if k.shared {
		most = 2
	}
	if len(paid) > most {
		c.lose(k, "twice", "%s was paid %d times: %q", k.name, len(paid), paid)
	}
}

// finalWord holds a final word on a transaction against its fate.
func (c *court) finalWord(x *tx, word wallet.State) {
	e, ok := c.executed(x)
	switch word {
	case wallet.StateFailed:
		if !ok || e.Err == "" {
			c.accuse(x, "false failed", "%s is called failed and did not fail for good%s", x.name(), c.fate(x))
		}
	case wallet.StateExpired:
		if ok {
			c.accuse(x, "false expired", "%s is called expired and executed%s", x.name(), c.fate(x))
		}
	case wallet.StateConfirmed:
		if !c.succeeded(x) {
			c.accuse(x, "false confirmed", "%s is called confirmed and has not executed%s", x.name(), c.fate(x))
		}
	}
}

// look holds the word that a key is settled against what of it landed later.
// What was signed later is of a later claim of the key, and so are the same
// bytes for which the key was claimed again later, or at the same instant. What
// also executed on a fork may land again without anybody having been wrong.
func (c *court) look(l look) {
	for _, x := range l.key.signed() {
		if !x.signed.Before(l.from) || !x.asked.Before(l.from) || l.confirmed[x] {
			continue
		}
		e, ok := c.executed(x)
		if !ok || !e.Time.After(l.at) || len(c.undone(x)) > 0 || c.denied(x, l.at) {
			continue
		}
		c.accuse(x, "false settled", "%s at %s has %s settled; %s %s",
			l.source, c.diary.clock(l.at), l.key.name, x.name(), c.how(e))
	}
}

// denied reports whether that very word said of a transaction itself that it
// will not land: then it is judged as that.
func (c *court) denied(x *tx, at time.Time) bool {
	return slices.ContainsFunc(c.denials, func(d denial) bool { return d.tx == x && d.at.Equal(at) })
}

// fate says in words what truly happened to a transaction.
func (c *court) fate(x *tx) string {
	if e, ok := c.executed(x); ok {
		return ": it " + c.how(e)
	}
	if dead, err := c.w.DeadBytes(x.raw); err == nil && dead {
		return ": it can never land"
	}
	text := ": it can still land"
	if last, ok := c.w.LastHeight(x.hash); ok {
		_, height := c.w.Tip()
		text += fmt.Sprintf(", at height %d, up to %d", height, last)
	}
	return text
}

func (c *court) how(e world.Execution) string {
	if e.Err != "" {
		return fmt.Sprintf("failed at %s in slot %d: %s", c.diary.clock(e.Time), e.Slot, e.Err)
	}
	return fmt.Sprintf("executed at %s in slot %d", c.diary.clock(e.Time), e.Slot)
}

// settledTruth reports whether nothing that was signed can still happen, apart
// from what is on a durable nonce.
func (c *court) settledTruth() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, x := range c.transactions() {
		if e, ok := c.executed(x); ok {
			if !e.Finalized {
				return false
			}
			continue
		}
		if x.nonce != (world.Key{}) {
			continue
		}
		if dead, err := c.w.DeadBytes(x.raw); err == nil && !dead {
			return false
		}
	}
	return true
}

// tally counts what became of the keys.
func (c *court) tally(unsettled int, told telling) Tally {
	c.mu.Lock()
	defer c.mu.Unlock()
	kinds := kindsOf(c.losses)
	t := Tally{
		Keys: len(c.keys), Twice: kinds["twice"], False: len(c.losses) - kinds["twice"],
		Unsettled: unsettled, Told: told.inTime, Provable: told.provable, NoProof: told.noProof,
		Losses: c.losses,
	}
	if len(kinds) > 0 {
		t.Kinds = kinds
	}
	for _, k := range c.keys {
		if slices.ContainsFunc(k.signed(), func(x *tx) bool {
			e, ok := c.executed(x)
			return ok && e.Err == ""
		}) {
			t.Paid++
		}
	}
	return t
}

// telling counts the keys that truly expired.
type telling struct{ inTime, provable, noProof int }

// inTime is how long a wallet may take to tell what can be proven.
const inTime = 90 * time.Second
