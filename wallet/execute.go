package wallet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet/internal/admit"
)

// ExecuteOptions says what the transactions do not.
type ExecuteOptions struct {
	// Key is the caller's name for this payment, such as an order's id: at most 250
	// bytes of valid UTF-8 without a zero byte, so that every journal can hold it.
	// Write bytes, such as a UUID's, as text. Once a
	// transaction of it is confirmed, the same key returns that result and sends
	// nothing, however it is quoted by then; or goes on with its set, if that is signed step by
	// step and has stopped between two. A call that asks for something else under
	// the key is refused with ErrKeyReused, whatever became of the payment; what a
	// service quotes, fees, tips, tolerances and the sponsor are not compared. Empty
	// derives a key from what was asked
	// for, which blocks only while an execution runs or is in doubt, so that the
	// same amount can be paid twice on purpose, by bytes that were built again. Required
	// with a durable journal.
	Key string
	// Force executes although earlier transactions of the key are in doubt. It
	// must list the signature of each: see UnsettledError.Signatures. All of them
	// may still land.
	Force []string
	// Guard tells the guard what the transactions' builder does not, such as
	// signing.WithNonce.
	Guard []signing.Option
	// Signer signs in place of Config.Signer, so that one wallet serves many owners.
	// Nil means Config.Signer.
	Signer signing.Signer
	// Approved is the digest that a person approved, as Report.Digest of package
	// signing gives it. Other messages are refused with signing.RuleApproval. Empty
	// asks for no approval.
	Approved string
	// Progress is told how many of the set's transactions are confirmed, after each,
	// before the next is sent; of a bundle, once at the end. Execute waits for it. Nil
	// tells nothing.
	Progress func(confirmed, total int)
	// Submitter sends in place of Config.Submitter and Also: a service that takes its
	// orders itself. After a restart what it may have sent is followed, and not sent
	// again. Nil means those of Config.
	Submitter walletfi.Submitter

	admitted    bool        // it has had its turn
	stage       func(Stage) // is told of guard, signature, submission and effects; nil tells nothing
	filledLater bool        // for the journal
}

// enter tells that a stage begins.
func (o ExecuteOptions) enter(s Stage) {
	if o.stage != nil {
		o.stage(s)
	}
}

// Execute does the whole job for what a builder answered: guards and signs all
// transactions, then submits them in order and confirms each before the next.
// The error is nil if all are confirmed. Otherwise it answers to exactly one of
//
//   - walletfi.ErrNotSent: nothing left. The guard refused (a
//     *signing.GuardError), or a node did not answer, or the only submitter
//     refused the transaction;
//   - ErrExpired: it cannot be executed any more: ask for a new quote;
//   - ErrFailed: it was executed with an error;
//   - walletfi.ErrOutcomeUnknown: it may still be executed. The journal has it:
//     execute the same key again later, or call Settle. If an earlier execution
//     is in the way, the error is an *UnsettledError.
//
// If some of a set is confirmed, the error answers to ErrStopped: never to
// walletfi.ErrNotSent, and to another of the four only if that became of the
// transaction at which the set stopped. Look for ErrStopped first: a new quote for
// all of it would pay a part twice.
//
// From signing on, the error is a *StepError at the first transaction that is
// not confirmed, with the Result saying what became of each.
func (w *Wallet) Execute(ctx context.Context, u walletfi.Unsigned, o ExecuteOptions) (*Result, error) {
	return w.effective(ctx, u, o, nil)
}

// ExecuteBundle is Execute for transactions that land together or not at all:
// they are sent as one bundle and then confirmed.
func (w *Wallet) ExecuteBundle(
	ctx context.Context, u walletfi.Unsigned, bundles walletfi.BundleSubmitter, o ExecuteOptions,
) (*Result, error) {
	if bundles == nil {
		return nil, notSent(&walletfi.ValidationError{Field: "bundles", Problem: "is nil"})
	}
	return w.effective(ctx, u, o, bundleDoor(bundles))
}

func (w *Wallet) execute(
	ctx context.Context, u walletfi.Unsigned, o ExecuteOptions, bundle *door,
) (*Result, error) {
	o, err := w.options(u, o)
	if err != nil {
		return nil, notSent(err)
	}
	u = w.tips.Capped(w.market.capped(u))
	o.enter(StageGuard)
	e, earlier, err := w.claim(ctx, u, o, bundle != nil)
	if err != nil || earlier != nil {
		return earlier, err
	}
	defer e.release()
	if e.rest != nil {
		u = *e.rest
	} else {
		leave, err := w.admit(ctx, o, bundle, builtLife)
		if err == nil {
			defer leave()
			err = e.sign(ctx, u, o)
		}
		if err != nil {
			e.giveUp()
			return e.result, err
		}
	}
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	o.enter(StageSubmit)
	if bundle != nil {
		err := e.explain(ctx, u, e.together(ctx, bundle))
		if err == nil {
			o.Progress(len(e.entry.Steps), len(e.entry.Steps))
		}
		return e.result, err
	}
	return e.result, e.explain(ctx, u, e.inOrder(ctx, u, o))
}

