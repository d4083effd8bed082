package paid

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/e2e/world"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"

	"github.com/walletfi/walletfi-go"
)

// ends are the sentinels of which a failed execution answers to exactly one, and one of
// which a part is confirmed to at most one, and never to "not sent".
var ends = []struct {
	name string
	err  error
}{
	{"not sent", walletfi.ErrNotSent},
	{"expired", wallet.ErrExpired},
	{"failed", wallet.ErrFailed},
	{"unknown", walletfi.ErrOutcomeUnknown},
}

// endOf names how an execution ended.
func endOf(err error) string {
	if err == nil {
		return "confirmed"
	}
	var all []string
	for _, e := range ends {
		if errors.Is(err, e.err) {
			all = append(all, e.name)
		}
	}
	return strings.Join(all, " and ")
}

// executes judges what an execution of a build under a key has returned.
func (c *court) executes(k *key, b *build, name string, res *wallet.Result, err error) {
	c.result(k, "Execute", res, err)
	if err != nil || name == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, x := range b.txs {
		if x.raw == nil || slices.Contains(x.keys, name) || !slices.ContainsFunc(res.Steps, x.isStep) {
			continue
		}
		if x.keys = append(x.keys, name); len(x.keys) > 1 {
			c.accuse(x, "two keys", "%s is told to have paid %q", x.name(), x.keys)
		}
	}
}

// share notes that a key's bytes are given to a wallet under a second name. From
// now on there are two payments, and what one of them refuses the other may do.
func (c *court) share(k *key) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k.shared = true
}

// isStep reports whether a step names the transaction.
func (x *tx) isStep(step wallet.Step) bool {
	return slices.ContainsFunc(x.wires(), func(s world.Signature) bool { return s.String() == step.Signature })
}

// result judges what Execute, ExecuteBundle or Place has returned.
func (c *court) result(k *key, source string, res *wallet.Result, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	end := endOf(err)
	c.diary.add("%s of %s: %s (%v)", source, k.name, end, err)
	stopped := errors.Is(err, wallet.ErrStopped)
	known := []string{"confirmed", "not sent", "expired", "failed", "unknown"}
	if !slices.Contains(known, end) && !(stopped && end == "") {
		c.lose(k, "two states", "%s of %s answers to %q: %v", source, k.name, end, err)
	}
	inPart := err != nil && res != nil && slices.ContainsFunc(res.Steps, func(s wallet.Step) bool {
		return s.State == wallet.StateConfirmed
	})
	if inPart && end == "not sent" || stopped && !inPart {
		c.lose(k, "two states", "%s of %s answers to %q, stopped %v, paid in part %v", source, k.name, end, stopped, inPart)
	}
	if res == nil {
		if err == nil {
			c.lose(k, "two states", "%s of %s: neither a result nor an error", source, k.name)
		}
		return
	}
	if err == nil && (!res.Confirmed() || len(res.Steps) == 0) {
		c.lose(k, "two states", "%s of %s: no error, and not confirmed", source, k.name)
	}
	left := res.Remaining()
	for i, step := range res.Steps {
		c.step(k, source, c.now(), i, step, slices.Contains(left, i))
	}
	if len(res.Steps) > 0 && (end == "expired" || end == "failed") &&
		!slices.ContainsFunc(res.Steps, func(s wallet.Step) bool { return string(s.State) == end }) {
		c.lose(k, "two states", "%s of %s is %s, and no step of it", source, k.name, end)
	}
}

// step judges what is said of one transaction by a call that began at from, or
// was the one that signed. denied says that it will not land.
func (c *court) step(k *key, source string, from moment, i int, step wallet.Step, denied bool) {
	x := c.find(k, from.Time, i, step)
	if x == nil {
		if step.State != wallet.StateNotSent {
			c.lose(k, "unknown transaction", "%s of %s: %q is said of a transaction that nobody signed",
				source, k.name, step.State)
		}
		return
	}
	if x.build.key != k {
		c.lose(k, "unknown transaction", "%s of %s names %s", source, k.name, x.name())
		return
	}
	c.diary.add("%s of %s: %s is %s", source, k.name, x.name(), step.State)
	c.named(x, source, step)
	c.say(x, source, from, step.State, denied)
}

// find is the transaction that a step speaks of. If it bears neither bytes nor
// a signature, as a settled one whose sponsor was never heard of, it is of the
// set that the key had signed last when the call began.
func (c *court) find(k *key, from time.Time, i int, step wallet.Step) *tx {
	if x := c.bySig[step.Signature]; x != nil {
		return x
	}
	if step.Signed.Transaction == "" {
		return k.lastSigned(from, i, step.Signature)
	}
	decoded, err := signing.Decode(step.Signed.Transaction)
	if err != nil {
		return nil
	}
	if x := c.byMessage[string(decoded.Message())]; x != nil && x.raw != nil {
		return x
	}
	return nil
}

