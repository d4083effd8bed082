package pkcs11

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	cryptoki "github.com/miekg/pkcs11"
	"github.com/walletfi/walletfi-go/signing"
)

// Held is an ed25519 key of a token.
type Held struct {
	Label  string
	ID     []byte
	Public signing.PublicKey
	// Exposed says why the key is not safe in the token: it can be extracted, it is not
	// sensitive, or it can be used without a login. Empty if none of these. Only
	// Config.AllowExposed lets such a key sign.
	Exposed string
	// Elsewhere says that the key was not made in the token, or could once be extracted: its
	// owner is one with elsewhere = true in the signer's policy.
	Elsewhere bool
}

// List lists the ed25519 keys of the token that have a public key there, too.
func (t *Token) List(ctx context.Context) ([]Held, error) {
	objects, err := do(ctx, t, func() ([]object, error) { return t.objects(Name{}) })
	var all []Held
	for _, o := range objects {
		if o.Public != (signing.PublicKey{}) {
			all = append(all, o.Held)
		}
	}
	return all, err
}

// object is a private key with its handle. Its public key is zero if it is not known.
type object struct {
	Held
	handle cryptoki.ObjectHandle
	asks   bool // wants the PIN for each signature
}

// objects lists the private keys that have a name's label and ID, if it has these.
func (t *Token) objects(n Name) (all []object, err error) {
	handles, err := t.search(cryptoki.CKO_PRIVATE_KEY, n.Label, n.ID)
	if err != nil {
		return nil, err
	}
	for _, handle := range handles {
		o, err := t.object(handle)
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}

// search lists the handles of the token's Edwards keys of a class, of a label and an ID unless
// they are empty.
func (t *Token) search(class uint, label string, id []byte) (all []cryptoki.ObjectHandle, err error) {
	like := []*cryptoki.Attribute{
		cryptoki.NewAttribute(cryptoki.CKA_CLASS, class), cryptoki.NewAttribute(cryptoki.CKA_KEY_TYPE, typeEdwards),
		cryptoki.NewAttribute(cryptoki.CKA_TOKEN, true),
	}
	if label != "" {
		like = append(like, cryptoki.NewAttribute(cryptoki.CKA_LABEL, label))
	}
	if len(id) > 0 {
		like = append(like, cryptoki.NewAttribute(cryptoki.CKA_ID, id))
	}
	if err := t.lib.FindObjectsInit(t.session, like); err != nil {
		return nil, fmt.Errorf("pkcs11: search keys: %w", err)
	}
	for {
		more, _, err := t.lib.FindObjects(t.session, 100)
		all = append(all, more...)
		if err == nil && len(more) > 0 {
			continue
		}
		if ended := t.lib.FindObjectsFinal(t.session); err == nil {
			err = ended
		}
		if err != nil {
			return nil, fmt.Errorf("pkcs11: search keys: %w", err)
		}
		return all, nil
	}
}

func (t *Token) object(handle cryptoki.ObjectHandle) (o object, err error) {
	o.handle = handle
	label, err := t.value(handle, cryptoki.CKA_LABEL)
	if err != nil {
		return o, err
	}
	o.Label = string(label)
	if o.ID, err = t.value(handle, cryptoki.CKA_ID); err != nil {
		return o, err
	}
	if o.Public, err = t.public(o.Label, o.ID); err != nil {
		return o, err
	}
	if o.Exposed, err = t.exposed(handle); err != nil {
		return o, err
	}
	local, err := t.isTrue(handle, cryptoki.CKA_LOCAL)
	if err != nil {
		return o, err
	}
	never, err := t.isTrue(handle, cryptoki.CKA_NEVER_EXTRACTABLE)
	if err != nil {
		return o, err
	}
	o.Elsewhere = !local || !never
	o.asks, err = t.isTrue(handle, cryptoki.CKA_ALWAYS_AUTHENTICATE)
	return o, err
}

// exposed is Held.Exposed. What the token does not say counts against it.
func (t *Token) exposed(handle cryptoki.ObjectHandle) (string, error) {
	var why []string
	for _, x := range []struct {
		kind uint
		good byte
		why  string
	}{
		{cryptoki.CKA_EXTRACTABLE, 0, "it can be extracted"},
		{cryptoki.CKA_SENSITIVE, 1, "it is not sensitive"},
		{cryptoki.CKA_PRIVATE, 1, "it can be used without a login"},
	} {
		value, err := t.value(handle, x.kind)
		if err != nil {
			return "", err
		}
		if len(value) != 1 || value[0] != x.good {
			why = append(why, x.why)
		}
	}
	return strings.Join(why, ", "), nil
}

// public is the public key that lies beside a private one, under the same ID, or the same label if
// it has no ID. Two that differ are none.
func (t *Token) public(label string, id []byte) (public signing.PublicKey, err error) {
	if len(id) > 0 {
		label = ""
	} else if label == "" {
		return public, nil
	}
	handles, err := t.search(cryptoki.CKO_PUBLIC_KEY, label, id)
	if err != nil {
		return public, err
	}
	for i, handle := range handles {
		raw, err := t.value(handle, cryptoki.CKA_EC_POINT)
		if err != nil {
			return public, err
		}
		point, ok := parsePoint(raw)
		if !ok || i > 0 && point != public {
			return signing.PublicKey{}, nil
		}
		public = point
	}
	return public, nil
}

// parsePoint reads an ed25519 point, which is raw or in a DER OCTET STRING: tokens do either.
func parsePoint(raw []byte) (point signing.PublicKey, ok bool) {
	if len(raw) == len(point)+2 {
		raw, ok = bytes.CutPrefix(raw, []byte{0x04, byte(len(point))})
		if !ok {
			return point, false
		}
	}
	return point, copy(point[:], raw) == len(point) && len(raw) == len(point)
}

// value is an attribute of an object, empty if the token does not know such an attribute.
func (t *Token) value(handle cryptoki.ObjectHandle, kind uint) ([]byte, error) {
	got, err := t.lib.GetAttributeValue(t.session, handle, []*cryptoki.Attribute{cryptoki.NewAttribute(kind, nil)})
	switch {
	case is(err, cryptoki.CKR_ATTRIBUTE_TYPE_INVALID):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("pkcs11: attribute %#x of a key: %w", kind, err)
	}
	return got[0].Value, nil
}

func (t *Token) isTrue(handle cryptoki.ObjectHandle, kind uint) (bool, error) {
	value, err := t.value(handle, kind)
	return len(value) == 1 && value[0] != 0, err
}
