package wallet

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
)

// UnsettledError reports that an earlier [Wallet.Execute] had the same intent
// and its transaction may have landed or may still land. Signing another
// transaction could execute the intent twice.
type UnsettledError struct {
	Signature string                   // of the earlier transaction, base58; empty if not known
	Status    walletfi.SignatureStatus // its status on the ledger now
	Running   bool                     // the earlier Execute has not returned yet
}

// Error names the earlier transaction and its state.
func (e *UnsettledError) Error() string {
	switch {
	case e.Running:
		return "the same intent is being executed"
	case e.Signature == "":
		return "the same intent may have been executed, with a signature that is not known; check the owner's account, then call Forget"
	case e.Status.Found:
		return fmt.Sprintf("the same intent was executed before: %s is on the ledger; call Forget to execute it again", e.Signature)
	}
	return fmt.Sprintf("the same intent may still land: ask for the status of %s", e.Signature)
}

// Unwrap returns [walletfi.ErrOutcomeUnknown].
func (e *UnsettledError) Unwrap() error { return walletfi.ErrOutcomeUnknown }

// Unsettled is a transaction whose outcome is not known. It can be stored as
// JSON.
type Unsettled struct {
	Intent               walletfi.Intent
	Signature            string // base58, empty if not known
	LastValidBlockHeight uint64 // 0 if not known
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

// settleEarlier returns nil only if the earlier transaction was executed and
// failed, or was not found and cannot land any more. If its signature is not
// known, its status cannot be read, and its expiry proves nothing.
func (w *Wallet) settleEarlier(ctx context.Context, earlier Unsettled) error {
	open := &UnsettledError{Signature: earlier.Signature}
	if earlier.Signature == "" {
		return open
	}
	// The height is read first: a transaction that is not found after the height
	// has passed will never land.
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

// unsettled returns a step as an Unsettled transaction.
func (e *execution) unsettled(step Step) Unsettled {
	return Unsettled{
		Intent: e.unsigned.Intent.Clone(), Signature: step.Signature,
		LastValidBlockHeight: e.unsigned.LastValidBlockHeight, Since: time.Now(),
	}
}
