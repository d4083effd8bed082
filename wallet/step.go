package wallet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet/internal/evidence"
	"github.com/walletfi/walletfi-go/wallet/internal/fees"
)

// A set whose simulator does not run it in order is signed step by step: all of it is
// checked first, one transaction is signed, sent and confirmed, and the next is checked
// on what that has left. A step that is not signed is claimed in the journal, which keeps
// the set.

// mostKept bounds the text of a set in the journal: 16 transactions of any format.
const mostKept = 96 << 10

// goOn says how to continue a set that has stopped. Of one that is signed step by step, the
// journal has the transactions, or knows those that are left by their messages.
func (e *execution) goOn() string {
	const rest = "build anew for what remains, under another key"
	switch stepwise := e.entry.Steps[0].Message != ""; {
	case !stepwise || e.entry.Derived:
		return rest
	case e.entry.Set == nil:
		return "Execute with the same key and the same transactions goes on; or " + rest
	}
	return "Place or Execute with the same key goes on; or " + rest
}

// blindLater reports a refusal of a whole set with which nothing is wrong but that nothing
// shows what a later transaction does.
func (e *execution) blindLater(err error) bool {
	refusal, ok := errors.AsType[*signing.GuardError](err)
	return ok && refusal.Rule == signing.RuleBlind && refusal.Transaction > 0 && len(e.result.Report.Also) == 0
}

// inSteps has a set signed step by step, or says with its refusal why it is signed whole or
// not at all, and what to do.
func (e *execution) inSteps(o ExecuteOptions, refusal error) error {
	why := ""
	switch {
	case e.entry.Bundle:
		why = "as it is sent as a bundle: execute it in order"
	case o.Approved != "":
		why = "as a person has approved the report on all of it: have it checked on a node that runs sets in order"
	case e.w.changes == nil:
		why = "as no node tells what a transaction has changed: set Config.Effects, such as an rpcnode.Client"
	default:
		e.stepwise = true
		return nil
	}
	return fmt.Errorf("%w; it cannot be signed step by step, %s", refusal, why)
}

// newSteps are those of a set, and which of them are signed: all, if none is named. Of a
// set that is signed step by step the first is, and what can be kept of the set is kept.
func (e *execution) newSteps(
	u walletfi.Unsigned, o ExecuteOptions, txs []*signing.Transaction,
) (steps []EntryStep, signed []int, kept *EntrySet, err error) {
	for i, tx := range txs {
		steps = append(steps, e.signedStep(tx, i, u, o))
	}
	if !e.stepwise {
		return steps, nil, nil, nil
	}
	set, err := signing.DecodeAll(u)
	if err != nil {
		return nil, nil, nil, err
	}
	steps[0].Message = messageID(set[0])
	for _, tx := range set[1:] {
		steps = append(steps, EntryStep{
			State: KeyClaimed, Message: messageID(tx), Blockhash: tx.Blockhash().String(), Last: u.LastValidBlockHeight,
		})
	}
	return steps, []int{0}, e.kept(u, set), nil
}

// kept returns the set for the journal, nil if it is too large, or of no use: a key that was
// derived does not go on.
func (e *execution) kept(u walletfi.Unsigned, txs []*signing.Transaction) *EntrySet {
	set := &EntrySet{LastValidBlockHeight: u.LastValidBlockHeight, Blockhash: u.Blockhash}
	size := 0
	for _, tx := range txs {
		text := tx.Base64()
		size += len(text)
		set.Transactions = append(set.Transactions, text)
	}
	if size > mostKept || e.entry.Derived {
		return nil
	}
	return set
}

// messageID identifies what is signed.
func messageID(tx *signing.Transaction) string {
	digest := sha256.Sum256(tx.Message())
	return hex.EncodeToString(digest[:])
}

// signNext signs step i, which has not been signed, or ends the execution before it.
func (e *execution) signNext(ctx context.Context, u walletfi.Unsigned, o ExecuteOptions, i int) error {
	err := e.signStep(ctx, u, o, i)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrExpired):
		return e.stop(i, fmt.Errorf("%w; build what remains under another key", err))
	}
	return e.stop(i, notSent(fmt.Errorf("the execution stopped before it: %w; %s", err, e.goOn())))
}

