package wallet

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet/internal/altered"
)

var (
	// ErrReplayed means that a prepared key was submitted before, or has come to its end: by
	// this call nothing was sent. The result, if there is one, is the journal's.
	ErrReplayed = errors.New("the key was submitted before, or is settled")
	// ErrChanged means that what came back to be sent is not what was prepared, in more than a
	// wallet may change: see Change. The error says in what. Nothing was sent; the owner can
	// sign what was prepared once more.
	ErrChanged = errors.New("what was signed is not what was prepared")
	// ErrSignedByAnother means that what came back has no valid signature of the owner that it
	// was prepared for. Nothing was sent; that owner can still sign.
	ErrSignedByAnother = errors.New("it is not signed by the owner that it was prepared for")
	// ErrDeclined means that the owner said no to what was prepared: see Wallet.Decline.
	ErrDeclined = errors.New("the owner has declined to sign")
)

// SubmitOptions says how to submit.
type SubmitOptions struct {
	// Guard tells the guard what the transactions' builder does not, as in PrepareOptions.
	Guard []signing.Option
	// Progress is told how many of the set's transactions are confirmed, after each, before the
	// next is sent. Submit waits for it. Nil tells nothing.
	Progress func(confirmed, total int)
}

// Submit sends what a key was prepared for, after its owner has signed it, and follows it to
// its end. Signed has the bytes of all transactions, in the order of Prepare.
//
// Each must be what was prepared, with a valid signature of the owner. A wallet may have changed
// the compute unit limit and price, and added assertions: Result.Changes and the report name each
// such change. The guard judges the signed bytes, whether they were changed or not. The journal
// has them before they are sent. If the message is another one, both are followed from then on, as
// either may execute: the key has paid if one does, and has expired only if neither can.
//
// The error is nil if all are confirmed. From sending on it is a *StepError as that of Execute, never
// walletfi.ErrNotSent: who has signed bytes can send them. Before that it answers to
//
//   - ErrReplayed: it was submitted before, or is settled. The result is the journal's, and the
//     error answers to what became of it too, if that is not a confirmation;
//   - ErrExpired: it came too late, and can never land: prepare again;
//   - ErrChanged, ErrSignedByAnother, ErrDeclined, signing.ErrRefused: this call sent nothing, the key
//     is still followed, and the error answers to walletfi.ErrOutcomeUnknown too;
//   - walletfi.ErrInvalidRequest and walletfi.ErrOutcomeUnknown: one of the messages is another key's too,
//     or twice in the set. This call sent nothing, and the key takes another message. What was refused is
//     followed, as its owner could send it, and counts for this key if the other ends without it;
//   - walletfi.ErrNotFound and walletfi.ErrInvalidRequest, with walletfi.ErrNotSent: the key was not
//     prepared;
//   - walletfi.ErrOutcomeUnknown: nothing more is known, such as if the journal does not answer.
func (w *Wallet) Submit(
	ctx context.Context, key string, signed [][]byte, opts SubmitOptions,
) (*Result, error) {
	ctx, end := clock.Enter(ctx, w.clock, "wallet Submit")
	defer end()
	e, err := w.preparedKey(ctx, key)
	if err != nil {
		return nil, err
	}
	result, err := e.submit(ctx, signed, opts)
	e.release()
	w.followTwins(e.entry)
	if result != nil {
		w.tellEffects(ctx, e.entry.Asked.Owner, result.Steps)
	}
	w.tellUnsettled(ctx, errors.Is(err, walletfi.ErrOutcomeUnknown))
	return result, err
}

// Decline records that the owner said no to what a key was prepared for: it is not submitted any
// more. That proves nothing of the ledger, since a page that has the bytes may still have them
// signed and send them. So the key is followed as before, its Outcome stays unknown until the
// bytes are confirmed or have provably expired, and until then Prepare and Submit answer
// ErrDeclined. The error is nil if the key has declined or expired, and answers to ErrReplayed
// if it was submitted before or has paid.
func (w *Wallet) Decline(ctx context.Context, key string) error {
	e, err := w.preparedKey(ctx, key)
	if err != nil {
		return err
	}
	defer e.release()
	switch p := e.entry.Prepared; {
	case !p.Submitted.IsZero() || e.entry.Spent():
		return ErrReplayed
	case e.entry.State.Settled() || !p.Declined.IsZero():
		return nil
	}
	if err := e.store(ctx, func(next *Entry) error { next.Prepared.Declined = w.now(); return nil }); err != nil {
		return stillOpen(fmt.Errorf("the journal: %w", err))
	}
	return nil
}

