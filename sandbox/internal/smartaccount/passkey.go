package smartaccount

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type passkeyRequest struct {
	CredentialID string          `body:"credentialId,required" open:"any text"`
	PublicKey    string          `body:"publicKey,required" form:"base64"` // base64
	Attestation  json.RawMessage `body:"attestation,required" form:"object"`
}

// registerPasskey binds a credential to the caller. The attestation is not
// verified.
func (b *Service) registerPasskey(c *kit.Call, in passkeyRequest) map[string]any {
	kit.BadIf(b.passkeys[in.CredentialID] != nil, "the credential is registered already")
	b.passkeys[in.CredentialID] = b.caller(c)
	return map[string]any{"passkeyId": b.id("pk")}
}

type assertionRequest struct {
	CredentialID string          `body:"credentialId,required" open:"any text"`
	Assertion    json.RawMessage `body:"assertion,required" form:"object"`
}

// authenticatePasskey signs in the owner of a credential. No route issues a
// challenge, so the assertion cannot be verified; only an empty assertion is
// refused.
func (b *Service) authenticatePasskey(c *kit.Call, in assertionRequest) any {
	u := b.passkeys[in.CredentialID]
	names, _, _ := kit.Members(in.Assertion)
	kit.RefuseIf(u == nil || len(names) == 0, http.StatusUnauthorized, "",
		"the passkey is not known or its assertion does not hold")
	return b.signIn(c, u)
}

// id makes an identifier with a resource's prefix.
func (b *Service) id(prefix string) string { return fmt.Sprintf("%s_%016x", prefix, b.Random()) }
