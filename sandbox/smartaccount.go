package sandbox

import (
	"encoding/json"

	"github.com/walletfi/walletfi-go/sandbox/internal/smartaccount"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// SmartAccountHandle controls the smart account service.
type SmartAccountHandle struct{ service *smartaccount.Service }

// SmartAccount returns the handle of the smart account service.
func (s *Sandbox) SmartAccount() SmartAccountHandle {
	return SmartAccountHandle{s.world().SmartAccount}
}

// OneTimeCode returns the code that the service last sent to an email address,
// empty if none is waiting. It is valid once, for ten minutes and five wrong
// tries.
func (h SmartAccountHandle) OneTimeCode(email string) string { return h.service.OneTimeCode(email) }

// SignIn signs a user in without a request, and so without using up the rate
// limit of signing in. The access token is valid for 15 minutes of the
// sandbox's clock, the refresh token for 30 days.
func (h SmartAccountHandle) SignIn(email string) (access, refresh string) {
	return h.service.SignIn(email)
}

// Passkey is a new credential of the virtual authenticator: the three fields
// that register a passkey.
type Passkey = play.Passkey

// CreatePasskey makes a credential in the sandbox's virtual authenticator, as a
// device does when a passkey is registered. The service issues no challenge, so
// the authenticator makes one up.
func (h SmartAccountHandle) CreatePasskey() (Passkey, error) { return h.service.CreatePasskey() }

// AssertPasskey returns the WebAuthn assertion that signs in with a credential of
// CreatePasskey, in JSON.
func (h SmartAccountHandle) AssertPasskey(credentialID string) (assertion json.RawMessage, err error) {
	return h.service.AssertPasskey(credentialID)
}

// RefuseSilently makes the service refuse the next requests, as many as times
// says, with success:false under HTTP 200. Only routes whose answer has a
// success field count.
func (h SmartAccountHandle) RefuseSilently(times int) { h.service.RefuseSilently(times) }

// SetPolicyRefuses makes a policy, whatever its type and params, refuse every
// transaction of its account, or stop doing so.
func (h SmartAccountHandle) SetPolicyRefuses(policyID string, refuses bool) error {
	return h.service.SetPolicyRefuses(policyID, refuses)
}

// SessionKeyMessage returns what a session key signs, by ed25519, to have the
// smart account service execute instructions. The live service documents no
// message: here it is the array of instructions as compact JSON, the members of
// an instruction in the order programId, accounts (pubkey, isSigner,
// isWritable), data. The argument is the array as JSON of any spacing and
// order.
func SessionKeyMessage(instructions []byte) ([]byte, error) {
	return smartaccount.SessionKeyMessage(instructions)
}