// preparedKey makes this call the only one of this process that works on a prepared key.
func (w *Wallet) preparedKey(ctx context.Context, key string) (*execution, error) {
	if err := check.All(check.Required("key", key), checkKey(key)); err != nil {
		return nil, notSent(err)
	}
	free, err := w.begin(ctx, callerKey+key)
	if err != nil {
		was, loadErr := w.journal.Load(ctx, callerKey+key)
		if loadErr == nil && was.Prepared != nil && !was.Prepared.Submitted.IsZero() {
			err = fmt.Errorf("%w: %w", ErrReplayed, err)
		}
		return nil, stillOpen(err)
	}
	e := &execution{w: w, free: free}
	if e.entry, err = w.journal.Load(ctx, callerKey+key); err != nil {
		err = stillOpen(fmt.Errorf("the journal: %w", err))
	}
	switch {
	case err != nil:
	case e.entry.Version == 0:
		err = notSent(fmt.Errorf("%w: the journal does not have the key", walletfi.ErrNotFound))
	case e.entry.Schema > Schema:
		err = notSent(newerSchema(e.entry.Schema))
	case e.entry.Prepared == nil:
		err = notSent(&walletfi.ValidationError{Field: "key", Problem: "was executed, and not prepared"})
	case !e.entry.State.Settled() && len(e.entry.open()) == 0:
		err = &UnsettledError{Running: true} // it is being prepared, or that was cut short
	}
	if err != nil {
		e.free()
		return nil, err
	}
	return e, nil
}

func (e *execution) submit(ctx context.Context, signed [][]byte, opts SubmitOptions) (*Result, error) {
	p := e.entry.Prepared
	switch {
	case !p.Submitted.IsZero() || e.entry.State.Settled():
		return e.replayed(ctx)
	case !p.Declined.IsZero():
		return nil, stillOpen(ErrDeclined)
	}
	u := e.entry.given()
	txs, all, err := compare(u, signed)
	if err != nil {
		return nil, stillOpen(err)
	}
	for i, tx := range txs {
		u.Transactions[i] = tx.Base64()
	}
	// A process that follows the key sends nothing, so that it need not be waited for. It can write
	// nothing more.
	if err := e.takeOver(ctx); err != nil {
		return nil, e.unsettled(errors.Is(err, ErrFenced), err)
	}
	head, _, err := e.checked(ctx, u, opts.Guard)
	e.result.Changes = all
	for _, c := range all {
		if r := e.result.Report; r != nil {
			r.Notes = append(r.Notes, signing.Note{Transaction: c.Transaction, Kind: noteChanged, Text: c.Text})
		}
	}
	switch last := u.LastValidBlockHeight; {
	case lifetimeOver(err) && last > 0 && head.Height >= last:
		return e.tooLate(ctx)
	case err != nil && len(all) > 0:
		return e.result, stillOpen(fmt.Errorf("%w: %w", ErrChanged, err))
	case err != nil:
		return e.result, stillOpen(err)
	}
	leave, err := e.w.admit(ctx, ExecuteOptions{}, nil, builtLife)
	if err != nil {
		return e.result, stillOpen(err)
	}
	defer leave()
	if err := e.w.spend.reserve(ctx, reservation{debits: e.changed(txs)}); err != nil {
		return e.result, stillOpen(err)
	}
	sends, err := e.cameBack(ctx, txs)
	if err != nil {
		return e.result, stillOpen(fmt.Errorf("nothing was sent by this call: %w", err))
	}
	return e.result, e.sendInOrder(ctx, sends, opts)
}

// compare holds what came back against the set as it was given away.
func compare(given walletfi.Unsigned, signed [][]byte) (txs []*signing.Transaction, all []Change, err error) {
	was, err := signing.DecodeAll(given)
	if err != nil {
		return nil, nil, err
	}
	owner, err := signing.ParsePublicKey(given.Intent.Owner)
	if err != nil {
		return nil, nil, err
	}
	if len(signed) != len(was) {
		return nil, nil, fmt.Errorf("%w: %w", ErrChanged, altered.Differs("number of transactions", len(was), len(signed)))
	}
	for i, b := range signed {
		tx, err := signing.DecodeBytes(b)
		if err != nil {
			return nil, nil, fmt.Errorf("%w: transaction %d: %w", ErrChanged, i+1, err)
		}
		if err := signedByOwner(was[i], tx, owner); err != nil {
			return nil, nil, fmt.Errorf("transaction %d: %w", i+1, err)
		}
		each, err := changes(was[i], tx)
		if err != nil {
			return nil, nil, fmt.Errorf("transaction %d: %w", i+1, err)
		}
		for _, c := range each {
			c.Transaction = i
			all = append(all, c)
		}
		txs = append(txs, tx)
	}
	return txs, all, nil
}

// replayed tells what became of the key before this call.
func (e *execution) replayed(ctx context.Context) (*Result, error) {
	if open := e.entry.open(); len(open) > 0 {
		busy, err := e.w.held(ctx, e.entry)
		return &Result{Steps: resultSteps(e.entry), Replayed: true}, fmt.Errorf("%w: %w", ErrReplayed, e.unsettled(busy, err))
	}
	result, err := e.earlier()
	if err == nil {
		return result, ErrReplayed
	}
	return result, fmt.Errorf("%w: %w", ErrReplayed, err)
}

