package wallet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// Execute guards and signs all transactions of u, then submits them in order
// and confirms each before the next. The error is nil if all are confirmed.
// Otherwise it is
//
//   - a *signing.GuardError if the guard refused: nothing was signed or sent,
//     and the Result holds only its report;
//   - a *StepError at the first transaction that is not confirmed, and the
//     Result holds the state of each;
//   - an *UnsettledError if an earlier Execute of the same intent may still
//     land: nothing was signed or sent.
//
// If an answer is lost, Execute asks for the signature's status until the
// transaction can no longer land. It never builds again. opts tell the guard
// what u does not contain, such as [signing.WithNonce].
//
// Executing the same set again after an error repeats all of it, including what
// was confirmed before the set stopped: build new transactions for the rest.
func (w *Wallet) Execute(ctx context.Context, u walletfi.Unsigned, opts ...signing.Option) (*Result, error) {
	return w.run(ctx, u, opts, w.inOrder)
}

// ExecuteBundle is [Wallet.Execute] for transactions that land together or not
// at all: it sends them as one bundle and then confirms them.
func (w *Wallet) ExecuteBundle(ctx context.Context, u walletfi.Unsigned, bundles walletfi.BundleSubmitter, opts ...signing.Option) (*Result, error) {
	return w.run(ctx, u, opts, func(ctx context.Context, e *execution) error { return w.together(ctx, e, bundles) })
}

// execution is an Execute in progress.
type execution struct {
	unsigned walletfi.Unsigned
	result   *Result
}

func (w *Wallet) run(ctx context.Context, u walletfi.Unsigned, opts []signing.Option, send func(context.Context, *execution) error) (*Result, error) {
	if len(u.Transactions) == 0 {
		return nil, &walletfi.ValidationError{Field: "transactions", Problem: "must not be empty"}
	}
	release, err := w.claim(ctx, u.Intent)
	if err != nil {
		return nil, err
	}
	e := &execution{unsigned: u, result: &Result{}}
	defer func() { release(e) }()
	height, err := w.height(ctx)
	if err != nil {
		return nil, err
	}
	txs, report, err := w.guard.SignSet(ctx, u, w.signer, slices.Concat(height, opts)...)
	e.result.Report = report
	if err != nil {
		return e.result, err
	}
	for _, tx := range txs {
		e.result.Steps = append(e.result.Steps, newStep(tx))
	}
	if err := w.reportSigned(ctx, e); err != nil {
		return e.result, err
	}
	return e.result, send(ctx, e)
}

// reportSigned passes the signed transactions to Config.OnSigned before they
// are sent.
func (w *Wallet) reportSigned(ctx context.Context, e *execution) error {
	if w.onSigned == nil {
		return nil
	}
	pending := make([]Unsettled, len(e.result.Steps))
	for i, step := range e.result.Steps {
		pending[i] = e.unsettled(step)
	}
	if err := w.onSigned(ctx, pending); err != nil {
		return e.stop(0, StateNotSent, fmt.Errorf("nothing was sent, because OnSigned failed: %w", err))
	}
	return nil
}

// height lets the guard compare the last valid block height with the ledger's
// height.
func (w *Wallet) height(ctx context.Context) ([]signing.Option, error) {
	if w.heights == nil {
		return nil, nil
	}
	height, err := w.heights.BlockHeight(ctx)
	if err != nil {
		return nil, fmt.Errorf("nothing was signed, because the block height is not known: %w", err)
	}
	return []signing.Option{signing.AtBlockHeight(height)}, nil
}

func newStep(tx *signing.Transaction) Step {
	signed := tx.Signed()
	return Step{State: StateNotSent, Signature: signed.Signature, Signed: signed}
}

// inOrder submits each transaction and settles it before the next.
func (w *Wallet) inOrder(ctx context.Context, e *execution) error {
	for i := range e.result.Steps {
		step := &e.result.Steps[i]
		if i > 0 {
			if err := w.stillValid(ctx, e.unsigned); err != nil {
				return e.stop(i, unsentState(err), err)
			}
		}
		signature, err := w.submitter.Submit(ctx, step.Signed)
		if step.Signature == "" && signedBy(step.Signed, signature) {
			step.Signature = signature
		}
		if err != nil && !maybeSent(err) {
			err = refused(i, err)
			return e.stop(i, unsentState(err), err)
		}
		if err := w.settle(ctx, e.unsigned, step, err); err != nil {
			return e.stop(i, step.State, err)
		}
	}
	return nil
}

// together submits all transactions at once and settles each.
func (w *Wallet) together(ctx context.Context, e *execution, bundles walletfi.BundleSubmitter) error {
	all := make([]walletfi.Signed, len(e.result.Steps))
	for i, step := range e.result.Steps {
		all[i] = step.Signed
	}
	_, lost := bundles.SubmitBundle(ctx, all)
	if lost != nil && !maybeSent(lost) {
		return e.stop(0, StateNotSent, lost)
	}
	var first error
	for i := range e.result.Steps {
		step := &e.result.Steps[i]
		if err := w.settle(ctx, e.unsigned, step, lost); err != nil {
			first = cmp.Or(first, e.stop(i, step.State, err))
		}
	}
	return first
}

// stop records why step i is not confirmed.
func (e *execution) stop(i int, state State, cause error) error {
	step := &e.result.Steps[i]
	step.State, step.Err = state, cause
	return &StepError{Index: i, State: state, Signature: step.Signature, Cause: cause}
}

// signedBy reports whether signature, which a submitter returned, is the fee
// payer's signature over tx. Otherwise its status would prove nothing: the
// submitter could return the signature of any transaction that succeeded.
func signedBy(tx walletfi.Signed, signature string) bool {
	s, err := signing.ParseSignature(signature)
	if err != nil {
		return false
	}
	sent, err := signing.Decode(tx.Transaction)
	return err == nil && s.Verify(sent.FeePayer(), sent.Message())
}

// maybeSent reports whether the transaction may land after err of a submitter.
func maybeSent(err error) bool {
	return errors.Is(err, walletfi.ErrOutcomeUnknown) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// stillValid returns an error if the transaction cannot land any more because
// the confirmations before it took too long.
func (w *Wallet) stillValid(ctx context.Context, u walletfi.Unsigned) error {
	if u.LastValidBlockHeight == 0 || w.heights == nil {
		return nil
	}
	height, err := w.heights.BlockHeight(ctx)
	if err != nil {
		return fmt.Errorf("not sent, because the block height is not known: %w", err)
	}
	if height > u.LastValidBlockHeight {
		return fmt.Errorf("%w: block height %d is past %d; ask for a new quote", ErrExpired, height, u.LastValidBlockHeight)
	}
	return nil
}

// refused interprets a submitter's refusal of transaction i. If the ledger does
// not know the blockhash but has just confirmed a transaction of the same set,
// the blockhash has expired; not every builder states a last valid height. For
// the first transaction, the ledger may not know the blockhash yet.
func refused(i int, err error) error {
	if i > 0 && errors.Is(err, walletfi.ErrBlockhashNotFound) {
		return fmt.Errorf("%w; ask for a new quote: %w", ErrExpired, err)
	}
	return err
}

func unsentState(err error) State {
	if errors.Is(err, ErrExpired) {
		return StateExpired
	}
	return StateNotSent
}
