package wallet

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
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
	case e.Status.Found:
		return fmt.Sprintf("the same intent was executed before: %s is on the ledger; Forget it to do it again", e.Signature)
	}
	return fmt.Sprintf("the same intent may still land: ask for the status of %s", e.Signature)
}

// Unwrap returns walletfi.ErrOutcomeUnknown.
func (e *UnsettledError) Unwrap() error { return walletfi.ErrOutcomeUnknown }

// Unsettled is a transaction whose outcome is not known.
type Unsettled struct {
	Intent               walletfi.Intent
	Signature            string // base58, empty where it is not known
	LastValidBlockHeight uint64 // 0 where it is not known
	Since                time.Time
}

// ledger remembers the intents whose outcome is open, in memory.
type ledger struct {
	mu   sync.Mutex
	open map[string]*Unsettled // by the intent's JSON; nil while an Execute runs
}

// Unsettled lists the transactions whose outcome is not known. A program that
// restarts forgets them, so one that must not keeps the Result of each Execute.
func (w *Wallet) Unsettled() []Unsettled {
	w.unsettled.mu.Lock()
	defer w.unsettled.mu.Unlock()
	var all []Unsettled
	for _, u := range w.unsettled.open {
		if u != nil {
			all = append(all, *u)
		}
	}
	return all
}

// Forget lets an intent be executed again although an earlier transaction of
// it may have landed or may still land.
func (w *Wallet) Forget(intent walletfi.Intent) {
	w.unsettled.mu.Lock()
	defer w.unsettled.mu.Unlock()
	if key := keyOf(intent); w.unsettled.open[key] != nil {
		delete(w.unsettled.open, key)
	}
}

// claim takes an intent for one Execute, after settling what an earlier one
// left open. release gives it back.
func (w *Wallet) claim(ctx context.Context, intent walletfi.Intent) (release func(*execution), err error) {
	key := keyOf(intent)
	w.unsettled.mu.Lock()
	earlier, taken := w.unsettled.open[key]
	if taken && earlier == nil {
		w.unsettled.mu.Unlock()
		return nil, &UnsettledError{Running: true}
	}
	if w.unsettled.open == nil {
		w.unsettled.open = map[string]*Unsettled{}
	}
	w.unsettled.open[key] = nil
	w.unsettled.mu.Unlock()
	if earlier != nil {
		if err := w.settleEarlier(ctx, earlier); err != nil {
			w.put(key, earlier)
			return nil, err
		}
	}
	return func(e *execution) { w.put(key, e.leftOpen()) }, nil
}

// settleEarlier returns nil only where the earlier transaction cannot land any
// more, or was executed and failed.
func (w *Wallet) settleEarlier(ctx context.Context, earlier *Unsettled) error {
	u := walletfi.Unsigned{LastValidBlockHeight: earlier.LastValidBlockHeight}
	// The height is asked first: a transaction that is not there after it
	// passed never will be.
	past := w.past(ctx, u)
	open := &UnsettledError{Signature: earlier.Signature}
	if earlier.Signature == "" {
		if past {
			return nil
		}
		return open
	}
	status, err := w.confirmer.SignatureStatus(ctx, earlier.Signature)
	if err != nil {
		return fmt.Errorf("%w: %w", open, err)
	}
	open.Status = status
	if status.Found && status.Err != "" || !status.Found && past {
		return nil
	}
	return open
}

func (w *Wallet) put(key string, u *Unsettled) {
	w.unsettled.mu.Lock()
	defer w.unsettled.mu.Unlock()
	if u == nil {
		delete(w.unsettled.open, key)
		return
	}
	w.unsettled.open[key] = u
}

// leftOpen returns the first transaction whose outcome is not known, nil where
// there is none.
func (e *execution) leftOpen() *Unsettled {
	for _, step := range e.result.Steps {
		if step.State == StateUnknown {
			return &Unsettled{
				Intent: e.unsigned.Intent.Clone(), Signature: step.Signature,
				LastValidBlockHeight: e.unsigned.LastValidBlockHeight, Since: time.Now(),
			}
		}
	}
	return nil
}

func keyOf(intent walletfi.Intent) string {
	key, _ := json.Marshal(intent)
	return string(key)
}
