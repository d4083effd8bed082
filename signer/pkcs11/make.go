package pkcs11

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	cryptoki "github.com/miekg/pkcs11"
)

// The curve Ed25519 in CKA_EC_PARAMS: as its object identifier, 1.3.101.112, or as its name. Tokens
// take one, the other, or both.
var curves = [][]byte{{0x06, 0x03, 0x2b, 0x65, 0x70}, []byte("\x13\x0cedwards25519")}

// Make makes a key in the token that cannot be extracted. The label must not be that of another
// ed25519 key of the token. If it fails, a key may have been made: see List.
func (t *Token) Make(ctx context.Context, label string) (*Key, error) {
	if label == "" {
		return nil, errors.New("pkcs11: a new key must have a label")
	}
	id := make([]byte, 16)
	rand.Read(id)
	made := false
	return do(ctx, t, func() (*Key, error) {
		if !made { // else the session was lost after it
			had, err := t.search(cryptoki.CKO_PRIVATE_KEY, label, nil)
			if err != nil {
				return nil, err
			}
			if len(had) > 0 {
				return nil, fmt.Errorf("pkcs11: token %q has a key labelled %q", t.cfg.Token, label)
			}
			if err := t.generate(label, id); err != nil {
				return nil, fmt.Errorf("pkcs11: make a key: %w", err)
			}
			made = true
		}
		return t.pick(Name{Label: label, ID: id})
	})
}

// generate makes a pair in a session of its own that may write.
func (t *Token) generate(label string, id []byte) error {
	session, err := t.lib.OpenSession(t.slot, cryptoki.CKF_SERIAL_SESSION|cryptoki.CKF_RW_SESSION)
	if err != nil {
		return err
	}
	for _, curve := range curves {
		_, _, err = t.lib.GenerateKeyPair(session,
			[]*cryptoki.Mechanism{cryptoki.NewMechanism(mechanismMakeKey, nil)},
			[]*cryptoki.Attribute{
				cryptoki.NewAttribute(cryptoki.CKA_EC_PARAMS, curve), cryptoki.NewAttribute(cryptoki.CKA_TOKEN, true),
				cryptoki.NewAttribute(cryptoki.CKA_LABEL, label), cryptoki.NewAttribute(cryptoki.CKA_ID, id),
				cryptoki.NewAttribute(cryptoki.CKA_VERIFY, true),
			},
			[]*cryptoki.Attribute{
				cryptoki.NewAttribute(cryptoki.CKA_TOKEN, true), cryptoki.NewAttribute(cryptoki.CKA_PRIVATE, true),
				cryptoki.NewAttribute(cryptoki.CKA_SENSITIVE, true), cryptoki.NewAttribute(cryptoki.CKA_EXTRACTABLE, false),
				cryptoki.NewAttribute(cryptoki.CKA_LABEL, label), cryptoki.NewAttribute(cryptoki.CKA_ID, id),
				cryptoki.NewAttribute(cryptoki.CKA_SIGN, true),
			})
		if !is(err, cryptoki.CKR_CURVE_NOT_SUPPORTED, cryptoki.CKR_DOMAIN_PARAMS_INVALID,
			cryptoki.CKR_ATTRIBUTE_VALUE_INVALID, cryptoki.CKR_TEMPLATE_INCONSISTENT) {
			break
		}
	}
	return errors.Join(err, t.lib.CloseSession(session))
}
