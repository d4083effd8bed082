package pkcs11

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	cryptoki "github.com/miekg/pkcs11"
	"github.com/walletfi/walletfi-go/signing"
)

// Name says which key of a token is meant. What is zero fits any key; only one may fit.
type Name struct {
	Label  string
	ID     []byte
	Public signing.PublicKey
}

// String is the name in words.
func (n Name) String() string {
	return fmt.Sprintf("label %q, id %x, public key %s", n.Label, n.ID, n.Public)
}

// Key is an ed25519 key that a token holds. It is safe for concurrent use.
type Key struct {
	token  *Token
	name   Name
	handle cryptoki.ObjectHandle
	login  int // that the handle is of
}

// proofText is signed when a key is found. No transaction can have these bytes: as a message they
// would have 108 accounts, for which they are too short.
const proofText = "walletfi-signer: proof that the private key and the public key belong together, version 1"

// Key finds the one key that n fits and has it sign a fixed text, so that a public key that is not
// its own is an error now. A key that is exposed is an error unless the Config allows it.
func (t *Token) Key(ctx context.Context, n Name) (*Key, error) {
	n.ID = slices.Clone(n.ID)
	return do(ctx, t, func() (*Key, error) { return t.pick(n) })
}

func (t *Token) pick(n Name) (*Key, error) {
	objects, err := t.objects(n)
	if err != nil {
		return nil, err
	}
	if n.Public != (signing.PublicKey{}) {
		objects = slices.DeleteFunc(objects, func(o object) bool { return o.Public != n.Public })
	}
	if len(objects) != 1 {
		return nil, fmt.Errorf("pkcs11: token %q has %d keys of %s, not one", t.cfg.Token, len(objects), n)
	}
	o := objects[0]
	k := &Key{t, Name{o.Label, o.ID, o.Public}, o.handle, t.logins}
	switch {
	case o.Public == (signing.PublicKey{}):
		return nil, fmt.Errorf("pkcs11: the key of %s has no public key beside it, or more than one", n)
	case o.Exposed != "" && !t.cfg.AllowExposed:
		return nil, fmt.Errorf("pkcs11: the key of %s is not safe in the token: %s. Config.AllowExposed allows it",
			k.name, o.Exposed)
	case o.asks:
		return nil, fmt.Errorf("pkcs11: the key of %s wants the PIN for each signature, which is not supported", k.name)
	}
	proof, err := k.sign([]byte(proofText))
	if err == nil && !proof.Verify(o.Public, []byte(proofText)) {
		err = errors.New("pkcs11: its signature is not that of its public key")
	}
	if err != nil {
		return nil, fmt.Errorf("pkcs11: the key of %s: %w", k.name, err)
	}
	return k, nil
}

// PublicKey is the key's address.
func (k *Key) PublicKey() signing.PublicKey { return k.name.Public }

// Name is the key's label, ID and public key.
func (k *Key) Name() Name { return k.name }

// Sign asks the token. The signature is not verified here: the signer does that with every key's.
func (k *Key) Sign(ctx context.Context, message []byte) (signing.Signature, error) {
	message = bytes.Clone(message) // which a call that is not waited for reads later
	return do(ctx, k.token, func() (signing.Signature, error) {
		if k.login != k.token.logins {
			again, err := k.token.pick(k.name)
			if err != nil {
				return signing.Signature{}, err
			}
			k.handle, k.login = again.handle, again.login
		}
		return k.sign(message)
	})
}

// sign is called by who has the turn.
func (k *Key) sign(message []byte) (signature signing.Signature, err error) {
	how := []*cryptoki.Mechanism{cryptoki.NewMechanism(mechanismEdDSA, nil)}
	if err := k.token.lib.SignInit(k.token.session, how, k.handle); err != nil {
		return signature, fmt.Errorf("pkcs11: begin to sign: %w", err)
	}
	made, err := k.token.lib.Sign(k.token.session, message)
	if err != nil {
		return signature, fmt.Errorf("pkcs11: sign: %w", err)
	}
	if len(made) != len(signature) {
		return signature, fmt.Errorf("pkcs11: the token's signature has %d bytes", len(made))
	}
	return signing.Signature(made), nil
}