// builtLife is how long a built transaction may wait for its turn, so that it does not expire.
const builtLife = 40 * time.Second

// admit waits until the submitter can carry another transaction.
func (w *Wallet) admit(ctx context.Context, o ExecuteOptions, bundle *door, most time.Duration) (func(), error) {
	if w.queue == nil || o.admitted || o.Submitter != nil || bundle != nil {
		return func() {}, nil
	}
	leave, err := w.queue.Enter(ctx, most)
	if err != nil {
		return nil, notSent(fmt.Errorf("nothing was signed, because the node cannot be sent it in time: %w", err))
	}
	return leave, nil
}

func (w *Wallet) options(u walletfi.Unsigned, o ExecuteOptions) (ExecuteOptions, error) {
	if o.Signer == nil {
		o.Signer = w.signer
	}
	return o, check.All(
		check.That(o.Signer != nil, "signer", "is required where the wallet has none"),
		check.That(len(u.Transactions) > 0, "transactions", "are none, so that there is nothing to confirm"),
		check.That(!w.durable || o.Key != "", "key", "is required with a durable journal"),
		checkKey(o.Key),
	)
}

// sign guards and signs everything, and records it.
func (e *execution) sign(ctx context.Context, u walletfi.Unsigned, o ExecuteOptions) error {
	if err := e.affordable(u, 0); err != nil {
		return notSent(err)
	}
	head, txs, err := e.guarded(ctx, u, o, time.Second)
	if e.w.tracker.heads != nil && lifetimeOver(err) {
		head, txs, err = e.guarded(ctx, u, o, 0) // the head was a second old
	}
	for try := 0; try < behindWait && e.lacksTable(err); try++ {
		if clock.Wait(ctx, e.w.tracker.clock, behindLook) != nil {
			break
		}
		head, txs, err = e.guarded(ctx, u, o, time.Second)
	}
	if e.blindLater(err) {
		if err = e.inSteps(o, err); err == nil {
			head, txs, err = e.guarded(ctx, u, o, time.Second)
		}
	}
	switch past, last := head.Height, u.LastValidBlockHeight; {
	case err != nil && lifetimeOver(err) && last > 0 && past >= last:
		return fmt.Errorf("%w: block height %d has reached %d", ErrExpired, past, last)
	case err != nil:
		return notSent(err)
	}
	steps, signed, kept, err := e.newSteps(u, o, txs)
	if err != nil {
		return notSent(err)
	}
	if err := e.begun(ctx, steps, head); err != nil {
		return notSent(err)
	}
	err = e.store(ctx, func(next *Entry) error {
		next.Steps, next.Set, next.Signing = steps, kept, e.final
		next.SignedAt, next.FilledLater = e.w.now(), o.filledLater
		return next.move(evSign, signed...)
	})
	if err != nil {
		return notSent(fmt.Errorf("nothing was sent, because the journal did not take it: %w", err))
	}
	if err := e.ownBytes(ctx, e.entry.Steps); err != nil {
		return notSent(err)
	}
	e.result.Steps = resultSteps(e.entry)
	return nil
}

// guarded signs what the guard lets pass at a head that is at most age old.
func (e *execution) guarded(
	ctx context.Context, u walletfi.Unsigned, o ExecuteOptions, age time.Duration,
) (head Head, txs []*signing.Transaction, err error) {
	options := o.Guard
	if e.w.tracker.heads != nil {
		if head, err = e.headFor(ctx, u.LastValidBlockHeight, age); err != nil {
			return Head{}, nil, fmt.Errorf("the block height is not known, so that nothing was signed: %w", err)
		}
		options = append([]signing.Option{signing.AtBlockHeight(head.Height)}, o.Guard...)
	}
	if e.final, err = e.w.tracker.prover.BeforeSigning(ctx, head); err != nil {
		return Head{}, nil, err
	}
	if e.unsure = e.final.Slot == 0; e.unsure {
		e.final = head
	}
	if e.result == nil {
		e.result = &Result{}
	}
	if txs, e.result.Report, err = e.signSet(ctx, u, o, e.within(u, options)); err == nil {
		err = e.w.tips.Check(e.result.Report)
	}
	return head, txs, err
}

// Bounds of the wait for a node that lags the one that a service built on.
const (
	aheadMost  = 214 // blocks by which the guard lets a transaction end after the head
	behindMost = 300 // further blocks that a node may have to catch up
	behindWait = 20  // times
	behindLook = time.Second
	freshMost  = proof.Age + 1 // blocks after the head at which a blockhash of now can end
)

