package wallet

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
)

// UnsettledError is an intent that an earlier Execute was asked for and whose
// transaction may have landed or may still land: signing another one could do
// the same thing twice.
type UnsettledError struct {
	Signature string                   // of the earlier transaction, base58; empty where it is not known
	Status    walletfi.SignatureStatus // what the ledger says of it now
	Running   bool                     // the earlier Execute has not returned yet
}

// Error says what is in the way.
func (e *UnsettledError) Error() string {
	switch {
	case e.Running:
		return "the same intent is being executed"
	case e.Signature == "":
		return "the same intent may have been executed, under a signature that is not known; look at the owner's account, then Forget it"
	case e.Status.Found:
		return fmt.Sprintf("the same intent was executed before: %s is on the ledger; Forget it to do it again", e.Signature)
	}
	return fmt.Sprintf("the same intent may still land: ask for the status of %s", e.Signature)
}

// Unwrap returns walletfi.ErrOutcomeUnknown.
func (e *UnsettledError) Unwrap() error { return walletfi.ErrOutcomeUnknown }

// Unsettled is a transaction whose outcome is not known. It is plain data, to be
// kept as JSON.
type Unsettled struct {
	Intent               walletfi.Intent
	Signature            string // base58, empty where it is not known
	LastValidBlockHeight uint64 // 0 where it is not known
	Since                time.Time
}

// Unsettled lists the transactions whose outcome is not known, the oldest
// first.
func (w *Wallet) Unsettled() []Unsettled {
	all := w.records.list()
	slices.SortStableFunc(all, func(a, b Unsettled) int { return a.Since.Compare(b.Since) })
	return all
}

// Remember restores transactions that an earlier run of the program signed, as
// Config.OnSigned received them or Unsettled listed them. Their intents are not
// signed again until each of these transactions has failed or expired.
func (w *Wallet) Remember(earlier ...Unsettled) {
	for _, u := range earlier {
		w.records.add(u)
	}
}

// Forget lets an intent be executed again although an earlier transaction of
// it may have landed or may still land. It does nothing while the intent is
// being executed.
func (w *Wallet) Forget(intent walletfi.Intent) { w.records.forget(keyOf(intent)) }

// claim reserves an intent for one Execute, after settling the transactions
// that an earlier one left unsettled. The caller must call release.
func (w *Wallet) claim(ctx context.Context, intent walletfi.Intent) (release func(*execution), err error) {
	key := keyOf(intent)
	earlier, ok := w.records.begin(key)
	if !ok {
		return nil, &UnsettledError{Running: true}
	}
	for i, u := range earlier {
		if err := w.settleEarlier(ctx, u); err != nil {
			w.records.end(key, i, nil)
			return nil, err
		}
	}
	return func(e *execution) { w.records.end(key, len(earlier), e.leftOpen()) }, nil
}

// settleEarlier returns nil only where the earlier transaction was executed and
// failed, or is not there and cannot land any more. One whose signature is not
// known cannot be asked for, so that its expiry proves nothing.
func (w *Wallet) settleEarlier(ctx context.Context, earlier Unsettled) error {
	open := &UnsettledError{Signature: earlier.Signature}
	if earlier.Signature == "" {
		return open
	}
	// The height is asked first: a transaction that is not there after it
	// passed never will be.
	past, _ := w.past(ctx, walletfi.Unsigned{LastValidBlockHeight: earlier.LastValidBlockHeight})
	status, err := w.confirmer.SignatureStatus(ctx, earlier.Signature)
	if err != nil {
		return fmt.Errorf("%w: %w", open, err)
	}
	open.Status = status
	step := Step{Status: status}
	if final, _ := w.verdict(&step, past); final && step.State != StateConfirmed {
		return nil
	}
	return open
}

// leftOpen returns the transactions whose outcome is not known.
func (e *execution) leftOpen() []Unsettled {
	var left []Unsettled
	for _, step := range e.result.Steps {
		if step.State == StateUnknown {
			left = append(left, e.unsettled(step))
		}
	}
	return left
}

// unsettled is a step as one that may land.
func (e *execution) unsettled(step Step) Unsettled {
	return Unsettled{
		Intent: e.unsigned.Intent.Clone(), Signature: step.Signature,
		LastValidBlockHeight: e.unsigned.LastValidBlockHeight, Since: time.Now(),
	}
}
