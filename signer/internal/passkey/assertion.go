package passkey

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/walletfi/walletfi-go/internal/jsontext"
	"github.com/walletfi/walletfi-go/signer/grant"
)

// Assertion has a passkey's signature and the data that it is over, each member in base64url.
type Assertion struct {
	ID                string `json:"id"` // the credential's
	AuthenticatorData string `json:"authenticatorData"`
	ClientDataJSON    string `json:"clientDataJSON"`
	Signature         string `json:"signature"`
}

// MaxAssertion is the most bytes of an assertion as JSON. Most have less than 1 KiB.
const MaxAssertion = 8 << 10

// Is reports whether the text of a signature is an assertion, which is written as JSON.
func Is(signature string) bool { return strings.HasPrefix(signature, "{") }

// Challenge returns the challenge that a passkey signs to say a verdict of a text, in base64url: SHA-256 of a line that
// nothing else has, and of both. A challenge is usually random, so that an assertion serves once. This one
// is the decision, and an assertion over it decides nothing else.
func Challenge(text string, v grant.Verdict) string {
	sum := sha256.Sum256([]byte("walletfi-passkey-v1\n" + string(v) + "\n" + text))
	return encode(sum[:])
}

// The flags of authenticator data.
const (
	userPresent    = 1 << 0
	userVerified   = 1 << 2
	backupEligible = 1 << 3
	backedUp       = 1 << 4
	hasCredential  = 1 << 6
	hasExtensions  = 1 << 7
	authenticator  = sha256.Size + 1 + 4 // bytes of it without extensions
)

// Verify returns which of the keys has signed a text on the site, what that says of it, and the key's
// count of signatures.
func (s Site) Verify(text, assertion string, keys []*Key) (key int, v grant.Verdict, count uint32, err error) {
	a, err := parse(assertion)
	if err != nil {
		return 0, "", 0, err
	}
	key = -1
	for i, k := range keys {
		if k.ID == a.ID {
			key = i
		}
	}
	if key < 0 {
		return 0, "", 0, errors.New("passkey: the passkey is of no approver")
	}
	authenticated, first := decode(a.AuthenticatorData)
	client, second := decode(a.ClientDataJSON)
	signature, third := decode(a.Signature)
	if err := errors.Join(first, second, third); err != nil {
		return 0, "", 0, fmt.Errorf("passkey: the assertion is not in base64url: %w", err)
	}
	if v, err = s.said(client, text); err != nil {
		return 0, "", 0, err
	}
	if count, err = s.counted(authenticated); err != nil {
		return 0, "", 0, err
	}
	sum := sha256.Sum256(client)
	if !keys[key].signed(append(authenticated, sum[:]...), signature) {
		return 0, "", 0, errors.New("passkey: the signature is not the passkey's")
	}
	return key, v, count, nil
}

// Counted reads from an assertion that was verified whose it is and what its passkey has counted. Of
// any other signature it reports false.
func Counted(signature string) (id string, count uint32, ok bool) {
	if !Is(signature) {
		return "", 0, false
	}
	a, first := parse(signature)
	b, second := decode(a.AuthenticatorData)
	if first != nil || second != nil || len(b) < authenticator {
		return "", 0, false
	}
	return a.ID, binary.BigEndian.Uint32(b[sha256.Size+1:]), true
}

func parse(assertion string) (a Assertion, err error) {
	if len(assertion) > MaxAssertion {
		return a, fmt.Errorf("passkey: an assertion has at most %d bytes", MaxAssertion)
	}
	if err = json.Unmarshal([]byte(assertion), &a); err == nil {
		err = jsontext.Exact([]byte(assertion), reflect.TypeFor[Assertion]())
	}
	if err != nil {
		return a, fmt.Errorf("passkey: the assertion: %w", err)
	}
	return a, nil
}

// said reads the browser's part: that somebody was asked on this site, and for which verdict of the text.
func (s Site) said(client []byte, text string) (grant.Verdict, error) {
	var all map[string]any // not a struct, for which encoding/json takes names of another case too
	if err := json.Unmarshal(client, &all); err != nil {
		return "", fmt.Errorf("passkey: the client data: %w", err)
	}
	if err := jsontext.Exact(client, reflect.TypeFor[map[string]json.RawMessage]()); err != nil {
		return "", fmt.Errorf("passkey: the client data: %w", err)
	}
	_, framed := all["topOrigin"]
	switch {
	case all["type"] != "webauthn.get":
		return "", errors.New("passkey: the assertion is for something else than to sign in")
	case all["origin"] != s.Origin:
		return "", fmt.Errorf("passkey: it was signed on another page than %s", s.Origin)
	case framed || all["crossOrigin"] != nil && all["crossOrigin"] != false:
		return "", errors.New("passkey: it was signed in a frame of another page")
	}
	for _, v := range []grant.Verdict{grant.Approves, grant.Denies} {
		if all["challenge"] == Challenge(text, v) {
			return v, nil
		}
	}
	return "", errors.New("passkey: it was signed for another text")
}

// counted reads the authenticator's part: that it knows the site, and who used it.
func (s Site) counted(b []byte) (count uint32, err error) {
	rp := sha256.Sum256([]byte(s.RP))
	if len(b) < authenticator {
		return 0, errors.New("passkey: the authenticator data is too short")
	}
	flags := b[sha256.Size]
	switch {
	case [sha256.Size]byte(b) != rp:
		return 0, fmt.Errorf("passkey: it was signed for another site than %s", s.RP)
	case flags&userPresent == 0 || flags&userVerified == 0:
		return 0, errors.New("passkey: its user was not verified, by a PIN, a finger or a face")
	case flags&hasCredential != 0 || (flags&hasExtensions != 0) != (len(b) > authenticator):
		return 0, errors.New("passkey: the authenticator data is not that of an assertion")
	case flags&backedUp != 0 && flags&backupEligible == 0:
		return 0, errors.New("passkey: it has a copy and cannot have one")
	}
	return binary.BigEndian.Uint32(b[sha256.Size+1:]), nil
}

// signed reports whether the key has signed a message.
func (k *Key) signed(message, signature []byte) bool {
	sum := sha256.Sum256(message)
	switch public := k.public.(type) {
	case *ecdsa.PublicKey:
		return ecdsa.VerifyASN1(public, sum[:], signature)
	case *rsa.PublicKey:
		return rsa.VerifyPKCS1v15(public, crypto.SHA256, sum[:], signature) == nil
	}
	return false
}
