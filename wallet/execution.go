package wallet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/signing"
)

// storeTimeout bounds a write to the journal that the caller's context must not
// end.
const storeTimeout = 10 * time.Second

// execution is a key that this wallet works on.
type execution struct {
	w      *Wallet
	entry  Entry // as the journal has it
	result *Result
	free   func() // ends the claim within this process
	final  Head   // a block from before the signatures
	unsure bool   // final was told by a node, and not shown to be final
	found  bool   // an earlier transaction of the key turned out to be confirmed

	stepwise bool                // each transaction is signed after the execution of those before
	executed []*walletfi.Effects // of the transactions before the one to sign
	counts   stepCount           // of those under Config.Spend
	rest     *walletfi.Unsigned  // the set that goes on between two steps, else nil
}

// store changes the entry, in the journal and then here.
func (e *execution) store(ctx context.Context, change func(*Entry) error) error {
	next := e.entry.clone()
	if err := change(&next); err != nil {
		return err
	}
	if next.Set != nil && next.State.Settled() && !next.stopped() {
		next.Set = nil // nothing of it is signed any more
	}
	next.Schema = Schema // from here on an older program refuses it
	next.Version++
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	if err := e.w.write(ctx, e.entry.Version, next); err != nil {
		return err
	}
	was := e.entry
	if e.entry = next; e.result != nil {
		e.result.Unrecorded = nil
	}
	if e.w.spend != nil && endedBy(was, next) {
		_ = e.w.spend.settle(ctx, next, false) // if that fails, repair does it
	}
	return nil
}

// depart records that some steps are about to be sent, before the first byte. If
// that fails, the execution ends, and the error is its last.
func (e *execution) depart(steps []int, doors []*door) error {
	err := e.store(context.Background(), func(next *Entry) error {
		for _, i := range steps {
			for _, d := range doors {
				next.Steps[i].Doors = append(next.Steps[i].Doors, d.name)
			}
		}
		return next.move(evSend, steps...)
	})
	if err != nil {
		err = fmt.Errorf("it was not sent, because the journal did not take it: %w", err)
		if errors.Is(err, ErrFenced) || e.recall(steps) {
			return e.stop(steps[0], notSent(err))
		}
	}
	for _, i := range steps {
		step := &e.result.Steps[i]
		if step.State = StateUnknown; err != nil {
			step.Err = unknown(step.Signature, err)
		}
	}
	if err != nil {
		return e.result.stoppedAt(steps[0])
	}
	return nil
}

// recall reports whether the journal has it that steps will not be sent. It is
// asked after a write whose answer was lost: if the journal took that write,
// whoever takes up the key sends what it finds.
func (e *execution) recall(steps []int) bool {
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	now, err := e.w.journal.Load(ctx, e.entry.Key)
	if err != nil || now.Holder != e.w.holder {
		return false
	}
	ev := evRelease
	switch now.Version {
	case e.entry.Version:
	case e.entry.Version + 1:
		e.entry, ev = now, evRefuse // it was taken
	default:
		return false
	}
	return nil == e.store(ctx, func(next *Entry) error { return next.move(ev, steps...) })
}

// follow sends steps until each has come to an end, or to ctx's.
func (e *execution) follow(ctx context.Context, steps []int, doors []*door) error {
	j := e.journey()
	c := j.load(ctx, steps, doors, false)
	e.w.tracker.add(c)
	j.keep(ctx, ctx.Done(), func() { e.w.tracker.drop(c, ctx.Err()) })
	return e.landed(steps, j.flights)
}

// landed records the verdicts and returns the first that is no confirmation.
func (e *execution) landed(steps []int, flights map[int]*flight) error {
	change := func(next *Entry) error {
		next.learn(e.w.tracker, flights)
		return next.apply(flights)
	}
	if err := e.store(context.Background(), change); err != nil {
		for _, f := range flights {
			if f.verdict == KeyReleased {
				// Whoever took the key up may send it.
				f.verdict, f.cause = KeyInDoubt, errors.Join(err, f.cause)
			}
		}
		e.owe(err, change)
	}
	for _, i := range steps {
		e.result.Steps[i].take(flights[i])
	}
	return e.result.stopped(steps)
}

// owe keeps what the journal did not take for the next write, unless the key is another's.
func (e *execution) owe(err error, change func(*Entry) error) {
	e.result.Unrecorded = err
	next := e.entry.clone()
	if !errors.Is(err, ErrFenced) && change(&next) == nil {
		e.entry = next
	}
}

// stop ends the execution before step i was sent. If another process has the key, that one
// may go on with a set that is signed step by step.
func (e *execution) stop(i int, cause error) error {
	state, ev := e.entry.Steps[i].step(), evRelease
	if errors.Is(cause, ErrExpired) {
		state, ev = StateExpired, evExpire
	}
	err := e.store(context.Background(), func(next *Entry) error {
		for n := i; n < len(next.Steps); n++ {
			if next.Steps[n].State == KeyReleased {
				continue // recalled
			}
			if err := next.move(ev, n); err != nil {
				return err
			}
			ev = evRelease
		}
		return nil
	}) // if it fails, the next process that claims the key does the same
	step := &e.result.Steps[i]
	if errors.Is(err, ErrFenced) && e.entry.Steps[i].Message != "" {
		state, cause = StateUnknown, unknown(step.Signature, fmt.Errorf("another process has the key: %w", err))
	}
	step.State, step.Err = state, cause
	return e.result.stoppedAt(i)
}

// giveUp releases a key for which nothing was sent.
func (e *execution) giveUp() {
	_ = e.store(context.Background(), func(next *Entry) error { return next.move(evRelease) })
}

// release lets go of the key: what is in doubt is another's to follow. A verdict that the
// journal has not taken yet is written once more.
func (e *execution) release() {
	owes := e.result != nil && e.result.Unrecorded != nil
	if e.entry.Holder == e.w.holder && (owes || !e.entry.State.Settled()) {
		_ = e.store(context.Background(), func(next *Entry) error { next.Holder = ""; return nil })
	}
	e.free()
}

// newStep is a signed transaction as the journal keeps it.
func newStep(tx *signing.Transaction, owner signing.PublicKey, last uint64) EntryStep {
	signed := tx.Signed()
	s := EntryStep{
		State: KeyClaimed, Signature: signed.Signature, Hash: messageName(tx), Transaction: signed.Transaction,
		Blockhash: tx.Blockhash().String(), Last: last,
	}
	for i, signer := range tx.Signers() {
		if i == 0 && signer == owner && s.Signature != "" {
			s.Own = s.Signature // one text of it
		} else if signer == owner {
			s.Own = tx.Signatures()[i].String()
		}
	}
	if s.Signature != s.Own && !tx.Signature().Verify(tx.FeePayer(), tx.Message()) {
		s.Signature = "" // of something else: what became of that says nothing
	}
	s.Own = cmp.Or(s.Own, s.Signature)
	if account, ok := proof.NonceAccount(tx.Bytes()); ok {
		s.NonceAccount, s.Last = account.String(), 0
	}
	return s
}
