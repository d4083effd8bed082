package wallet

import (
	"context"
	"time"

	"github.com/walletfi/walletfi-go"
)

// cargo is what is sent at once: one transaction, or a bundle, through one or
// several doors.
type cargo struct {
	flights []*flight
	signed  []walletfi.Signed
	doors   []*door
	left    bool // earlier, or through a door that did not say "not sent"

	// For the observer, if there is one.
	service string
	caller  context.Context // whose values a send gets; it never ends

	// The tracker's lock guards what follows.
	next    time.Time // to be sent
	sends   int       // rounds
	under   map[*door]bool
	refused map[*door]error // the last word of doors that sent nothing
	lost    error           // of a door whose answer was lost
}

// flight is one signed transaction that the tracker follows.
type flight struct {
	cargo *cargo
	step  EntryStep
	owner string
	// signing is the head when it was signed at signedAt, or a later one if that
	// was wrong.
	signing  sample
	signedAt time.Time
	first    uint64 // the slot that was told at signing
	// since is when the ledger was last seen at a height at which the
	// transaction can be executed.
	since time.Time
	done  func(*flight) // told once of the verdict, without the tracker's lock

	// The tracker's lock guards what follows.
	status   walletfi.SignatureStatus
	asked    error // why the last question brought nothing
	next     time.Time
	wait     time.Duration
	asking   bool
	hinted   bool     // asked for again as soon as the question under way is answered
	goneAt   uint64   // a slot at which the blockhash was gone, 0 if none is known
	heldAt   uint64   // the last slot at which the durable nonce had f's value, 0 if none is known
	lateAt   uint64   // a slot after which another value is a later one
	usedAt   uint64   // a slot at which the durable nonce had a later value
	verdict  KeyState // KeyInDoubt if the tracker has given up
	cause    error
	unwatch  func()
	finished bool
}

// end is the last block height at which f can be executed, 0 if none is known.
func (f *flight) end() uint64 {
	if f.step.NonceAccount != "" {
		return 0
	}
	end, s := f.step.Last, f.signing.Height
	switch {
	case s == 0:
		return end
	case end > s+farEnd:
		return s + lifetime // no blockhash ends that late
	}
	return max(end, s+lifetime)
}

// soon has f's status asked for at once.
func (f *flight) soon(now time.Time) { f.next, f.hinted = now, true }

// landed reports that some node has seen the transaction executed, so that
// sending it again is of no use now.
func (f *flight) landed() bool { return f.finished || f.status.Found }

// at is the head when the entry was signed.
func (e Entry) at() sample { return sample{e.Signing, e.SignedAt} }

// setBack moves what is planned if the clock was set back since the turn before: else
// nothing would be sent or asked until the old time comes again. The lock is held.
func (t *tracker) setBack(now time.Time) {
	back := t.turned.Sub(now)
	if t.turned = now; back <= 0 {
		return
	}
	t.rest = t.rest.Add(-back)
	for c := range t.cargos {
		c.next = c.next.Add(-back)
		for _, f := range c.flights {
			f.next, f.since = f.next.Add(-back), f.since.Add(-back)
		}
	}
}

// load makes the cargo of some steps of an entry. The tracker may have it at once.
func (w *Wallet) load(ctx context.Context, e Entry, steps []int, doors []*door, left bool, done func(i int, f *flight)) *cargo {
	c := &cargo{doors: doors, left: left, under: map[*door]bool{}}
	for _, i := range steps {
		step := e.Steps[i]
		c.signed = append(c.signed, walletfi.Signed{Transaction: step.Transaction, Signature: step.Signature, Owner: e.Asked.Owner})
		c.flights = append(c.flights, &flight{
			cargo: c, step: step, owner: e.Asked.Owner, signing: e.at(), first: e.Signing.Slot, signedAt: e.SignedAt,
			done: func(f *flight) { done(i, f) },
		})
	}
	if w.observer != nil {
		c.watch(ctx, w.tracker, e.Asked.Service)
	}
	return c
}
