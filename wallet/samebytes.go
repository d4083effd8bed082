package wallet

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// The ledger executes a message once, whoever signs and sends it. So a message counts for one key.

// names are those by which a journal finds a step, each once.
func (s EntryStep) names() (all []string) {
	for _, name := range []string{s.Own, s.Signature, s.Hash} {
		if name != "" && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// has reports whether a step has one of some names.
func (s EntryStep) has(names []string) bool {
	return slices.ContainsFunc(s.names(), func(name string) bool { return slices.Contains(names, name) })
}

// ownBytes refuses steps of messages that are another key's too: one of the two would be called
// confirmed by the other's execution. A service builds them if the same is asked for twice on one
// blockhash, and the owner's wallet can make one message of two that were prepared.
//
// It is asked after the steps are in the journal and before they are sent or followed: of two
// keys at once, at least one sees the other.
func (e *execution) ownBytes(ctx context.Context, steps []EntryStep) error {
	var own []string
	memory, _ := e.w.journal.(*MemoryJournal)
	for _, s := range steps {
		switch {
		case s.has(own):
			return sameBytes("occurs twice in the set")
		case memory != nil && slices.ContainsFunc(s.names(), memory.hasLanded):
			return sameBytes("was executed before")
		}
		own = append(own, s.names()...)
	}
	rivals, err := e.rivals(ctx, own)
	if err != nil {
		return fmt.Errorf("nothing was sent, because the journal does not answer: %w", err)
	}
	if i := slices.IndexFunc(rivals, rival.holds); i >= 0 {
		return rivals[i].same()
	}
	return nil
}

func sameBytes(problem string) error {
	problem = "have one that " + problem + ", byte for byte, so that it would be executed once: " +
		"build it on a newer blockhash"
	return &walletfi.ValidationError{Field: "transactions", Problem: problem}
}

// rival is a step of another key that is of the same message.
type rival struct {
	Entry
	step int
}

func (t rival) state() KeyState { return t.Steps[t.step].State }

// holds reports that the message counts for the other key, or may.
func (t rival) holds() bool { return t.state() == KeyConfirmed || !t.state().Settled() }

// before reports that the message is the other key's rather than that of step s of e, if it is executed.
func (t rival) before(e Entry, s EntryStep) bool {
	if theirs := t.Steps[t.step].Yields; theirs != s.Yields {
		return s.Yields
	}
	return cmp.Or(t.Since.Compare(e.Since), cmp.Compare(t.Key, e.Key)) < 0
}

func (t rival) same() error {
	if t.Derived {
		return sameBytes("is that of a payment without a key too")
	}
	return sameBytes(fmt.Sprintf("is that of key %q too", t.callersKey()))
}

// rivals lists the steps of other keys that have one of some names.
func (e *execution) rivals(ctx context.Context, names []string) (all []rival, err error) {
	for other, err := range e.w.journal.List(ctx, Query{Signatures: names}) {
		if err != nil {
			return nil, err
		}
		for i, s := range other.Steps {
			if other.Key != e.entry.Key && s.has(names) {
				all = append(all, rival{other, i})
			}
		}
	}
	return all, nil
}

// returned lists the entry's steps. Messages that came back, and of which it is not known whether they are another
// key's, are followed from here on: their owner may send them, whether this key does or not.
func (e *execution) returned(ctx context.Context) (steps []EntryStep, err error) {
	for _, s := range e.entry.Steps {
		if s.InPlaceOf == 0 || s.State != KeySigned && s.State != KeyReleased {
			steps = append(steps, s)
			continue
		}
		if slices.ContainsFunc(steps, func(other EntryStep) bool { return other.has(s.names()) }) {
			continue // twice in the set
		}
		rivals, err := e.rivals(ctx, s.names())
		if err != nil {
			return nil, fmt.Errorf("the journal: %w", err)
		}
		s.State, s.Yields = KeyInDoubt, slices.ContainsFunc(rivals, rival.holds)
		steps = append(steps, s)
	}
	return steps, nil
}

// contest is asked before the journal takes what was found out. Two keys may have a message: one yields, or the
// journal is of an earlier version. Its execution counts for the one that is confirmed by it, else for the one that
// does not yield, else for the older one. For the other it has ended, as it can be executed no second time.
func (e *execution) contest(flights map[int]*flight) {
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	for i, f := range flights {
		s := e.entry.Steps[i]
		if f.verdict != KeyConfirmed || s.Hash != "" { // ownBytes has seen all others
			continue
		}
		s.Signature = f.step.Signature
		if tx, err := signing.Decode(s.Transaction); err == nil {
			s.Hash = messageName(tx)
		}
		rivals, err := e.rivals(ctx, s.names())
		if err != nil {
			f.verdict, f.cause = KeyInDoubt, fmt.Errorf("whether it counts for another key: the journal: %w", err)
		}
		for _, t := range rivals {
			theirs := t.before(e.entry, s)
			switch state := t.state(); {
			case f.verdict == KeyExpired:
			case s.Yields && theirs && !state.Settled() && !t.State.Settled():
				f.verdict, f.cause = KeyInDoubt, t.same() // that key may yet end without it
			case state == KeyConfirmed, theirs && slices.Contains(t.open(), t.step):
				f.verdict, f.cause = KeyExpired, withText(ErrExpired, t.same())
				f.status = walletfi.SignatureStatus{Err: t.same().Error()}
			case f.verdict == KeyConfirmed && !state.Settled() && !state.mayExecute():
				f.verdict, f.cause = KeyInDoubt, t.same() // it lets go, or is followed
			}
		}
	}
}
