package wallet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/wallet/internal/intents"
)

// Prefixes keep the caller's keys and derived ones apart.
const (
	callerKey  = "key:"
	derivedKey = "intent:"
)

// maxKey is how long a caller's key may be, in bytes. With its prefix it fits a
// column of 255.
const maxKey = 250

// checkKey refuses what some journal would not give back as it was: JSON turns
// all invalid UTF-8 into the same character, so that a key is not found again, or
// two are one.
func checkKey(key string) error {
	return check.All(
		check.That(utf8.ValidString(key), "key", "is not valid UTF-8: write bytes as text"),
		check.That(!strings.ContainsRune(key, 0), "key", "holds a zero byte"),
		check.That(len(key) <= maxKey, "key", fmt.Sprintf("is %d bytes, at most %d are allowed", len(key), maxKey)),
	)
}

// ErrKeyReused means that a key was given for something else than the payment that the
// journal has it for. The error names what differs, what it was and what is asked for now,
// and answers to walletfi.ErrNotSent and walletfi.ErrInvalidRequest too: of this call
// nothing was signed. Wallet.Outcome says what became of the key's own payment.
var ErrKeyReused = errors.New("the key names another payment")

// reused is the error of a call that asks for another payment under e's key, nil if
// nothing is named.
func (e Entry) reused(name, before, after string) error {
	if name == "" {
		return nil
	}
	const nothing = "nothing"
	return fmt.Errorf("%w: %w", ErrKeyReused, &walletfi.ValidationError{Field: "key", Problem: fmt.Sprintf(
		"%q is in use for %s %s, not %s", e.callersKey(), name, cmp.Or(before, nothing), cmp.Or(after, nothing),
	)})
}

// sameCaller refuses a key that the journal has for another payment.
func (e Entry) sameCaller(fresh Entry) error {
	if e.Schema > Schema {
		return fmt.Errorf("%w: key %q has schema %d, this one knows %d", ErrNewerJournal, e.Key, e.Schema, Schema)
	}
	return e.reused(intents.OtherThan(e.Asked, fresh.Asked))
}

// enter begins an Execute. What runs for another payment under the key is left alone.
func (w *Wallet) enter(ctx context.Context, fresh Entry) (free func(), err error) {
	if w.works(fresh.Key) {
		if err := w.inUse(ctx, fresh, nil); err != nil {
			return nil, err
		}
	}
	free, err = w.begin(ctx, fresh.Key)
	if errors.Is(err, walletfi.ErrOutcomeUnknown) {
		err = w.inUse(ctx, fresh, err)
	}
	return free, err
}

// inUse is the error of a call whose key another works on: running, unless that is known
// to be for another payment.
func (w *Wallet) inUse(ctx context.Context, fresh Entry, running error) error {
	was, err := w.journal.Load(ctx, fresh.Key)
	if err != nil || was.Version == 0 {
		return running
	}
	if err := was.sameCaller(fresh); err != nil {
		return notSent(err)
	}
	return running
}

// KeyState is how far a key has come. A key names one payment: for one
// key, at most one set of signed transactions can ever execute.
type KeyState string

// The states of a key. A journal's entry has one, and so has each of its
// transactions.
const (
	KeyFree      KeyState = ""          // the journal does not have it
	KeyClaimed   KeyState = "claimed"   // an Execute checks and signs; nothing is signed for good
	KeySigned    KeyState = "signed"    // the bytes are recorded; none of them has left
	KeySent      KeyState = "sent"      // the bytes may have left
	KeyInDoubt   KeyState = "in_doubt"  // sent, and only the ledger can tell what became of it
	KeyConfirmed KeyState = "confirmed" // executed with success
	KeyFailed    KeyState = "failed"    // executed with an error
	KeyExpired   KeyState = "expired"   // proven never to execute
	KeyReleased  KeyState = "released"  // nothing left, and nothing will
)

// UnmarshalText reads a state, and what an earlier version called "in doubt".
func (s *KeyState) UnmarshalText(text []byte) error {
	*s = KeyState(underscored(text))
	return nil
}

// event moves a key from one state to the next.
type event string

const (
	evClaim   event = "claim"    // an Execute begins
	evSign    event = "sign"     // all transactions are signed and recorded
	evSend    event = "send"     // recorded before the first byte leaves
	evDoubt   event = "doubt"    // an answer was lost, or the sender is gone
	evConfirm event = "confirm"  // the ledger says success
	evFail    event = "fail"     // the ledger says error
	evExpire  event = "expire"   // it is proven that it cannot execute
	evRefuse  event = "refuse"   // the only door that got the bytes says that it sent nothing
	evRelease event = "release"  // given up before anything left
	evForce   event = "override" // the caller named the signatures and wants to pay again
)

// transitions is the whole machine. What is not in it cannot be recorded.
//
// Two rules carry the guarantee. A state that the ledger may contradict (sent,
// in doubt) leads only to what the ledger or a proof says. And what was taken
// over from another process while sent is in doubt at once, since that process
// may be about to send: for it, no door's refusal counts any more.
var transitions = map[KeyState]map[event]KeyState{
	KeyFree:    {evClaim: KeyClaimed},
	KeyClaimed: {evSign: KeySigned, evRelease: KeyReleased, evExpire: KeyExpired},
	KeySigned:  {evSend: KeySent, evRelease: KeyReleased, evExpire: KeyExpired},
	KeySent: {
		evDoubt: KeyInDoubt, evConfirm: KeyConfirmed, evFail: KeyFailed, evExpire: KeyExpired, evRefuse: KeyReleased,
	},
	KeyInDoubt:  {evConfirm: KeyConfirmed, evFail: KeyFailed, evExpire: KeyExpired, evForce: KeyClaimed},
	KeyFailed:   {evClaim: KeyClaimed},
	KeyExpired:  {evClaim: KeyClaimed},
	KeyReleased: {evClaim: KeyClaimed},
	// Confirmed is final for a caller's key. A key that was derived from an
	// intent is claimed again: see Entry.Spent.
	KeyConfirmed: {},
}

// after returns the state that e leads to, false if e cannot happen in s.
func (s KeyState) after(e event) (KeyState, bool) {
	next, ok := transitions[s][e]
	return next, ok
}

// Settled reports whether nothing can change any more unless the key is claimed
// again.
func (s KeyState) Settled() bool {
	switch s {
	case KeyFree, KeyConfirmed, KeyFailed, KeyExpired, KeyReleased:
		return true
	}
	return false
}

// mayExecute reports a transaction that may be on the ledger without our
// knowing.
func (s KeyState) mayExecute() bool { return s == KeySent || s == KeyInDoubt }

// takenOver is the state of what another process left in s.
func (s KeyState) takenOver() KeyState {
	switch s {
	case KeyClaimed, KeySigned:
		return KeyReleased // its next record fails, and it sends only what it recorded
	case KeySent:
		return KeyInDoubt
	}
	return s
}

// outcome is the state as Outcome tells it. alive says that the entry's holder is.
func (s KeyState) outcome(alive bool) State {
	switch {
	case s.Settled():
		return s.step()
	case alive && s != KeyInDoubt: // only the ledger's word ends a doubt
		return StateRunning
	}
	return StateUnknown
}

// step is the state of one transaction as the caller of Execute sees it.
func (s KeyState) step() State {
	switch s {
	case KeyConfirmed:
		return StateConfirmed
	case KeyFailed:
		return StateFailed
	case KeyExpired:
		return StateExpired
	case KeySent, KeyInDoubt:
		return StateUnknown
	}
	return StateNotSent
}
