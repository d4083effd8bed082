package wallet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
)

// settle asks for a sent transaction's status until it is final one way or the
// other. lost is the submitter's error where its answer was lost.
func (w *Wallet) settle(ctx context.Context, u walletfi.Unsigned, step *Step, lost error) error {
	step.State = StateUnknown
	if step.Signature == "" {
		return unknown(step, errors.Join(errors.New("the signature is not known"), lost))
	}
	var last error // of the questions
	expired := false
	deadline := time.Now().Add(w.timeout)
	for wait := w.pollEvery; ; wait = min(2*wait, maxPoll) {
		status, err := w.confirmer.SignatureStatus(ctx, step.Signature)
		last = err
		switch {
		case err != nil:
		case status.Found && status.Err != "":
			step.State, step.Status = StateFailed, status
			return fmt.Errorf("%w: the ledger says %s", walletfi.ErrRejected, status.Err)
		case status.Confirmed(w.commitment):
			step.State, step.Status = StateConfirmed, status
			return nil
		case !status.Found && expired:
			// Asked once more, a while after the height had passed, and not there.
			step.State = StateExpired
			return errors.Join(ErrExpired, lost)
		default:
			step.Status = status
		}
		if err == nil && !status.Found {
			expired = w.past(ctx, u)
		}
		if w.boundByTime(u) && time.Now().After(deadline) {
			return unknown(step, errors.Join(fmt.Errorf("no confirmation within %v", w.timeout), lost, last))
		}
		if err := sleep(ctx, wait); err != nil {
			return unknown(step, errors.Join(err, lost, last))
		}
	}
}

// boundByTime: nothing but the clock ends the wait.
func (w *Wallet) boundByTime(u walletfi.Unsigned) bool {
	return u.LastValidBlockHeight == 0 || w.heights == nil
}

// past reports whether the ledger is past the height at which u can land. A
// height that cannot be learnt is not past.
func (w *Wallet) past(ctx context.Context, u walletfi.Unsigned) bool {
	if w.boundByTime(u) {
		return false
	}
	height, err := w.heights.BlockHeight(ctx)
	return err == nil && height > u.LastValidBlockHeight
}

func unknown(step *Step, cause error) error {
	return &walletfi.OutcomeUnknownError{Signature: step.Signature, Cause: cause}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
