package wallet

import (
	"cmp"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
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
	if s.Signature != s.Own && !tx.Signature().Verify(tx.FeePayer(), tx.Message()) {
		s.Signature = "" // of something else: what became of that says nothing
	}
	s.Own = cmp.Or(s.Own, s.Signature)
	if account, ok := proof.NonceAccount(tx.Bytes()); ok {
		s.NonceAccount, s.Last = account.String(), 0
	}
	return s
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