// headFor is a head that is at most age old and, as far as waiting helps, not too old for
// a transaction that ends at a height.
func (e *execution) headFor(ctx context.Context, last uint64, age time.Duration) (Head, error) {
	t := e.w.tracker
	for try := 0; ; try++ {
		head, err := admit.Patiently(ctx, t.clock, func() (Head, error) { return t.heads.fresh(ctx, age) })
		if err != nil {
			return Head{}, err
		}
		if final := t.prover.Final(); final.Height > head.Height {
			head = final // what is known only grows
		}
		if last <= head.Height+aheadMost || last > head.Height+aheadMost+behindMost || try == behindWait {
			return head, nil
		}
		if err := clock.Wait(ctx, t.clock, behindLook); err != nil {
			return Head{}, err
		}
		age = 0
	}
}

// begun makes sure that a node calls a blockhash valid if the service names an end that no
// blockhash of now has: what is signed on one that ended long ago lands never, and no node
// can show when it ended.
func (e *execution) begun(ctx context.Context, steps []EntryStep, head Head) error {
	if head.Height == 0 {
		return nil // no node tells any
	}
	known := map[string]bool{}
	for _, s := range steps {
		if known[s.Blockhash] || s.Last <= head.Height+freshMost {
			continue
		}
		if newer, err := e.w.tracker.heads.fresh(ctx, 0); err == nil { // the head was a second old
			head = newer
		}
		if s.Last <= head.Height+freshMost {
			continue
		}
		err := e.w.tracker.prover.CallsValid(ctx, s.Blockhash)
		for try := 0; err != nil && try < behindWait; try++ {
			if err := clock.Wait(ctx, e.w.tracker.clock, behindLook); err != nil {
				return err
			}
			err = e.w.tracker.prover.CallsValid(ctx, s.Blockhash)
		}
		if err != nil {
			return err
		}
		known[s.Blockhash] = true
	}
	return nil
}

// lacksTable reports a refusal for a lookup table that the node does not know: one that a
// service has just made reaches a node that lags in a moment.
func (e *execution) lacksTable(err error) bool {
	refusal, ok := errors.AsType[*signing.GuardError](err)
	return ok && e.w.tables && e.result.Report.Unresolved &&
		(refusal.Rule == signing.RuleBlind || refusal.Rule == signing.RuleLookup)
}

// lifetimeOver reports a refusal for the block height at which a transaction
// ends: it passed while the user was reading.
func lifetimeOver(err error) bool {
	refusal, ok := errors.AsType[*signing.GuardError](err)
	return ok && refusal.Rule == signing.RuleLifetime
}

// inOrder submits each transaction and follows it to its end before the next.
func (e *execution) inOrder(ctx context.Context, u walletfi.Unsigned, o ExecuteOptions) error {
	var own *door
	if o.Submitter != nil {
		own = singleDoor(o.Submitter)
		own.name = "own " + own.name // of this execution's alone
	}
	for i := range e.entry.Steps {
		switch state := e.entry.Steps[i].State; {
		case state == KeyConfirmed:
			continue // before it stopped
		case state == KeyClaimed:
			if err := e.signNext(ctx, u, o, i); err != nil {
				return err
			}
		case i > 0:
			if err := e.stillValid(ctx, i); err != nil {
				return e.stop(i, err)
			}
		}
		doors := e.w.doorsFor(e.entry, i)
		if own != nil {
			doors = []*door{own}
		}
		if err := e.depart([]int{i}, doors); err != nil {
			return err
		}
		if err := e.follow(ctx, []int{i}, doors); err != nil {
			return err
		}
		o.Progress(i+1, len(e.entry.Steps))
	}
	return nil
}

// together submits all transactions at once and follows each.
func (e *execution) together(ctx context.Context, bundle *door) error {
	all := make([]int, len(e.entry.Steps))
	for i := range all {
		all[i] = i
	}
	doors := []*door{bundle}
	if err := e.depart(all, doors); err != nil {
		return err
	}
	return e.follow(ctx, all, doors)
}

// stillValid refuses to send a transaction that cannot land any more: the
// confirmations before it took too long.
func (e *execution) stillValid(ctx context.Context, i int) error {
	last, heads := e.entry.Steps[i].Last, e.w.tracker.heads
	if last == 0 || heads == nil {
		return nil
	}
	head, err := admit.Patiently(ctx, e.w.tracker.clock, func() (Head, error) {
		return heads.fresh(ctx, e.w.tracker.pollEvery/2)
	})
	if err != nil {
		return notSent(fmt.Errorf("the block height is not known, so that it was not sent: %w", err))
	}
	switch final := e.w.tracker.prover.Final(); {
	case final.Height > last:
		return fmt.Errorf("%w: block height %d is past %d", ErrExpired, final.Height, last)
	case head.Height > last:
		return notSent(fmt.Errorf("by the node's word, block height %d is past %d: ask for a new quote", head.Height, last))
	}
	return nil
}
