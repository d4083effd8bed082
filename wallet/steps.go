package wallet

import (
	"cmp"
	"encoding/binary"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// newStep is a signed transaction as the journal keeps it.
func newStep(tx *signing.Transaction, owner signing.PublicKey, last uint64) EntryStep {
	signed := tx.Signed()
	s := EntryStep{
		State: KeyClaimed, Signature: signed.Signature, Transaction: signed.Transaction,
		Blockhash: tx.Blockhash().String(), Last: last,
	}
	for i, signer := range tx.Signers() {
		if signer == owner {
			s.Own = tx.Signatures()[i].String()
		}
	}
	s.Own = cmp.Or(s.Own, s.Signature)
	if account, ok := advancedNonce(tx); ok {
		s.NonceAccount, s.Last = account.String(), 0
	}
	return s
}

// advanceNonce is the system program's instruction that gives a nonce its next
// value.
const advanceNonce = 4

// advancedNonce returns the durable nonce on which tx is signed: the account
// that its first instruction advances.
func advancedNonce(tx *signing.Transaction) (account signing.PublicKey, ok bool) {
	for _, in := range tx.Instructions() {
		keys := tx.AccountKeys()
		if in.Program != signing.SystemProgram || len(in.Data) < 4 || binary.LittleEndian.Uint32(in.Data) != advanceNonce ||
			len(in.Accounts) == 0 || int(in.Accounts[0]) >= len(keys) {
			break
		}
		return keys[in.Accounts[0]], true
	}
	return signing.PublicKey{}, false
}

// resultSteps are the steps of an entry as the caller sees them.
func resultSteps(e Entry) []Step {
	steps := make([]Step, len(e.Steps))
	for i, s := range e.Steps {
		steps[i] = Step{
			State: s.State.step(), Signature: s.Signature,
			Signed: walletfi.Signed{Transaction: s.Transaction, Signature: s.Signature},
			Status: walletfi.SignatureStatus{Slot: s.Slot, Err: s.Err, Found: s.State == KeyConfirmed || s.State == KeyFailed},
		}
	}
	return steps
}

// take writes what became of f.
func (s *Step) take(f *flight) {
	s.State, s.Signature, s.Signed.Signature, s.Status = f.verdict.step(), f.step.Signature, f.step.Signature, f.status
	if s.Err = f.cause; f.verdict == KeyInDoubt {
		s.Err = unknown(s.Signature, f.cause)
	}
}
