package wallet

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet/internal/evidence"
)

// Schema is the version of what this package writes to a journal. A wallet
// refuses an entry with a higher one, and takes one with a lower one as it is.
const Schema = 2

// Entry is the record of one key in a Journal. It is plain data, to be kept as
// JSON.
type Entry struct {
	Schema int    `json:"schema"`
	Key    string `json:"key"`
	// Version changes with every Store, and never comes back for a key.
	Version uint64   `json:"version"`
	State   KeyState `json:"state"`
	// Holder is the wallet that works on the entry, empty if none does.
	Holder string `json:"holder,omitempty"`
	// Intent identifies what was asked for, without the amounts that a service
	// derived.
	Intent string `json:"intent"`
	// Derived says that the caller gave no key: a settled entry does not keep
	// the same intent from being executed again.
	Derived bool `json:"derived,omitempty"`
	// Untold says that the key is derived, that its last Execute returned with an
	// unknown outcome, and that it turned out to be confirmed in the background.
	// The next Execute returns that in place of paying again.
	Untold bool `json:"untold,omitempty"`
	// Bundle says that the transactions are sent together.
	Bundle bool      `json:"bundle,omitempty"`
	Since  time.Time `json:"since"` // of the first claim
	// Signing is a finalized block that was known before the transactions were signed,
	// zero if no node showed one.
	Signing  Head      `json:"signing,omitzero"`
	SignedAt time.Time `json:"signedAt,omitzero"`
	// Asked is the intent, as the builder stated it.
	Asked walletfi.Intent `json:"asked"`
	Steps []EntryStep     `json:"steps,omitempty"`
	// Set has the transactions of a set that is signed step by step, as long as one of them
	// may still be signed, and those that were given away to be signed. Nil of any other, and
	// of a set in steps that is too large to be kept.
	Set *EntrySet `json:"set,omitempty"`
	// Prepared says that the transactions were given away to be signed: see Wallet.Prepare.
	// Nil of any other key.
	Prepared *EntryPrepared `json:"prepared,omitempty"`
	// FilledLater says that the service fills the order after its transactions are
	// confirmed, End how that ended, nil if it is not known yet: see Wallet.Place.
	FilledLater bool               `json:"filledLater,omitempty"`
	End         *walletfi.OrderEnd `json:"end,omitempty"`
	// Short are the mints of which less arrived than asked for, as far as Wallet.Place saw.
	Short []Shortfall `json:"short,omitempty"`
	// FeesPaid counts what earlier sets of the key have cost for landing, or may cost yet, in
	// lamports.
	FeesPaid walletfi.Amount `json:"feesPaid,omitzero"`
	// Overridden lists the signatures that a forced Execute left in doubt.
	Overridden []string `json:"overridden,omitempty"`
	// Ledger is the journal's knowledge of the ledger, in an entry of its own that is no
	// payment's; else nil.
	Ledger *Ledger `json:"ledger,omitempty"`
	// Spend counts under Config.Spend, in an entry of its own that is no payment's; else nil.
	Spend *Spend `json:"spend,omitempty"`
}

// EntrySet has a builder's answer without the intent: see [walletfi.Unsigned].
type EntrySet struct {
	Transactions         []walletfi.Base64Transaction `json:"transactions"`
	LastValidBlockHeight uint64                       `json:"lastValidBlockHeight,omitzero"`
	Blockhash            string                       `json:"blockhash,omitempty"`
}

