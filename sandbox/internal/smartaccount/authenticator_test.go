package smartaccount_test

import (
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/smartaccount"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// ceremony is a credential in JSON, as a relying party reads it.
type ceremony struct {
	ID, RawID, Type string
	Response        struct{ ClientDataJSON, AttestationObject, AuthenticatorData, Signature string }
}

func readCeremony(t *testing.T, raw json.RawMessage, kind string) (c ceremony, client []byte) {
	t.Helper()
	require.NoError(t, json.Unmarshal(raw, &c))
	client, err := base64.RawURLEncoding.DecodeString(c.Response.ClientDataJSON)
	require.NoError(t, err)
	var data struct{ Type, Challenge, Origin string }
	require.NoError(t, json.Unmarshal(client, &data))
	assert.Equal(t, []string{kind, "https://" + smartaccount.RelyingParty, "public-key", c.ID}, []string{data.Type, data.Origin, c.Type, c.RawID})
	assert.Len(t, data.Challenge, 22)
	return c, client
}

// A relying party that verifies WebAuthn takes what the authenticator makes.
func TestControlPasskeyVerifies(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	p, err := s.SmartAccount.CreatePasskey()
	require.NoError(t, err)
	der, err := base64.StdEncoding.DecodeString(p.PublicKey)
	require.NoError(t, err)
	public, err := x509.ParsePKIXPublicKey(der)
	require.NoError(t, err)
	key := public.(*ecdsa.PublicKey)
	point, err := key.Bytes()
	require.NoError(t, err)

	made, _ := readCeremony(t, p.Attestation, "webauthn.create")
	assert.Equal(t, p.CredentialID, made.ID)
	object, err := base64.RawURLEncoding.DecodeString(made.Response.AttestationObject)
	require.NoError(t, err)
	const head = "\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59"
	require.Equal(t, head, string(object[:len(head)]))
	data := object[len(head)+2:]
	assert.EqualValues(t, len(data), binary.BigEndian.Uint16(object[len(head):]))
	party := sha256.Sum256([]byte(smartaccount.RelyingParty))
	assert.Equal(t, party[:], data[:32])
	assert.EqualValues(t, 0x45, data[32])
	id, err := base64.RawURLEncoding.DecodeString(p.CredentialID)
	require.NoError(t, err)
	assert.EqualValues(t, len(id), binary.BigEndian.Uint16(data[53:]))
	assert.Equal(t, id, data[55:55+len(id)])
	cose := data[55+len(id):]
	assert.Equal(t, append(append([]byte("\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20"), point[1:33]...), append([]byte("\x22\x58\x20"), point[33:]...)...), cose)

	counts := []uint32{binary.BigEndian.Uint32(data[33:])}
	for range 2 {
		raw, err := s.SmartAccount.AssertPasskey(p.CredentialID)
		require.NoError(t, err)
		c, client := readCeremony(t, raw, "webauthn.get")
		data, err := base64.RawURLEncoding.DecodeString(c.Response.AuthenticatorData)
		require.NoError(t, err)
		signature, err := base64.RawURLEncoding.DecodeString(c.Response.Signature)
		require.NoError(t, err)
		sum := sha256.Sum256(client)
		digest := sha256.Sum256(append(append([]byte{}, data...), sum[:]...))
		assert.True(t, ecdsa.VerifyASN1(key, digest[:], signature))
		counts = append(counts, binary.BigEndian.Uint32(data[33:]))
	}
	assert.Equal(t, []uint32{1, 2, 3}, counts, "the signature counter rises")
	_, err = s.SmartAccount.AssertPasskey("another")
	assert.Error(t, err)
	other, err := s.SmartAccount.CreatePasskey()
	require.NoError(t, err)
	assert.NotEqual(t, p.PublicKey, other.PublicKey)
}