func (e *execution) signStep(ctx context.Context, u walletfi.Unsigned, o ExecuteOptions, i int) error {
	if o.Approved != "" {
		return errors.New("what was approved is all of the set")
	}
	if err := e.affordable(u, i); err != nil {
		return err
	}
	e.stepwise, e.executed = true, nil
	for _, done := range e.result.Steps[:i] {
		changes, err := e.w.changesOf(ctx, done)
		if err != nil {
			return err
		}
		e.executed = append(e.executed, changes)
	}
	head, txs, err := e.guarded(ctx, u, o, 0)
	for try := 0; try < behindWait && (errors.Is(err, walletfi.ErrUnavailable) || e.lacksTable(err)); try++ {
		if clock.Wait(ctx, e.w.tracker.clock, behindLook) != nil {
			break
		}
		head, txs, err = e.guarded(ctx, u, o, 0)
	}
	if last := u.LastValidBlockHeight; lifetimeOver(err) && last > 0 && head.Height >= last {
		return fmt.Errorf("%w: block height %d has reached %d", ErrExpired, head.Height, last)
	}
	if err != nil {
		return err
	}
	step := e.signedStep(txs[0], i, u, o)
	step.Message = e.entry.Steps[i].Message
	if step.Message != messageID(txs[0]) {
		return errors.New("the transaction is another one than before")
	}
	if err := e.begun(ctx, []EntryStep{step}, head); err != nil {
		return err
	}
	err = e.store(ctx, func(next *Entry) error {
		next.Steps[i], next.SignedAt = step, e.w.now()
		return next.move(evSign, i)
	})
	if err != nil {
		return fmt.Errorf("the journal did not take it: %w", err)
	}
	e.result.Steps[i] = resultSteps(e.entry)[i]
	return e.ownBytes(ctx, e.entry.Steps)
}

// signedStep is a signed transaction, the report's of that number, with what is known before it is
// sent.
func (e *execution) signedStep(tx *signing.Transaction, i int, u walletfi.Unsigned, o ExecuteOptions) EntryStep {
	s := newStep(tx, o.Signer.PublicKey(), u.LastValidBlockHeight)
	s.Evidence = &walletfi.Evidence{After: e.final, Unsure: e.unsure, Told: s.Last}
	cost := fees.Of(tx, o.Signer.PublicKey())
	s.Fee, s.Price = walletfi.Amount(cost.Lamports()), cost.Price
	if e.w.tips != nil {
		s.Tip = fees.TipOf(e.result.Report, i)
	}
	if e.w.spend != nil {
		s.Debit = messageID(tx)
	}
	return s
}

// stopped reports an entry whose set stopped between two steps.
func (e Entry) stopped() bool {
	if e.Bundle || e.Derived {
		return false
	}
	left := false
	for _, s := range e.Steps {
		switch {
		case s.Message == "":
			return false
		case s.State == KeyReleased:
			left = true
		case s.State != KeyConfirmed || left:
			return false
		}
	}
	return left && e.Spent()
}

// rest is the set that an entry stopped between two steps of: the one that the journal has
// kept, else u if that has the same transactions. It was asked for what the first step was
// judged by.
func (e Entry) rest(u walletfi.Unsigned) (*walletfi.Unsigned, bool) {
	if !e.stopped() {
		return nil, false
	}
	if kept := e.Set; kept != nil {
		u = walletfi.Unsigned{LastValidBlockHeight: kept.LastValidBlockHeight, Blockhash: kept.Blockhash}
		for _, tx := range kept.Transactions {
			u.Transactions = append(u.Transactions, tx)
		}
	}
	txs, err := signing.DecodeAll(u)
	if err != nil || len(txs) != len(e.Steps) {
		return nil, false
	}
	for i, s := range e.Steps {
		if s.Message != messageID(txs[i]) {
			return nil, false
		}
	}
	u.Intent = e.Asked.Clone()
	return &u, true
}

// resume claims again what a set that stopped between two steps has left to do.
func (e *execution) resume(ctx context.Context, fresh Entry, rest *walletfi.Unsigned) error {
	err := e.store(ctx, func(next *Entry) error {
		next.Holder = e.w.holder
		for i, s := range next.Steps {
			if s.State == KeyReleased {
				if err := next.move(evClaim, i); err != nil {
					return err
				}
			}
		}
		return nil
	})
	switch {
	case errors.Is(err, ErrFenced):
		return e.w.inUse(ctx, fresh, &UnsettledError{Running: true})
	case err != nil:
		return &stoppedError{fmt.Errorf("nothing more was signed, because the journal did not take it: %w", err)}
	}
	e.rest, e.result = rest, &Result{Steps: resultSteps(e.entry)}
	for i := range e.result.Steps {
		if s := &e.result.Steps[i]; s.State == StateConfirmed {
			s.Status.Commitment = e.w.tracker.commitment
		}
	}
	return nil
}

// stepsSource returns what tells the effects of a set's earlier transactions: the nodes of
// the confirmer's panel, else a node that can.
func stepsSource(cfg Config, several *evidence.Panel) walletfi.EffectsReader {
	if several != nil {
		return several.Effects()
	}
	return find[walletfi.EffectsReader](cfg.Effects, cfg.Confirmer, cfg.Heights, cfg.Submitter)
}

// changesOf asks what an executed step has really changed.
func (w *Wallet) changesOf(ctx context.Context, s Step) (*walletfi.Effects, error) {
	ctx, cancel := context.WithTimeout(ctx, effectsTimeout)
	defer cancel()
	return w.effectsFrom(ctx, w.changes, s)
}
