package play

import "encoding/json"

// Passkey is a new credential of the virtual authenticator: the three fields
// that register a passkey.
type Passkey struct {
	CredentialID string
	PublicKey    string          // base64 of its SubjectPublicKeyInfo
	Attestation  json.RawMessage // a WebAuthn attestation in JSON, of format none
}