// cameBack records the signed transactions before they are sent. It returns the step to send of
// each transaction of the set. Another message than was given away is signed, and not sent, until
// it is known to be no other key's. If it is, it yields.
func (e *execution) cameBack(ctx context.Context, txs []*signing.Transaction) (sends []int, err error) {
	steps := slices.Clone(e.entry.Steps)
	var changed []int
	for i, tx := range txs {
		given := &steps[i]
		s := e.givenStep(tx, i, given.Last)
		s.State, s.Evidence = KeyInDoubt, given.Evidence.Clone()
		if s.Own == given.Own {
			*given = s
			sends = append(sends, i)
			continue
		}
		s.InPlaceOf = i + 1
		n := slices.IndexFunc(steps, func(other EntryStep) bool { return other.InPlaceOf == i+1 && other.Own == s.Own })
		if n < 0 { // it has not come back before
			s.State, n = KeySigned, len(steps)
			changed, steps = append(changed, n), append(steps, s)
		}
		sends = append(sends, n)
	}
	if len(changed) > 0 {
		err = e.store(ctx, func(next *Entry) error { next.Steps = slices.Clone(steps); return nil })
	}
	if err == nil {
		err = e.ownBytes(ctx, countable(steps, sends))
	}
	switch {
	case err == nil:
		err = e.store(ctx, func(next *Entry) error {
			next.Prepared.Submitted, next.Steps = e.w.now(), slices.Clone(steps)
			for _, i := range sends {
				next.Steps[i].State, next.Steps[i].Yields = KeyInDoubt, false // the owner may have sent it
			}
			next.State = next.front()
			return nil
		})
	case len(changed) > 0:
		if steps, unread := e.returned(ctx); unread == nil { // else takeOver does
			_ = e.store(ctx, func(next *Entry) error { next.Steps = slices.Clone(steps); return nil })
		}
	}
	e.result.Steps = resultSteps(e.entry)
	return sends, err
}

// countable are the steps but those that came back before and are not sent now.
func countable(steps []EntryStep, sends []int) (all []EntryStep) {
	for i, s := range steps {
		if s.InPlaceOf == 0 || slices.Contains(sends, i) {
			all = append(all, s)
		}
	}
	return all
}

// changed are the debits of what came back as another message: the one that was given away counts already.
func (e *execution) changed(txs []*signing.Transaction) []Debit {
	return slices.DeleteFunc(e.debits(txs, e.result.Report, 0), func(d Debit) bool {
		return slices.ContainsFunc(e.entry.Steps, func(s EntryStep) bool { return s.Debit == d.ID })
	})
}

// sendInOrder sends each transaction and follows it to its end before the next.
func (e *execution) sendInOrder(ctx context.Context, sends []int, opts SubmitOptions) error {
	for i, step := range sends {
		if i > 0 {
			if err := e.stillValid(ctx, step); err != nil {
				e.result.Steps[i].Err = unknown(e.entry.Steps[step].Signature, err)
				return e.result.stoppedAt(i)
			}
		}
		doors := e.w.doorsFor(e.entry, step)
		err := e.store(ctx, func(next *Entry) error {
			for _, d := range doors {
				next.Steps[step].Doors = append(next.Steps[step].Doors, d.name)
			}
			return nil
		})
		if err != nil {
			e.result.Steps[i].Err = unknown(e.entry.Steps[step].Signature, fmt.Errorf("it was not sent: %w", err))
			return e.result.stoppedAt(i)
		}
		steps := map[int][]*door{i: nil} // what was given away may execute too
		steps[step] = doors
		if err := e.followGiven(ctx, steps); err != nil {
			return err
		}
		if opts.Progress != nil {
			opts.Progress(i+1, len(sends))
		}
	}
	return nil
}

// tooLate follows what came back after its time, without sending it.
func (e *execution) tooLate(ctx context.Context) (*Result, error) {
	e.result.Steps = resultSteps(e.entry)
	steps := map[int][]*door{}
	for _, i := range e.entry.open() {
		steps[i] = nil
	}
	return e.result, e.followGiven(ctx, steps)
}

// followGiven follows steps, sent by their doors, to their end or to ctx's.
func (e *execution) followGiven(ctx context.Context, steps map[int][]*door) error {
	j := e.journey()
	var parcels []*parcel
	for i, doors := range steps {
		parcels = append(parcels, j.load(ctx, []int{i}, doors, true))
	}
	for _, c := range parcels {
		e.w.tracker.add(c)
	}
	j.keep(ctx, ctx.Done(), func() {
		for _, c := range parcels {
			e.w.tracker.drop(c, ctx.Err())
		}
	})
	e.contest(j.flights)
	change := func(next *Entry) error {
		next.learn(e.w.tracker, j.flights)
		return next.apply(j.flights)
	}
	if err := e.store(context.Background(), change); err != nil {
		e.owe(err, change)
	}
	counts := map[int]*flight{} // of the two messages of a transaction, as Entry.counted has it
	for _, i := range slices.Sorted(maps.Keys(j.flights)) {
		f := j.flights[i]
		number := f.step.number(i)
		if counts[number] == nil || tells(f.verdict) >= tells(counts[number].verdict) {
			counts[number] = f
		}
	}
	numbers := slices.Sorted(maps.Keys(counts))
	for _, number := range numbers {
		e.result.Steps[number].take(counts[number])
	}
	return e.result.stopped(numbers)
}
