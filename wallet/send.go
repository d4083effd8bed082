package wallet

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/wallet/internal/agenda"
)

// send gives what is due to its doors, first sends before repeated ones. What no door
// has room for stays ready. The lock is held.
func (t *tracker) send(ctx context.Context, now time.Time) {
	for d, ready := range t.planned().ready {
		t.sendReady(ctx, now, ready)
		if ready.Len() == 0 {
			delete(t.plans.ready, d)
		}
	}
}

// mostFull is for how many parcels in a row, of those with the same first door, another
// door must be full before the rest of them waits too.
const mostFull = 16

func (t *tracker) sendReady(ctx context.Context, now time.Time, ready *agenda.Agenda[*parcel]) {
	var waiting []*parcel
	for ready.Len() > 0 && len(waiting) < mostFull {
		switch c := ready.Take(); {
		case c.idle():
			t.planSend(c, now.Add(t.resendEvery))
		case t.give(ctx, c):
			every := t.resendEvery
			if c.sends > 1 {
				every /= time.Duration(len(c.doors))
			}
			t.planSend(c, now.Add(every))
		default:
			waiting = append(waiting, c)
		}
	}
	for _, c := range waiting {
		ready.Put(c)
	}
}

// give gives c to the doors whose turn it is, and reports whether its turn has passed: that
// any has room, or that all are at it.
func (t *tracker) give(ctx context.Context, c *parcel) bool {
	doors := c.turnOf()
	switch {
	case c.sends == 0:
		doors = t.firstDoors(c)
	case c.alone != nil:
		t.tried(c, false)
		doors = slices.DeleteFunc(slices.Clone(c.doors), func(d *door) bool { return c.under[d] })
	}
	given := 0
	for _, d := range doors {
		if d.under < doorWidth {
			d.under++
			if c.under == nil {
				c.under = map[*door]bool{}
			}
			c.under[d] = true
			given++
			number := c.sends + 1
			t.begin(ctx, func(ctx context.Context) { t.through(ctx, d, c, number) })
		}
	}
	if given == 0 && len(doors) > 0 {
		return false
	}
	c.sends++
	return true
}

// turnOf lists the doors whose turn it is: all at first, then one after the
// other, so that each gets the bytes once every ResendEvery. One that has not
// answered yet is left out, and one that lands less than others has fewer turns.
func (c *parcel) turnOf() (doors []*door) {
	if c.sends == 0 {
		return c.doors
	}
	for i := range c.doors {
		d := c.doors[(c.sends+i)%len(c.doors)]
		if c.under[d] {
			continue
		}
		if !c.skips(d) {
			return []*door{d}
		}
		if doors == nil {
			doors = []*door{d}
		}
	}
	return doors
}

// through sends c by d once, in the round of that number.
func (t *tracker) through(ctx context.Context, d *door, c *parcel, number int) {
	ctx, cancel := context.WithTimeout(ctx, t.tryTimeout)
	defer cancel()
	signature, err := t.submit(ctx, d, c, number)
	t.mu.Lock()
	defer t.mu.Unlock()
	d.under--
	if delete(c.under, d); len(c.under) == 0 {
		c.under = nil
	}
	t.answered(d, c, signature, err)
	t.poke()
}

// answered takes in what a door said. A door's word counts only against
// sending: that nothing was sent, which holds as long as no other door and no
// earlier try may have sent. The lock is held.
func (t *tracker) answered(d *door, c *parcel, signature string, err error) {
	if f := c.flights[0]; err == nil && f.renamed(signature) {
		f.step.Signature = signature
		t.unwatch(f)
		if t.watcher != nil {
			f.unwatch = t.watcher.Watch(signature, func() { t.hint(f) })
		}
	}
	now := t.now()
	if _, open := t.parcels[c]; err != nil && d == c.alone && open {
		t.planSend(c, now) // the others need not wait
	}
	switch {
	case err == nil:
		c.left = true
		delete(c.refused, d)
	case neverSent(err):
		if c.refused == nil {
			c.refused = map[*door]error{} // most parcels need none
		}
		c.refused[d] = err
	default:
		c.left, c.lost = true, err
		delete(c.refused, d)
	}
	// A blockhash that a node does not know yet, a limit and an attempt that was too
	// short are a matter of time: it is sent again until it is taken or provably
	// gone.
	passes := errors.Is(err, walletfi.ErrBlockhashNotFound) || errors.Is(err, walletfi.ErrRateLimited) ||
		errors.Is(err, context.DeadlineExceeded)
	final := !c.left && len(c.under) == 0 && len(c.refused) == len(c.doors) && !passes
	for _, f := range c.flights {
		switch {
		case f.finished:
		case final:
			t.settle(f, KeyReleased, notSent(err))
		case f.step.Signature == "" && t.search == nil && len(c.under) == 0:
			t.settle(f, KeyInDoubt, errors.Join(errors.New("the signature is not known"), err))
		case err != nil || t.watcher == nil:
			t.soon(f, now) // a lost answer, or no push to wait for
		}
	}
}

// notSent is the error of a transaction that was certainly not sent.
func notSent(cause error) error {
	for _, end := range []error{walletfi.ErrOutcomeUnknown, ErrExpired, ErrFailed, ErrNotFilled, ErrShort, ErrStopped} {
		if errors.Is(cause, end) {
			cause = errors.New(cause.Error()) // it speaks of something else
		}
	}
	return &notSentError{cause}
}

