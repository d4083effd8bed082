// Package passkeytest has a passkey in software for tests, which says what it is told to, also what is wrong.
package passkeytest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer/grant"
	"github.com/walletfi/walletfi-go/signer/internal/passkey"
)

// Passkey signs on a page.
type Passkey struct {
	testing.TB
	ID      []byte
	Private crypto.Signer

	// What it says of itself, and the browser of the page.
	RP, Origin, Type string
	Flags            byte
	Count            uint32
	Client           map[string]any // more members of the client data
	After            []byte         // follows the authenticator data
}

// Verified are the flags of a passkey that somebody unlocked.
const Verified = 1 | 4

// New makes one of the curve P-256, as browsers do.
func New(t testing.TB, page passkey.Site) *Passkey {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	return of(t, page, private)
}

// NewRSA makes one as Windows does.
func NewRSA(t testing.TB, page passkey.Site) *Passkey {
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	return of(t, page, private)
}

func of(t testing.TB, page passkey.Site, private crypto.Signer) *Passkey {
	id := make([]byte, 32)
	_, _ = rand.Read(id)
	p := &Passkey{TB: t, ID: id, Private: private, RP: page.RP, Origin: page.Origin}
	p.Type, p.Flags = "webauthn.get", Verified
	return p
}

// Key is the passkey as a policy has it.
func (p *Passkey) Key() *passkey.Key {
	der, err := x509.MarshalPKIXPublicKey(p.Private.Public())
	require.NoError(p, err)
	k, err := passkey.New(p.ID, der)
	require.NoError(p, err)
	return k
}

// Says signs a verdict of a text.
func (p *Passkey) Says(text string, v grant.Verdict) string {
	text, err := p.assertion(passkey.Challenge(text, v))
	require.NoError(p, err)
	return text
}

func (p *Passkey) assertion(challenge string) (string, error) {
	client := map[string]any{"type": p.Type, "challenge": challenge, "origin": p.Origin, "crossOrigin": false}
	for name, value := range p.Client {
		client[name] = value
	}
	said, err := json.Marshal(client)
	if err != nil {
		return "", err
	}
	return p.Sign(string(said))
}

// Data is the authenticator data.
func (p *Passkey) Data() []byte {
	rp := sha256.Sum256([]byte(p.RP))
	return append(binary.BigEndian.AppendUint32(append(rp[:], p.Flags), p.Count), p.After...)
}

// Sign signs client data.
func (p *Passkey) Sign(client string) (string, error) {
	sum := sha256.Sum256([]byte(client))
	sum = sha256.Sum256(append(p.Data(), sum[:]...))
	signature, err := p.Private.Sign(rand.Reader, sum[:], crypto.SHA256)
	if err != nil {
		return "", err
	}
	in := base64.RawURLEncoding.EncodeToString
	text, err := json.Marshal(passkey.Assertion{
		ID: in(p.ID), AuthenticatorData: in(p.Data()), ClientDataJSON: in([]byte(client)), Signature: in(signature),
	})
	return string(text), err
}

// COSE is the public key as authenticators write it.
func (p *Passkey) COSE() []byte {
	if public, ok := p.Private.Public().(*rsa.PublicKey); ok {
		// A map of four: the type RSA, RS256, the modulus of 256 bytes and the exponent 65537.
		key := append([]byte{0xa4, 1, 3, 3, 0x39, 1, 0, 0x20, 0x59, 1, 0}, public.N.Bytes()...)
		return append(key, 0x21, 0x43, 1, 0, 1)
	}
	public, ok := p.Private.Public().(*ecdsa.PublicKey)
	require.True(p, ok)
	point, err := public.Bytes()
	require.NoError(p, err)
	// A map of five: the type EC2, ES256, P-256, x and y.
	key := []byte{0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32}
	key = append(key, point[1:33]...)
	return append(append(key, 0x22, 0x58, 32), point[33:]...)
}

// Registers returns the JSON that a browser hands in when the passkey is made, without an attestation.
func (p *Passkey) Registers(challenge string) string {
	rp := sha256.Sum256([]byte(p.RP))
	const attested = 0x40
	data := binary.BigEndian.AppendUint32(append(rp[:], p.Flags|attested), p.Count)
	data = append(data, make([]byte, 16)...) // of no maker
	data = binary.BigEndian.AppendUint16(data, uint16(len(p.ID)))
	data = append(append(data, p.ID...), p.COSE()...)
	object := append([]byte{0xa3}, "\x63fmt\x64none\x67attStmt\xa0\x68authData\x59"...)
	object = append(binary.BigEndian.AppendUint16(object, uint16(len(data))), data...)
	said := map[string]any{"type": "webauthn.create", "challenge": challenge, "origin": p.Origin, "crossOrigin": false}
	client, err := json.Marshal(said)
	require.NoError(p, err)
	in := base64.RawURLEncoding.EncodeToString
	const made = `{"id":%q,"rawId":%[1]q,"type":"public-key","response":{"attestationObject":%q,"clientDataJSON":%q}}`
	return fmt.Sprintf(made, in(p.ID), in(object), in(client))
}
