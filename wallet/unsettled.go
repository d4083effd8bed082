package wallet

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
)

// UnsettledError is a key that an earlier Execute was asked for and whose
// transaction may have landed or may still land: signing another one could do
// the same thing twice.
type UnsettledError struct {
	Signature string `json:"signature,omitempty"` // of the earlier transaction, base58; empty if it is not known
	// Signatures are the owner's, base58, of all transactions in doubt. Listed in
	// ExecuteOptions.Force, they let the key be executed although all of them may
	// still land.
	Signatures []string `json:"signatures,omitempty"`
	Running    bool     `json:"running,omitempty"` // an Execute works on the key now, here or in another process
	Cause      error    `json:"-"`                 // why nothing more was found out; may be nil
}

// Error says what is in the way.
func (e *UnsettledError) Error() string {
	text := "the same intent may still land: ask for the status of " + e.Signature
	switch {
	case e.Running:
		text = "the same intent is being executed"
	case e.Signature == "":
		text = "the same intent may have been executed, under a signature that is not known"
	}
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Unwrap returns walletfi.ErrOutcomeUnknown.
func (e *UnsettledError) Unwrap() error { return walletfi.ErrOutcomeUnknown }

// Unsettled is a transaction whose outcome is not known, or a key that is being
// executed.
type Unsettled struct {
	Key    string          `json:"key,omitempty"` // the caller's, empty if it was derived
	Intent walletfi.Intent `json:"intent"`
	// base58, empty if it is not known or nothing is signed yet
	Signature            string    `json:"signature,omitempty"`
	Own                  string    `json:"own,omitempty"`                 // the owner's signature, base58
	LastValidBlockHeight uint64    `json:"lastValidBlockHeight,omitzero"` // 0 if it is not known
	Since                time.Time `json:"since"`
	Running              bool      `json:"running,omitempty"` // this wallet works on it
	// Missing says what is missing for a proof of what became of it, and from which node.
	Missing string `json:"missing,omitempty"`
}

// Unsettled lists what is not settled, the oldest first.
func (w *Wallet) Unsettled(ctx context.Context) ([]Unsettled, error) {
	var all []Unsettled
	for e, err := range w.journal.List(ctx, Query{Open: true}) {
		if err != nil {
			return nil, fmt.Errorf("the journal: %w", err)
		}
		u := Unsettled{Key: e.callersKey(), Intent: e.Asked, Since: e.Since, Running: w.works(e.Key)}
		open := e.open()
		if len(open) == 0 {
			all = append(all, u)
		}
		for _, i := range open {
			s := e.Steps[i]
			u.Signature, u.Own, u.LastValidBlockHeight = s.Signature, s.Own, s.Last
			u.Missing = w.tracker.lacks(s)
			all = append(all, u)
		}
	}
	return all, nil
}

// callersKey is the key that the caller gave, empty if it was derived.
func (e Entry) callersKey() string {
	key, ok := strings.CutPrefix(e.Key, callerKey)
	if !ok {
		return ""
	}
	return key
}

// Resolution is an operator's word on a key that no node of the wallet can settle.
type Resolution struct {
	// State is that of every transaction in doubt: StateConfirmed, StateFailed or
	// StateExpired.
	State State
	// Signatures are those in doubt: see UnsettledError.Signatures. All must be listed.
	Signatures []string
	// By is who says so, Reason how it is known, such as the page of an explorer. Both
	// are required, and kept in the journal.
	By, Reason string
}

// resolutions are the states that an operator can vouch for.
var resolutions = map[State]event{StateConfirmed: evConfirm, StateFailed: evFail, StateExpired: evExpire}

// Resolve settles a key by hand. If what it says is wrong, the key can pay twice. It is
// for nodes that cannot show more, such as one that has dropped its history: see
// [Wallet.Unsettled] for what is missing.
func (w *Wallet) Resolve(ctx context.Context, key string, r Resolution) error {
	ev, known := resolutions[r.State]
	err := check.All(
		check.Required("key", key), checkKey(key), check.Required("by", r.By), check.Required("reason", r.Reason),
		check.That(known, "state", "must be confirmed, failed or expired"),
	)
	if err != nil {
		return err
	}
	free, err := w.begin(ctx, callerKey+key)
	if err != nil {
		return err
	}
	e := &execution{w: w, free: free}
	defer e.release()
	if e.entry, err = w.journal.Load(ctx, callerKey+key); err != nil {
		return fmt.Errorf("the journal: %w", err)
	}
	if busy, err := w.held(ctx, e.entry); err != nil || busy {
		return e.unsettled(busy, err)
	}
	open := e.signatures()
	slices.Sort(open)
	if len(open) == 0 || !slices.Equal(open, slices.Sorted(slices.Values(r.Signatures))) {
		return &walletfi.ValidationError{Field: "signatures", Problem: fmt.Sprintf("must be those in doubt, %q", open)}
	}
	if err := e.takeOver(ctx); err != nil {
		return err
	}
	return e.store(ctx, func(next *Entry) error {
		for _, i := range next.open() {
			s := &next.Steps[i]
			if s.Evidence == nil {
				s.Evidence = &walletfi.Evidence{After: next.Signing, Told: s.Last}
			}
			s.Evidence.Vouched = &walletfi.Vouched{By: r.By, Reason: r.Reason, At: w.now()}
			if ev == evFail {
				s.Err = "by the word of " + r.By
			}
			if err := next.move(ev, i); err != nil {
				return err
			}
		}
		return nil
	})
}