// notSentError answers to walletfi.ErrNotSent and to its cause.
type notSentError struct{ cause error }

func (e *notSentError) Error() string        { return e.cause.Error() }
func (e *notSentError) Unwrap() error        { return e.cause }
func (e *notSentError) Is(target error) bool { return target == walletfi.ErrNotSent }

// unknown is the error of a transaction that may still be executed.
func unknown(signature string, cause error) error {
	if errors.Is(cause, walletfi.ErrNotSent) || errors.Is(cause, ErrExpired) || errors.Is(cause, ErrFailed) {
		cause = errors.New(cause.Error()) // of one attempt, or of another time
	}
	return &walletfi.OutcomeUnknownError{Signature: signature, Cause: cause}
}

// doorWidth bounds the calls of one submitter under way: one that does not
// answer must not pile up goroutines.
const doorWidth = 128

// door is a submitter under the name by which the journal knows it.
type door struct {
	name  string
	send  func(ctx context.Context, signed []walletfi.Signed) (signature string, err error)
	under int // calls, guarded by the tracker's lock
	trials
}

func singleDoor(s walletfi.Submitter) *door {
	return &door{name: fmt.Sprintf("%T", s), send: func(ctx context.Context, signed []walletfi.Signed) (string, error) {
		return s.Submit(ctx, signed[0])
	}}
}

func bundleDoor(s walletfi.BundleSubmitter) *door {
	send := func(ctx context.Context, signed []walletfi.Signed) (string, error) {
		_, err := s.SubmitBundle(ctx, signed)
		return "", err
	}
	return &door{name: fmt.Sprintf("bundle %T", s), send: send}
}

// try sends once. A submitter that panics may have sent before.
func (d *door) try(ctx context.Context, signed []walletfi.Signed) (signature string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the submitter panicked: %v", p)
		}
	}()
	return d.send(ctx, signed)
}

// neverSent reports a submitter's error after which the transaction cannot land
// by what that submitter did.
func neverSent(err error) bool {
	return errors.Is(err, walletfi.ErrNotSent) && !errors.Is(err, walletfi.ErrOutcomeUnknown)
}

// renamed reports that the ledger may know f by another signature than the one that it was
// asked for: its payer has signed the message again.
func (f *flight) renamed(signature string) bool {
	return !f.finished && !f.status.Found && !f.step.fixed() && signature != f.step.Signature &&
		f.step.asked().SignedBy(signature)
}

// What a door lands is measured by trials, as nothing tells which of several it was that landed a
// transaction: of those that several doors are given, some are given to one of them alone at first.
// A trial is a success if the transaction lands before another door gets it.
const (
	trialEvery  = 8       // transactions
	trialWeight = 1. / 16 // of one in a door's success
	mostSkipped = 4       // so many of its turns has a door that lands nothing one
	// A door that lands one in ten has so many trials in vain in a row once in 800 times. If the
	// others land nothing meanwhile either, it is not the door.
	sureTrials, sureLanded = 64, 16
)

// trials counts what they have shown of a door. The tracker's lock guards it.
type trials struct {
	failed float64 // the share of late, so that zero is a door that is not known
	vain   int     // in a row
	others int     // that other doors landed meanwhile
	barren bool    // it was told that it lands nothing
}

// firstDoors are those that c is given to at first.
func (t *tracker) firstDoors(c *parcel) []*door {
	if len(c.doors) < 2 || c.left { // one that was sent before may have landed already
		return c.doors
	}
	t.tries++
	if t.tries%trialEvery != 0 {
		return c.doors
	}
	c.alone = c.doors[t.tries/trialEvery%len(c.doors)]
	return []*door{c.alone}
}

// tried ends the trial of c, if there is one. The lock is held.
func (t *tracker) tried(c *parcel, landed bool) {
	d := c.alone
	if c.alone = nil; d == nil {
		return
	}
	was := d.barren
	d.failed -= d.failed * trialWeight
	if landed {
		d.vain, d.others, d.barren = 0, 0, false
		for _, other := range c.doors {
			if other != d {
				other.others++
			}
		}
	} else {
		d.failed += trialWeight
		d.vain++
		d.barren = was || d.vain >= sureTrials && d.others >= sureLanded
	}
	if was != d.barren && t.observer != nil {
		event := observe.Door{Name: d.name, Lands: landed, Trials: d.vain}
		t.begin(context.Background(), func(ctx context.Context) { observing.Tell(ctx, t.observer, event) })
	}
}

// skips reports that a door's turn in a round passes to another one, which lands more.
func (c *parcel) skips(d *door) bool {
	least := d.failed
	for _, other := range c.doors {
		least = min(least, other.failed)
	}
	each := min((1-least)/max(1-d.failed, 1e-9), mostSkipped)
	return c.sends/len(c.doors)%int(max(math.Round(each), 1)) != 0
}

// doorsFor lists the submitters of step i. What a sponsor must still sign goes
// only to the sponsor.
func (w *Wallet) doorsFor(e Entry, i int) []*door {
	doors := []*door{w.main}
	if e.Steps[i].Signature != "" && slices.Contains(w.alsoFor, e.Asked.Service) {
		doors = append(doors, w.also...)
	}
	return doors
}
