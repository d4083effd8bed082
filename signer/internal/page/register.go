package page

import (
	"crypto/rsa"
	"crypto/x509"
	"math/big"
	"net/http"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/protocol/webauthncose"
	"github.com/walletfi/walletfi-go/signer/internal/passkey"
)

// algorithms are what a passkey may sign by: ES256, and RS256 as Windows does.
var algorithms = []protocol.CredentialParameter{
	{Type: protocol.PublicKeyCredentialType, Algorithm: webauthncose.AlgES256},
	{Type: protocol.PublicKeyCredentialType, Algorithm: webauthncose.AlgRS256},
}

func (p *page) askName(w http.ResponseWriter, _ *http.Request) {
	p.render(w, "register", view{Title: "Register a passkey", Challenge: p.challenge})
}

// register reads a new passkey, and answers with the line that a policy has of it. Nothing is kept:
// who the passkey is of, and that it may approve, is for the policy to say.
func (p *page) register(w http.ResponseWriter, r *http.Request) {
	body, ok := read(w, r)
	if !ok {
		return
	}
	made, err := protocol.ParseCredentialCreationResponseBytes(body)
	if err == nil {
		_, err = made.Verify(p.challenge, p.site.RP, []string{p.site.Origin}, nil, nil,
			protocol.TopOriginExplicitVerificationMode, false, true, true, nil, algorithms,
			protocol.AttestationPolicy{}, protocol.SignaturePolicy{})
	}
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, "the passkey was not made as this page asks: "+err.Error())
		return
	}
	credential := made.Response.AttestationObject.AuthData.AttData
	key, err := keyOf(credential.CredentialID, credential.CredentialPublicKey)
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	answer(w, map[string]string{"line": key.String()})
}

// keyOf is the passkey with a public key that is written in COSE.
func keyOf(id, cose []byte) (*passkey.Key, error) {
	read, err := webauthncose.ParsePublicKey(cose)
	if err != nil {
		return nil, err
	}
	public := read
	switch k := read.(type) {
	case webauthncose.EC2PublicKeyData:
		public, err = k.ToECDSA()
	case webauthncose.RSAPublicKeyData:
		exponent, bad := webauthncose.ParseRSAPublicKeyDataExponent(&k)
		public, err = &rsa.PublicKey{N: new(big.Int).SetBytes(k.Modulus), E: exponent}, bad
	}
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		return nil, err
	}
	return passkey.New(id, der)
}