// EntryStep is one transaction of an entry.
type EntryStep struct {
	State KeyState `json:"state"`
	// Signature is the one by which the ledger knows the transaction, base58. It
	// is empty as long as a sponsor has yet to sign.
	Signature string `json:"signature,omitempty"`
	// Own is the owner's signature, base58, which is always known of what is signed. Of what
	// was given away to be signed it is the SHA-256 of the message, base58: the owner can sign
	// that by more than one signature.
	Own string `json:"own"`
	// Hash is the SHA-256 of the message, base58: another signature makes no other transaction of
	// it. Empty of what was given away, whose Own it is, and of an entry of an earlier version.
	Hash string `json:"hash,omitempty"`
	// Transaction is the signed bytes. They are dropped when the step is settled.
	Transaction walletfi.Base64Transaction `json:"transaction,omitempty"`
	Blockhash   string                     `json:"blockhash,omitempty"`
	// Last is the block height after which the transaction cannot execute, 0 if
	// it is not known, and for a durable nonce.
	Last uint64 `json:"last,omitempty"`
	// NonceAccount holds the durable nonce that Blockhash is the value of.
	NonceAccount string `json:"nonceAccount,omitempty"`
	// Doors name the submitters that were given the bytes, recorded before.
	Doors []string `json:"doors,omitempty"`
	// Message identifies what is signed, of a set that is signed step by step: SHA-256, in
	// hexadecimal. A step of it that is not signed yet is claimed, and has no signature.
	Message string `json:"message,omitempty"`
	// InPlaceOf is the number, from 1, of the step that came back from the owner as this other
	// message. At most one of the two is sent by the wallet; either may execute. 0 of any other.
	InPlaceOf int `json:"inPlaceOf,omitempty"`
	// Yields says that another key had the message when it came back, so that it was not sent. It is followed,
	// as its owner may send it, and counts for that key unless that one ends without it.
	Yields bool `json:"yields,omitempty"`
	// Fee says what the transaction costs the owner for landing, in lamports, and Price what it
	// pays for a compute unit, in micro-lamports.
	Fee   walletfi.Amount `json:"fee,omitzero"`
	Price uint64          `json:"price,omitzero"`
	// Tip counts the lamports that it tips, by the guard's report. It is kept for Config.Tips alone.
	Tip walletfi.Amount `json:"tip,omitzero"`
	// Debit is the Debit.ID by which it counts under Config.Spend, empty without limits.
	Debit string `json:"debit,omitempty"`
	// Slot is where it was executed, Err the ledger's error. Of an expired one Err says for which
	// other key it was executed, if it was.
	Slot uint64 `json:"slot,omitempty"`
	Err  string `json:"err,omitempty"`
	// Evidence is all that nodes have shown of the transaction while it was not found, and
	// why it is called expired if it is. Nil if nothing was asked.
	Evidence *walletfi.Evidence `json:"evidence,omitempty"`
}

// unsigned reports a transaction of a set that is signed step by step, before its turn.
func (s EntryStep) unsigned() bool { return s.Message != "" && s.Own == "" }

// step is the state as the caller of Execute sees it.
func (s EntryStep) step() State {
	if state := s.State.step(); state != StateNotSent || !s.unsigned() {
		return state
	}
	return StateNotSigned
}

// fixed reports a transaction that the ledger knows by no other signature than the owner's.
// Another payer can sign the same message again, which gives it another signature.
func (s EntryStep) fixed() bool { return s.asked().Fixed() }

// asked returns what the nodes know a step by.
func (s EntryStep) asked() evidence.Step {
	return evidence.Step{
		Transaction: s.Transaction, Signature: s.Signature, Own: s.Own, Blockhash: s.Blockhash, NonceAccount: s.NonceAccount,
	}
}

// Spent reports whether the key paid: a transaction of it has executed with
// success. A caller's key that is spent is never claimed again.
func (e Entry) Spent() bool {
	return slices.ContainsFunc(e.Steps, func(s EntryStep) bool { return s.State == KeyConfirmed })
}

// Droppable reports an entry that keeps nothing from being executed. A Journal
// may drop it.
func (e Entry) Droppable() bool { return e.Derived && !e.Untold && e.State.Settled() }

// Prunable reports an entry that a journal may forget if it was last claimed before a
// time: its key can be used again afterwards, and would pay again. It is settled, no
// order that the service may still fill, and of no newer program.
func (e Entry) Prunable(before time.Time) bool {
	return e.Schema <= Schema && e.Ledger == nil && e.Spend == nil && e.State.Settled() && e.Since.Before(before) &&
		!(e.FilledLater && e.End == nil && e.State == KeyConfirmed)
}

// open lists the steps that may be on the ledger without our knowing, and that matter.
func (e Entry) open() (all []int) {
	counted := e.counted()
	for i, s := range e.Steps {
		if n := s.number(i); s.State.mayExecute() && (n >= len(counted) || counted[n].State != KeyConfirmed) {
			all = append(all, i)
		}
	}
	return all
}

