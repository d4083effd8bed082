// Package keychain lets the signer use a key that a key management service or a custodian holds, by
// a library of the shape that keychain libraries have. It was not run against the service of any
// custodian: a fake alone passes its tests. Run signertest.TransactionBackend on yours first.
//
//	key, err := keychain.New(ctx, custody) // your Keychain
//	s, err := signer.Open(ctx, signer.Config{Keys: []signing.Signer{key}, ...})
//
// Such libraries can also sign any message. That is never asked for: what is signed here is a
// transaction, which the service may judge by rules of its own. So the key cannot be a Config.Seed.
//
// A service fits only if it signs the bytes that it is given, and the same ones the same each
// time: after a crash the signer knows a transaction by the signature that it would make again.
// Services that set another blockhash or fee, that send by themselves, or whose parties draw a random
// nonce for a signature do not.
package keychain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go/signing"
)

// Keychain is a key that is held elsewhere. It is used by several goroutines at once.
type Keychain interface {
	Pubkey() signing.PublicKey
	// SignTransaction signs a transaction, which is whole but for its signatures, all of them zero,
	// and returns the signature of Pubkey over its message.
	SignTransaction(ctx context.Context, transaction []byte) (signing.Signature, error)
	// IsAvailable says whether the service can be reached, and would sign.
	IsAvailable(ctx context.Context) bool
}

// Key signs by a Keychain.
type Key struct {
	keychain Keychain
	public   signing.PublicKey
}

// New asks whether the key is available, and which it is.
func New(ctx context.Context, k Keychain) (*Key, error) {
	if k == nil || !k.IsAvailable(ctx) {
		return nil, errors.New("keychain: the key is not available")
	}
	key := &Key{k, k.Pubkey()}
	if key.public == (signing.PublicKey{}) {
		return nil, errors.New("keychain: the key has no public key")
	}
	return key, nil
}

// PublicKey is the key's address, as it was when New asked.
func (k *Key) PublicKey() signing.PublicKey { return k.public }

// Sign has the message of a transaction signed that the key is a signer of. Any other message is an
// error. The signer verifies the signature, so that of a transaction which the service changed is
// an error there.
func (k *Key) Sign(ctx context.Context, message []byte) (signing.Signature, error) {
	transaction, err := unsigned(message, k.public)
	if err == nil {
		var signature signing.Signature
		if signature, err = k.keychain.SignTransaction(ctx, transaction); err == nil {
			return signature, nil
		}
	}
	return signing.Signature{}, fmt.Errorf("keychain: %w", err)
}

// unsigned is the transaction of a message with room for its signatures: before it, or behind it in
// version 1.
func unsigned(message []byte, signer signing.PublicKey) ([]byte, error) {
	const version, one = 0x80, 0x81
	if len(message) < 2 {
		return nil, errors.New("a message of a transaction has more bytes")
	}
	count := message[0]
	if count >= version {
		count = message[1]
	}
	room := make([]byte, int(count)*len(signing.Signature{}))
	transaction := bytes.Join([][]byte{{count}, room, message}, nil) // up to 127 is one byte
	if message[0] == one {
		transaction = append(bytes.Clone(message), room...)
	}
	decoded, err := signing.DecodeBytes(transaction)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(decoded.Message(), message) {
		return nil, errors.New("the message is not that of a transaction")
	}
	if !slices.Contains(decoded.Signers(), signer) {
		return nil, fmt.Errorf("%s is no signer of the transaction", signer)
	}
	return transaction, nil
}