// lastSigned is the i-th transaction of the set that a sponsored key had signed
// last at a time, or else of the first that it signed. What was signed for a payment
// of another name alone, from the same bytes, is not the key's.
func (k *key) lastSigned(at time.Time, i int, signature string) (last *tx) {
	if signature != "" || !k.machine.sponsored || i > 0 {
		return nil
	}
	for _, x := range k.signed() {
		switch {
		case !slices.Contains(x.under, k.name) && !slices.Contains(x.under, ""):
		case last == nil, last.signed.After(at) && x.signed.Before(last.signed),
			!x.signed.After(at) && x.signed.After(last.signed):
			last = x
		}
	}
	return last
}

// say judges a state that is told of a transaction.
func (c *court) say(x *tx, source string, from moment, state wallet.State, denied bool) {
	now := time.Now()
	switch state {
	case wallet.StateConfirmed:
		if !c.succeeded(x) {
			c.accuse(x, "false confirmed", "%s is called confirmed and has not executed%s", x.name(), c.fate(x))
		}
	case wallet.StateExpired:
		if x.told.IsZero() {
			x.told = now
		}
		switch dead, err := c.w.DeadBytes(x.raw); {
		case err == nil && dead:
		case !c.held(x):
			// Nobody but the wallet has the bytes: it is as good as its word.
			c.denials = append(c.denials, denial{tx: x, from: from, at: now, source: source})
		default:
			c.accuse(x, "false expired", "%s is called expired and is not%s", x.name(), c.fate(x))
		}
	case wallet.StateFailed:
		if e, ok := c.executed(x); ok && e.Err == "" {
			c.accuse(x, "false failed", "%s is called failed and has executed%s", x.name(), c.fate(x))
		}
	default:
		if state == wallet.StateNotSent && denied && !x.build.key.shared {
			x.denied = true
			if c.pending(x) {
				c.accuse(x, "false not sent", "%s says that %s will not land, and a node holds it", source, x.name())
			}
			c.denials = append(c.denials, denial{x, from, now, c.held(x), source})
		}
		return
	}
	if slices.Contains(x.words, state) {
		return
	}
	if len(x.words) > 0 {
		c.accuse(x, "changed", "%s was called %s, and is called %s now", x.name(), x.words, state)
	}
	x.words = append(x.words, state)
}

// succeeded reports whether a transaction has executed with success, at the
// commitment that the machine's wallets ask for: on the surviving chain, or on
// a fork that is left, as "confirmed" can be undone, if nodes called it so, and
// so can "processed".
func (c *court) succeeded(x *tx) bool {
	commitment := x.build.key.machine.commitment
	if e, ok := c.executed(x); ok && e.Err == "" {
		switch commitment {
		case walletfi.CommitmentProcessed:
			return true
		case walletfi.CommitmentFinalized:
			return e.Finalized
		}
		if e.Confirmed {
			return true
		}
	}
	now := time.Now()
	return slices.ContainsFunc(c.undone(x), func(e world.Execution) bool {
		return e.Err == "" && !e.Time.After(now) && commitment != walletfi.CommitmentFinalized &&
			(e.Confirmed || commitment == walletfi.CommitmentProcessed)
	})
}

// outcome judges what Outcome or Settle says of a key.
func (c *court) outcome(k *key, source string, from moment, o wallet.Outcome, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	seen := look{key: k, from: from.Time, at: time.Now(), source: source, confirmed: map[*tx]bool{}}
	switch {
	case errors.Is(err, walletfi.ErrNotFound):
		c.diary.add("%s of %s: nothing", source, k.name)
		if !k.shared {
			c.looks = append(c.looks, seen)
		}
		return
	case err != nil:
		c.diary.add("%s of %s: %v", source, k.name, err)
		return
	}
	settled := o.Settled()
	c.diary.add("%s of %s: settled %v, %d steps", source, k.name, settled, len(o.Steps))
	for i, step := range o.Steps {
		c.step(k, source, from, i, step, settled)
		if x := c.find(k, from.Time, i, step); x != nil && step.State == wallet.StateConfirmed {
			seen.confirmed[x] = true
		}
	}
	if settled && !k.shared {
		c.looks = append(c.looks, seen)
	}
}

// unsettled judges a list of what is not settled: a key of the machine that is
// not in it counts as settled.
func (c *court) unsettled(source string, from time.Time, keys []*key, list []wallet.Unsettled) {
	c.mu.Lock()
	defer c.mu.Unlock()
	open := map[string]bool{}
	for _, u := range list {
		open[u.Key] = true
	}
	for _, k := range keys {
		if !open[k.name] && len(k.builds) > 0 && !k.shared {
			c.looks = append(c.looks, look{key: k, from: from, at: time.Now(), source: source})
		}
	}
}
