package wallet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/pause"
)

// settle polls the status of a sent transaction until it is final. lost is the
// submitter's error if its answer was lost.
//
// It ends with an unknown outcome ConfirmTimeout after the ledger was last seen
// at a height at which the transaction could land, or after the start if no
// height is known.
func (w *Wallet) settle(ctx context.Context, u walletfi.Unsigned, step *Step, lost error) error {
	step.State = StateUnknown
	if step.Signature == "" {
		return unknown(step, errors.Join(errors.New("the signature is not known"), lost))
	}
	expired, seen := false, time.Now()
	for wait := w.pollEvery; ; wait = min(2*wait, maxPoll) {
		status, err := w.confirmer.SignatureStatus(ctx, step.Signature)
		if err == nil {
			step.Status = status
			if final, err := w.verdict(step, expired); final {
				if step.State == StateExpired {
					err = errors.Join(err, lost)
				}
				return err
			}
		}
		// The height is read after the status. A transaction that is not found by the
		// next poll, after the height has passed, will never land.
		switch past, known := w.past(ctx, u); {
		case past:
			expired = true
		case known:
			seen = time.Now()
		}
		if time.Since(seen) > w.timeout {
			return unknown(step, errors.Join(fmt.Errorf("no confirmation within %v", w.timeout), lost, err))
		}
		if stop := pause.For(ctx, wait); stop != nil {
			return unknown(step, errors.Join(stop, lost, err))
		}
	}
}

// verdict reports whether a status is final. A failure must have the wallet's
// commitment, as a success must, or the transaction must have expired: after a
// fork is abandoned, the same transaction may succeed.
func (w *Wallet) verdict(step *Step, expired bool) (final bool, err error) {
	switch status := step.Status; {
	case status.Confirmed(w.commitment):
		step.State = StateConfirmed
		return true, nil
	case status.Found && status.Err != "" && (expired || status.Commitment.AtLeast(w.commitment)):
		step.State = StateFailed
		return true, fmt.Errorf("%w: the ledger says %s", walletfi.ErrRejected, status.Err)
	case !status.Found && expired:
		step.State = StateExpired
		return true, ErrExpired
	}
	return false, nil
}

// past reports whether the ledger is past the last height at which u can land,
// and whether that is known.
func (w *Wallet) past(ctx context.Context, u walletfi.Unsigned) (past, known bool) {
	if u.LastValidBlockHeight == 0 || w.heights == nil {
		return false, false
	}
	height, err := w.heights.BlockHeight(ctx)
	return err == nil && height > u.LastValidBlockHeight, err == nil
}

func unknown(step *Step, cause error) error {
	return &walletfi.OutcomeUnknownError{Signature: step.Signature, Cause: cause}
}
