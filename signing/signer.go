package signing

import (
	"context"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go/internal/txwire"
)

// Signer makes signatures: a LocalKey, a key-management service, a hardware
// wallet.
type Signer interface {
	// PublicKey is the key that the signatures are of. It has to be the same at each call.
	PublicKey() PublicKey
	// Sign signs a message. It may take as long as ctx allows.
	Sign(ctx context.Context, message []byte) (Signature, error)
}

// SignUnchecked signs whatever the transaction does. It is for transactions
// that the program built itself; what a service built goes through a Guard.
//
// It writes 64 bytes into the signer's slot and touches nothing else. A slot
// that already holds the signer's valid signature is left as it is, and one
// that holds anything else is refused.
func SignUnchecked(ctx context.Context, tx *Transaction, signer Signer) error {
	if tx == nil {
		return errNil("transaction")
	}
	if missing(signer) {
		return errNil("signer")
	}
	s, err := sign(ctx, tx, signer)
	if err != nil {
		return err
	}
	s.write()
	return nil
}

// slotSignature is a signature that has been made and not yet written, so
// that a set can be signed all or nothing.
type slotSignature struct {
	slot      *txwire.Signature
	signature Signature
}

func (s slotSignature) write() { *s.slot = txwire.Signature(s.signature) }

func sign(ctx context.Context, tx *Transaction, signer Signer) (slotSignature, error) {
	key := signer.PublicKey()
	wireKey := txwire.Key(key)
	i := tx.wire.SignerIndex(&wireKey)
	if i < 0 {
		return slotSignature{}, unasked(key)
	}
	slot := tx.wire.Slot(i)
	if *slot != (txwire.Signature{}) {
		if slot.Verify(&wireKey, tx.wire.Message()) {
			return slotSignature{slot, Signature(*slot)}, nil
		}
		return slotSignature{}, occupied(key)
	}
	signature, err := signMessage(ctx, tx, signer, key)
	return slotSignature{slot, signature}, err
}

// signMessage hands the message to the signer. A foreign one gets a copy, and
// its answer is verified, which costs little next to the call itself.
func signMessage(ctx context.Context, tx *Transaction, signer Signer, key PublicKey) (Signature, error) {
	if local, ok := signer.(*LocalKey); ok {
		return local.Sign(ctx, tx.wire.Message())
	}
	signature, err := signer.Sign(ctx, slices.Clone(tx.wire.Message()))
	if err != nil {
		return Signature{}, fmt.Errorf("signing: signer %s: %w", key, err)
	}
	if !signature.Verify(key, tx.wire.Message()) {
		return Signature{}, fmt.Errorf("signing: signer %s returned a signature that is not its own over this message", key)
	}
	return signature, nil
}

func unasked(key PublicKey) *GuardError {
	return &GuardError{Rule: RuleSigners, Instruction: EnvelopeInstruction,
		Found:   "a transaction that asks for no signature of " + key.String(),
		Allowed: "the signer among the required signers"}
}

func occupied(key PublicKey) *GuardError {
	return &GuardError{Rule: RuleSigners, Instruction: EnvelopeInstruction,
		Found:   "a signature in the slot of " + key.String() + " that is not its own",
		Allowed: "an empty slot, or the valid signature"}
}
