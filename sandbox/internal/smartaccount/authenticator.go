package smartaccount

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// authenticator is a virtual WebAuthn authenticator: ES256 credentials whose user
// is always present and verified.
type authenticator struct {
	keys  map[string]int // the numbers of the keys, by credential id
	signs uint32
}

// RelyingParty is the id that the virtual authenticator's credentials are bound
// to. The service documents none.
const RelyingParty = "sandbox.localhost"

var b64 = base64.RawURLEncoding

// CreatePasskey makes a credential and its attestation, of format none.
func (b *Service) CreatePasskey() (play.Passkey, error) {
	b.Lock()
	defer b.Unlock()
	number := len(b.authenticator.keys)
	key := b.passkeyKey(number)
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return play.Passkey{}, fmt.Errorf("sandbox: the passkey's public key: %w", err)
	}
	id := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, b.Random()), b.Random())
	name := b64.EncodeToString(id)
	b.authenticator.keys[name] = number

	// The credential: AAGUID, length of the id, id, key in COSE.
	credential := append(append(make([]byte, 16), 0, byte(len(id))), id...)
	credential = append(credential, coseKey(key)...)
	data := b.authenticatorData(0x45, credential) // present, verified, with a credential
	object := append([]byte{0xa3}, cborText("fmt")...)
	object = append(append(object, cborText("none")...), cborText("attStmt")...)
	object = append(append(object, 0xa0), cborText("authData")...)
	object = append(append(object, 0x59, byte(len(data)>>8), byte(len(data))), data...)
	return play.Passkey{
		CredentialID: name,
		PublicKey:    base64.StdEncoding.EncodeToString(public),
		Attestation: b.ceremony(name, "webauthn.create", map[string]string{
			"attestationObject": b64.EncodeToString(object),
		}),
	}, nil
}

// AssertPasskey answers a ceremony with a credential of CreatePasskey: the
// assertion of /auth/passkey/authenticate.
func (b *Service) AssertPasskey(credentialID string) (json.RawMessage, error) {
	b.Lock()
	defer b.Unlock()
	number, ok := b.authenticator.keys[credentialID]
	if !ok {
		return nil, fmt.Errorf("sandbox: the authenticator has no credential %q", credentialID)
	}
	data := b.authenticatorData(0x05, nil)
	client := b.clientData("webauthn.get")
	sum := sha256.Sum256(client)
	digest := sha256.Sum256(append(append([]byte{}, data...), sum[:]...))
	signature, err := ecdsa.SignASN1(nil, b.passkeyKey(number), digest[:])
	if err != nil {
		return nil, fmt.Errorf("sandbox: signing with a passkey: %w", err)
	}
	return b.answer(credentialID, map[string]string{
		"clientDataJSON": b64.EncodeToString(client), "authenticatorData": b64.EncodeToString(data),
		"signature": b64.EncodeToString(signature), "userHandle": credentialID,
	}), nil
}

func (b *Service) ceremony(id, kind string, response map[string]string) json.RawMessage {
	response["clientDataJSON"] = b64.EncodeToString(b.clientData(kind))
	return b.answer(id, response)
}

// answer is a credential in the form of a browser's toJSON.
func (b *Service) answer(id string, response map[string]string) json.RawMessage {
	return kit.MustJSON(map[string]any{
		"id":                      id,
		"rawId":                   id,
		"type":                    "public-key",
		"authenticatorAttachment": "platform",
		"response":                response,
	})
}

// clientData has a challenge of the authenticator's own: no route issues one.
func (b *Service) clientData(kind string) []byte {
	challenge := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, b.Random()), b.Random())
	return kit.MustJSON(map[string]any{
		"type":        kind,
		"challenge":   b64.EncodeToString(challenge),
		"origin":      "https://" + RelyingParty,
		"crossOrigin": false,
	})
}

func (b *Service) authenticatorData(flags byte, rest []byte) []byte {
	b.authenticator.signs++
	party := sha256.Sum256([]byte(RelyingParty))
	return append(binary.BigEndian.AppendUint32(append(party[:], flags), b.authenticator.signs), rest...)
}

// passkeyKey draws a P-256 key from the seed.
func (b *Service) passkeyKey(number int) *ecdsa.PrivateKey {
	seed := b.Keypair(fmt.Sprintf("passkey %d", number)).Seed()
	d := new(big.Int).SetBytes(seed)
	d.Mod(d, new(big.Int).Sub(elliptic.P256().Params().N, big.NewInt(1))).Add(d, big.NewInt(1))
	raw := d.FillBytes(make([]byte, 32))
	key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), raw)
	if err != nil {
		panic("sandbox: no key for a passkey: " + err.Error()) // d is from 1 to N-1
	}
	return key
}

// coseKey is a public key in COSE: EC2, ES256, P-256.
func coseKey(key *ecdsa.PrivateKey) []byte {
	point, err := key.PublicKey.Bytes() // 0x04, x, y
	if err != nil {
		panic("sandbox: a key that is not on its curve: " + err.Error())
	}
	out := []byte{0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20}
	out = append(append(out, point[1:33]...), 0x22, 0x58, 0x20)
	return append(out, point[33:]...)
}

// cborText is a short text in CBOR.
func cborText(text string) []byte { return append([]byte{0x60 + byte(len(text))}, text...) }
