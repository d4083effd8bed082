package smartaccount

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type passkeyRequest struct {
	CredentialID string          `body:"credentialId,required"`
	PublicKey    string          `body:"publicKey,required"` // base64
	Attestation  json.RawMessage `body:"attestation,required"`
}

// registerPasskey binds a credential to the caller. The attestation is not
// verified.
func (b *Service) registerPasskey(c *kit.Call, in passkeyRequest) (map[string]any, error) {
	if in.CredentialID == "" {
		return nil, kit.Refuse(http.StatusBadRequest, "", "credentialId is empty")
	}
	if key, err := base64.StdEncoding.DecodeString(in.PublicKey); err != nil || len(key) == 0 {
		return nil, kit.Refuse(http.StatusBadRequest, "", "publicKey is not base64")
	}
	if err := object(in.Attestation, "attestation"); err != nil {
		return nil, err
	}
	if b.passkeys[in.CredentialID] != nil {
		return nil, kit.Refuse(http.StatusBadRequest, "", "the credential is registered already")
	}
	b.passkeys[in.CredentialID] = b.caller(c)
	return map[string]any{"passkeyId": b.id("pk")}, nil
}

type assertionRequest struct {
	CredentialID string          `body:"credentialId,required"`
	Assertion    json.RawMessage `body:"assertion,required"`
}

// authenticatePasskey signs in the owner of a credential. No route issues a
// challenge, so the assertion cannot be verified; only an empty assertion is
// refused.
func (b *Service) authenticatePasskey(c *kit.Call, in assertionRequest) (*tokens, error) {
	if err := object(in.Assertion, "assertion"); err != nil {
		return nil, err
	}
	u := b.passkeys[in.CredentialID]
	if names, _, _ := kit.Members(in.Assertion); u == nil || len(names) == 0 {
		return nil, kit.Refuse(http.StatusUnauthorized, "", "the passkey is not known or its assertion does not hold")
	}
	return b.signIn(c, u), nil
}

// object refuses anything but a JSON object.
func object(raw json.RawMessage, name string) error {
	if _, _, err := kit.Members(raw); err != nil {
		return kit.Refuse(http.StatusBadRequest, "", "%s is not an object", name)
	}
	return nil
}

// id makes an identifier with a resource's prefix.
func (b *Service) id(prefix string) string { return fmt.Sprintf("%s_%016x", prefix, b.Random()) }
