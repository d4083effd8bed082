package wallet

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
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

// ledger remembers the intents whose outcome is open, in memory.
type ledger struct {
	mu   sync.Mutex
	open map[string][]Unsettled // by the intent's JSON; empty while an Execute runs
}

// Unsettled lists the transactions whose outcome is not known, the oldest
// first.
func (w *Wallet) Unsettled() []Unsettled {
	w.unsettled.mu.Lock()
	defer w.unsettled.mu.Unlock()
	var all []Unsettled
	for _, left := range w.unsettled.open {
		for _, u := range left {
			u.Intent = u.Intent.Clone()
			all = append(all, u)
		}
	}
	slices.SortStableFunc(all, func(a, b Unsettled) int { return a.Since.Compare(b.Since) })
	return all
}

// Remember puts transactions back that an earlier run of the program signed,
// as Config.OnSigned or Unsettled told them: until each of them has failed or
// expired, their intents are not signed again.
func (w *Wallet) Remember(earlier ...Unsettled) {
	w.unsettled.mu.Lock()
	defer w.unsettled.mu.Unlock()
	for _, u := range earlier {
		key := keyOf(u.Intent)
		u.Intent = u.Intent.Clone()
		w.unsettled.put(key, append(w.unsettled.open[key], u))
	}
}

// Forget lets an intent be executed again although an earlier transaction of
// it may have landed or may still land. One that is being executed stays.
func (w *Wallet) Forget(intent walletfi.Intent) {
	w.unsettled.mu.Lock()
	defer w.unsettled.mu.Unlock()
	if key := keyOf(intent); len(w.unsettled.open[key]) > 0 {
		delete(w.unsettled.open, key)
	}
}

// put is called under the lock. Nothing left open is nothing kept.
func (l *ledger) put(key string, left []Unsettled) {
	if l.open == nil {
		l.open = map[string][]Unsettled{}
	}
	if len(left) == 0 {
		delete(l.open, key)
		return
	}
	l.open[key] = left
}

// claim takes an intent for one Execute, after settling what an earlier one
// left open. release gives it back.
func (w *Wallet) claim(ctx context.Context, intent walletfi.Intent) (release func(*execution), err error) {
	key, l := keyOf(intent), &w.unsettled
	l.mu.Lock()
	earlier, taken := l.open[key]
	if taken && len(earlier) == 0 {
		l.mu.Unlock()
		return nil, &UnsettledError{Running: true}
	}
	if l.open == nil {
		l.open = map[string][]Unsettled{}
	}
	l.open[key] = nil
	l.mu.Unlock()
	release = func(e *execution) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.put(key, append(l.open[key], e.leftOpen()...)) // what was remembered meanwhile stays
	}
	for i := range earlier {
		if err := w.settleEarlier(ctx, &earlier[i]); err != nil {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.put(key, append(l.open[key], earlier[i:]...))
			return nil, err
		}
	}
	return release, nil
}

// settleEarlier returns nil only where the earlier transaction was executed and
// failed, or is not there and cannot land any more. One whose signature is not
// known cannot be asked for, so that its expiry proves nothing.
func (w *Wallet) settleEarlier(ctx context.Context, earlier *Unsettled) error {
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

func keyOf(intent walletfi.Intent) string {
	key, _ := json.Marshal(intent)
	return string(key)
}