// front is the state of the whole: that of the first transaction that is not
// confirmed, but in doubt or sent if any is.
func (e Entry) front() KeyState {
	counted := e.counted()
	for _, most := range []KeyState{KeyInDoubt, KeySent} {
		if slices.ContainsFunc(counted, func(s EntryStep) bool { return s.State == most }) {
			return most
		}
	}
	for _, s := range counted {
		if s.State != KeyConfirmed {
			return s.State
		}
	}
	return KeyConfirmed
}

// has reports whether a step has one of some names.
func (e Entry) has(names []string) bool {
	return slices.ContainsFunc(e.Steps, func(s EntryStep) bool { return s.has(names) })
}

// names yields each name of the steps, once per step.
func (e Entry) names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, s := range e.Steps {
			for _, name := range s.names() {
				if !yield(name) {
					return
				}
			}
		}
	}
}

// clone returns a copy that shares no slice with e.
func (e Entry) clone() Entry {
	e.Asked = e.Asked.Clone()
	e.Overridden, e.Short = slices.Clone(e.Overridden), slices.Clone(e.Short)
	e.Steps = slices.Clone(e.Steps)
	if e.Set != nil {
		set := *e.Set
		set.Transactions = slices.Clone(set.Transactions)
		e.Set = &set
	}
	if e.Prepared != nil {
		prepared := *e.Prepared
		e.Prepared = &prepared
	}
	if e.Ledger != nil {
		ledger := *e.Ledger
		ledger.Resets = slices.Clone(ledger.Resets)
		e.Ledger = &ledger
	}
	e.Spend = e.Spend.clone()
	if e.End != nil {
		end := *e.End
		end.Fills = slices.Clone(end.Fills)
		e.End = &end
	}
	for i := range e.Steps {
		e.Steps[i].Doors = slices.Clone(e.Steps[i].Doors)
		e.Steps[i].Evidence = e.Steps[i].Evidence.Clone()
	}
	return e
}

// move applies an event to the entry and to those of its steps that it is about;
// without any, to all.
func (e *Entry) move(ev event, steps ...int) error {
	if len(steps) == 0 {
		for i := range e.Steps {
			steps = append(steps, i)
		}
	}
	for _, i := range steps {
		s := &e.Steps[i]
		from := s.State
		if ev == evSign {
			from = KeyClaimed
		}
		next, ok := from.after(ev)
		if !ok {
			return fmt.Errorf("transaction %d: %q does not follow on %q", i+1, ev, from)
		}
		if s.State = next; next.Settled() {
			s.Transaction = "" // nothing is sent again
		}
	}
	if len(e.Steps) == 0 {
		next, ok := e.State.after(ev)
		if !ok {
			return fmt.Errorf("key %q: %q does not follow on %q", e.Key, ev, e.State)
		}
		e.State = next
		return nil
	}
	e.State = e.front()
	return nil
}

// learn writes what the nodes have shown of flights.
func (e *Entry) learn(t *tracker, flights map[int]*flight) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, f := range flights {
		if len(f.evidence.Nodes) > 0 {
			e.Steps[i].Evidence = f.evidence.Clone()
		}
	}
}

// apply writes what became of flights into the entry. If one is not confirmed,
// what comes after it will not be sent.
func (e *Entry) apply(flights map[int]*flight) error {
	stopped := false
	for i, f := range flights {
		s := &e.Steps[i]
		s.Signature, s.Slot, s.Err = f.step.Signature, f.status.Slot, f.status.Err
		ev, ok := eventFor[f.verdict]
		stopped = stopped || f.verdict != KeyConfirmed
		if !ok || f.verdict == KeyInDoubt && s.State == KeyInDoubt {
			continue
		}
		if err := e.move(ev, i); err != nil {
			return err
		}
	}
	for i := range e.Steps {
		if s := e.Steps[i].State; stopped && (s == KeySigned || s == KeyClaimed) {
			if err := e.move(evRelease, i); err != nil {
				return err
			}
		}
	}
	return nil
}

var eventFor = map[KeyState]event{
	KeyConfirmed: evConfirm, KeyFailed: evFail, KeyExpired: evExpire, KeyReleased: evRefuse, KeyInDoubt: evDoubt,
}
