package wallet

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go/internal/atwork"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet/internal/altered"
)

// EntryPrepared tells of transactions that were given away to be signed.
type EntryPrepared struct {
	// Digest is that of the report that was given with them.
	Digest string `json:"digest"`
	// Submitted is when the signed transactions came back, Declined when the owner said no.
	// Zero if that did not happen.
	Submitted time.Time `json:"submitted,omitzero"`
	Declined  time.Time `json:"declined,omitzero"`
}

// What is given away to be signed counts as sent: whoever has it may sign and send it, by a
// signature that is not known here. It is followed by its message. If it comes back as
// another message, both are followed: the other one is a step of its own, which names the
// step that it is in place of.

// messageName names a message where another step has the owner's signature.
func messageName(tx *signing.Transaction) string {
	digest := sha256.Sum256(tx.Message())
	return base58.Encode(digest[:])
}

// number is the index, in the set, of the transaction that step i is of. It reads the step where it is: the
// tracker may change another field of it meanwhile.
func (s *EntryStep) number(i int) int {
	if s.InPlaceOf > 0 {
		return s.InPlaceOf - 1
	}
	return i
}

// counted lists a step for each transaction of the set. Of two messages of one transaction
// it is the one that tells more: one that is confirmed has paid, and one that is gone tells
// nothing as long as the other may execute.
func (e Entry) counted() []EntryStep {
	n := slices.IndexFunc(e.Steps, func(s EntryStep) bool { return s.InPlaceOf > 0 })
	if n < 0 {
		return e.Steps
	}
	all := slices.Clone(e.Steps[:n])
	for i, s := range e.Steps[n:] {
		switch number := s.number(n + i); {
		case number >= n: // no wallet writes that
			all = append(all, s)
		case tells(s.State) >= tells(all[number].State):
			all[number] = s
		}
	}
	return all
}

// tells orders states by what they say of a transaction that has two messages.
func tells(s KeyState) int {
	switch {
	case s == KeyConfirmed:
		return 3
	case s.mayExecute():
		return 2
	case s == KeyFailed:
		return 1
	}
	return 0
}

// supersede ends the following of the other message of a transaction that is confirmed.
func (j *journey) supersede(i int, f *flight) {
	if f.verdict != KeyConfirmed {
		return
	}
	for other, twin := range j.flights {
		if other != i && twin.step.number(other) == f.step.number(i) {
			j.w.tracker.drop(twin.parcel, nil)
		}
	}
}

// twins are the other messages of transactions of a settled key: each may execute, too, until it has provably ended.
func (e Entry) twins() (all []int) {
	for i, s := range e.Steps {
		if e.State.Settled() && s.State.mayExecute() {
			all = append(all, i)
		}
	}
	return all
}

// followTwins follows them in the background if they count under Config.Spend. None is sent.
func (w *Wallet) followTwins(e Entry) {
	twins := e.twins()
	if w.spend == nil || w.tracker.prover == nil || len(twins) == 0 {
		return
	}
	f := &follower{done: atwork.NewGate()}
	free, ok := w.occupy(e.Key, f)
	if !ok {
		return
	}
	f.e = &execution{w: w, entry: e, free: func() { free(); f.done.Open() }}
	f.begin(twins)
}

// Change is a difference between a transaction that was prepared and the one that the
// owner's wallet signed.
type Change struct {
	Transaction int        `json:"transaction"` // in the set, counted from 0
	Kind        ChangeKind `json:"kind"`
	Text        string     `json:"text"` // what was before, and what is there now
}

// ChangeKind names something that a wallet may change.
type ChangeKind string

// The kinds of changes. Anything else is ErrChanged.
const (
	// ChangeFee is another compute unit limit or price, or priority fee: what the guard's caps
	// and Config.Fees allow.
	ChangeFee ChangeKind = "fee"
	// ChangeAssertion is an added assertion of the Lighthouse program, which has the transaction
	// fail if an account is not as the wallet showed it to the user. The guard's policy has to
	// pin that program for the service, as any other.
	ChangeAssertion ChangeKind = "assertion"
	// ChangeOrder is the same calls and settings, written in another order, or with accounts that
	// no call uses.
	ChangeOrder ChangeKind = "order"
)

// noteChanged is the kind of a report's note of a change.
const noteChanged signing.NoteKind = "changed by the owner's wallet:"

// signedByOwner checks that a transaction that came back has the owner's signature, and those of
// all who had signed before.
func signedByOwner(given, signed *signing.Transaction, owner signing.PublicKey) error {
	by := func(tx *signing.Transaction, key signing.PublicKey) (has, valid bool) {
		i := slices.Index(tx.Signers(), key)
		if i < 0 {
			return false, false
		}
		s := tx.Signatures()[i]
		return !s.IsZero(), s.Verify(key, tx.Message())
	}
	if has, valid := by(signed, owner); !valid {
		what := "it has none of its signature"
		if has {
			what = "the signature in its place is not its own over these bytes"
		}
		return fmt.Errorf("%w: that is %s; %s", ErrSignedByAnother, owner, what)
	}
	for _, key := range signed.Signers() {
		has, valid := by(signed, key)
		had, _ := by(given, key)
		if !valid && (has || had) {
			return fmt.Errorf("%w: the signature of %s does not hold for it", ErrChanged, key)
		}
	}
	return nil
}

// changes compares what was signed with what was given to be signed.
func changes(given, signed *signing.Transaction) (all []Change, err error) {
	if bytes.Equal(given.Message(), signed.Message()) {
		return nil, nil
	}
	fees, assertions, err := altered.Between(given, signed)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrChanged, err)
	}
	for _, text := range fees {
		all = append(all, Change{Kind: ChangeFee, Text: text})
	}
	for _, text := range assertions {
		all = append(all, Change{Kind: ChangeAssertion, Text: text})
	}
	if len(all) == 0 {
		all = []Change{{Kind: ChangeOrder, Text: "the same calls, in another order or with accounts that none uses"}}
	}
	return all, nil
}
