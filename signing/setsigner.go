package signing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/txwire"
)

// SetSigner is a [Signer] that is asked for the signatures of a set together, with all that
// it needs to judge the set by itself: a process that holds the key and limits of its own.
// A [Guard] asks it in place of Sign, once it has passed the set itself.
type SetSigner interface {
	Signer
	// SignSet returns the signatures of r.First and the r.Count-1 transactions after it, over
	// their exact messages. The error is a [*SetRefusal] if the signer refuses.
	// Whatever the error, it may have counted the set as signed.
	SignSet(ctx context.Context, r SetRequest) (SetSignatures, error)
}

// SetRequest asks a [SetSigner] for signatures.
type SetRequest struct {
	// Unsigned is the whole set, with the signatures that others have made, and its intent.
	Unsigned walletfi.Unsigned
	// First is the index of the first transaction to sign. Those before it are executed.
	First int
	// Count is how many transactions are to be signed, at least 1.
	Count int
	// Key is the payment's key, as the caller gave it to its wallet, empty if it gave none. It groups
	// sets for a person who reads the signer's log, and limits nothing.
	Key string
	// Grant names an approval of people's that the set is to be signed under, empty for none.
	Grant string
}

// SetSignatures are those that a [SetSigner] made.
type SetSignatures struct {
	Signatures []Signature `json:"signatures"` // in the order of the transactions
}

// ErrWaits is answered to by a [*SetRefusal] of a signer that may sign the same request later.
var ErrWaits = errors.New("signing: the signer waits")

// SetRefusal is the no of a [SetSigner]. It answers to [ErrRefused], and with Waits to
// [ErrWaits] in its place.
type SetRefusal struct {
	Code    string    // the rule that refused, in a word that does not change
	Text    string    // why, for a person
	Waits   bool      // whether the same request may be signed later
	RetryAt time.Time // the earliest such moment, zero if it is not known
}

// Error says why the signer refused.
func (e *SetRefusal) Error() string {
	text := fmt.Sprintf("%v: %s (rule %s)", e.Unwrap(), e.Text, e.Code)
	if !e.RetryAt.IsZero() {
		text += ", not before " + e.RetryAt.UTC().Format(time.RFC3339)
	}
	return text
}

// Unwrap returns ErrRefused or ErrWaits.
func (e *SetRefusal) Unwrap() error {
	if e.Waits {
		return ErrWaits
	}
	return ErrRefused
}

// LogValue gives slog the fields.
func (e *SetRefusal) LogValue() slog.Value {
	return slog.GroupValue(slog.String("rule", e.Code), slog.String("text", e.Text), slog.Bool("waits", e.Waits))
}

// signTogether has a signer sign some transactions of the reported set. What it answers is
// verified before anything is written.
func signTogether(ctx context.Context, txs []*Transaction, signer SetSigner, report *Report) ([]slotSignature, error) {
	key := signer.PublicKey()
	made, signed, err := openSlots(txs, key)
	if err != nil || signed == len(txs) {
		return made, err
	}
	r := SetRequest{
		Unsigned: walletfi.Unsigned{
			Intent: report.Intent.Clone(), Blockhash: report.blockhash, LastValidBlockHeight: report.LastValidBlockHeight,
		},
		First: slices.Index(report.txs, txs[0]), Count: len(txs),
	}
	for _, tx := range report.txs {
		r.Unsigned.Transactions = append(r.Unsigned.Transactions, tx.Base64())
	}
	answer, err := signer.SignSet(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("signing: signer %s: %w", key, err)
	}
	if len(answer.Signatures) != len(txs) {
		return nil, fmt.Errorf(
			"signing: signer %s returned %d signatures for %d transactions", key, len(answer.Signatures), len(txs),
		)
	}
	for i, s := range answer.Signatures {
		if !s.Verify(key, txs[i].wire.Message()) {
			return nil, fmt.Errorf(
				"signing: signer %s returned a signature that is not its own over the message of transaction %d",
				key, r.First+i+1,
			)
		}
		made[i].signature = s
	}
	return made, nil
}

// openSlots finds the signer's slot in each transaction. One that already holds its valid
// signature counts as signed, and anything else in it is refused.
func openSlots(txs []*Transaction, key PublicKey) (slots []slotSignature, signed int, err error) {
	wireKey := txwire.Key(key)
	for _, tx := range txs {
		i := tx.wire.SignerIndex(&wireKey)
		if i < 0 {
			return nil, 0, unasked(key)
		}
		slot := tx.wire.Slot(i)
		if *slot != (txwire.Signature{}) {
			if !slot.Verify(&wireKey, tx.wire.Message()) {
				return nil, 0, occupied(key)
			}
			signed++
		}
		slots = append(slots, slotSignature{slot, Signature(*slot)})
	}
	return slots, signed, nil
}
