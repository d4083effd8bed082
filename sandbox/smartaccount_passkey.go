package sandbox

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
)

type smartAccountPasskeyRequest struct {
	CredentialID string          `body:"credentialId,required"`
	PublicKey    string          `body:"publicKey,required"` // base64
	Attestation  json.RawMessage `body:"attestation,required"`
}

// registerPasskey binds a credential to the caller. What an attestation holds
// is WebAuthn's affair and not looked into.
func (b *smartAccount) registerPasskey(c *call, in smartAccountPasskeyRequest) (map[string]any, error) {
	if in.CredentialID == "" {
		return nil, refuse(http.StatusBadRequest, "", "credentialId is empty")
	}
	if key, err := base64.StdEncoding.DecodeString(in.PublicKey); err != nil || len(key) == 0 {
		return nil, refuse(http.StatusBadRequest, "", "publicKey is not base64")
	}
	if err := smartAccountObject(in.Attestation, "attestation"); err != nil {
		return nil, err
	}
	if b.passkeys[in.CredentialID] != nil {
		return nil, refuse(http.StatusBadRequest, "", "the credential is registered already")
	}
	b.passkeys[in.CredentialID] = b.caller(c)
	return map[string]any{"passkeyId": b.id("pk")}, nil
}

type smartAccountAssertionRequest struct {
	CredentialID string          `body:"credentialId,required"`
	Assertion    json.RawMessage `body:"assertion,required"`
}

// authenticatePasskey signs in whose credential it is. No route hands out a
// challenge, so that the assertion has nothing to be verified against: an
// empty one is refused.
func (b *smartAccount) authenticatePasskey(c *call, in smartAccountAssertionRequest) (*smartAccountTokens, error) {
	if err := smartAccountObject(in.Assertion, "assertion"); err != nil {
		return nil, err
	}
	u := b.passkeys[in.CredentialID]
	if names, _, _ := members(in.Assertion); u == nil || len(names) == 0 {
		return nil, refuse(http.StatusUnauthorized, "", "the passkey is not known or its assertion does not hold")
	}
	return b.signIn(c, u), nil
}

// smartAccountObject refuses what is no JSON object.
func smartAccountObject(raw json.RawMessage, name string) error {
	if _, _, err := members(raw); err != nil {
		return refuse(http.StatusBadRequest, "", "%s is not an object", name)
	}
	return nil
}

// id makes an identifier with a resource's prefix.
func (b *smartAccount) id(prefix string) string { return fmt.Sprintf("%s_%016x", prefix, b.random()) }
