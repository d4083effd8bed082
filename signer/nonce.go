package signer

import (
	"bytes"
	"context"
	"errors"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/signing"
)

// nonceOf is the account of the durable nonce that a transaction is on.
func nonceOf(tx *signing.Transaction) (signing.PublicKey, bool) {
	account, durable := proof.NonceAccount(tx.Bytes())
	return signing.PublicKey(account), durable
}

var errOtherValue = errors.New("the nonce has another value")

// holding is the evidence of a durable nonce that has a value in finalized blocks of a quorum.
func (s *Signer) holding(ctx context.Context, account, value signing.PublicKey) (*walletfi.Evidence, error) {
	final, err := s.finalHead(ctx)
	if err == nil {
		_, err = answered(ask(ctx, s, func(ctx context.Context, n Node) (walletfi.NonceState, error) {
			state, err := n.NonceAt(ctx, account.String(), final.Slot)
			if err == nil && state.Value != value.String() {
				err = errOtherValue
			}
			return state, err
		}))
	}
	if err != nil {
		return nil, waits(CodeNonce, "nonce %s is not known to have the value %s: %v", account, value, err)
	}
	return &walletfi.Evidence{After: final}, nil
}

// onlyOne refuses a second live transaction on a durable nonce.
func onlyOne(ctx context.Context, q querier, account signing.PublicKey) error {
	return rows(ctx, q, func(scan func(...any) error) error {
		var id string
		var raw []byte
		if err := scan(&id, &raw); err != nil {
			return err
		}
		tx, err := signing.DecodeBytes(raw)
		if err != nil {
			return err
		}
		if other, durable := nonceOf(tx); durable && other == account {
			return waits(CodeBusy, "message %.12s on the same durable nonce can still land", id)
		}
		return nil
	}, "SELECT id, tx FROM signed WHERE state = 'open'")
}

// usedBy asks a node what has advanced a message's nonce from its value. It is another transaction, whose
// signature is in e, or the message itself, under the one that is returned.
func usedBy(
	ctx context.Context, n Node, e *walletfi.NodeEvidence, l *live, account signing.PublicKey, final walletfi.Head,
) (signature string, err error) {
	value := l.tx.Blockhash().String()
	state, err := n.NonceAt(ctx, account.String(), final.Slot)
	if err != nil || state.Value == value {
		return "", err
	}
	use, err := n.NonceUse(ctx, account.String(), value, l.evidence.After.Slot, state.AsOfSlot)
	if err != nil || use.Signature == "" {
		return "", err
	}
	raw, err := n.Transaction(ctx, use.Signature)
	if err != nil {
		return "", err
	}
	tx, err := signing.DecodeBytes(raw)
	if err != nil {
		return "", err
	}
	if bytes.Equal(tx.Message(), l.tx.Message()) {
		return use.Signature, nil
	}
	if other, durable := nonceOf(tx); !durable || other != account || tx.Blockhash() != l.tx.Blockhash() ||
		tx.Signature().String() != use.Signature || !tx.Signature().Verify(tx.FeePayer(), tx.Message()) {
		return "", errors.New("the transaction is not on the nonce")
	}
	e.Gone, e.UsedBy = walletfi.Head{Slot: state.AsOfSlot}, use.Signature
	return "", nil
}

// dead reports whether it is proven that a message can never land, or what is missing.
func (s *Signer) dead(l *live) (bool, string) {
	if _, durable := nonceOf(l.tx); durable {
		return proof.DeadNonce(&l.evidence, s.ids())
	}
	return proof.Dead(&l.evidence, s.ids())
}
