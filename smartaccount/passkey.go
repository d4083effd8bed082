package smartaccount

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// RegisterPasskeyRequest describes a passkey to add to the signed-in user.
type RegisterPasskeyRequest struct {
	CredentialID string // from the authenticator; required
	PublicKey    []byte // of the credential; sent as base64; required
	// Attestation is the WebAuthn attestation, a JSON object that is sent byte for
	// byte. Required.
	Attestation walletfi.Document
}

// Passkey is a registered passkey.
type Passkey struct {
	ID string `json:"passkeyId" wire:"required"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// RegisterPasskey adds a passkey for [Client.AuthenticatePasskey]. The client
// must be signed in.
//
// POST /auth/passkey/register. It is not repeated once it was sent.
func (c *Client) RegisterPasskey(
	ctx context.Context, req RegisterPasskeyRequest, opts ...walletfi.CallOption,
) (*Passkey, error) {
	return transport.Do[Passkey](ctx, c.made().t, transport.Call{
		Op: "RegisterPasskey", Effect: transport.Create, Method: http.MethodPost,
		Answer:  transport.Says("passkeyId:id", "success:bool"),
		Path:    transport.Path("/auth/passkey/register"),
		Body:    req.body(),
		Invalid: req.problem(), Class: ClassAuthentication,
	}, opts)
}

func (r RegisterPasskeyRequest) body() transport.Spliced {
	return transport.Spliced{
		Rest: struct {
			CredentialID string `json:"credentialId"`
			PublicKey    []byte `json:"publicKey"`
		}{r.CredentialID, r.PublicKey},
		Key: "attestation", Raw: r.Attestation,
	}
}

func (r RegisterPasskeyRequest) problem() error {
	return check.All(
		check.Required("credentialId", r.CredentialID),
		check.That(len(r.PublicKey) > 0, "publicKey", "is required"),
		object("attestation", r.Attestation),
	)
}

// AuthenticatePasskeyRequest signs a user in by passkey.
type AuthenticatePasskeyRequest struct {
	CredentialID string // as registered; required
	// Assertion is the WebAuthn assertion, a JSON object that is sent byte for
	// byte. Required.
	Assertion walletfi.Document
}

// AuthenticatePasskey signs the client in: its calls use the returned token
// from then on. If the token store fails, the token is returned with the error,
// so that it is not lost. After an unknown outcome, start over with a new
// assertion.
//
// POST /auth/passkey/authenticate. It is not repeated once it was sent.
func (c *Client) AuthenticatePasskey(
	ctx context.Context, req AuthenticatePasskeyRequest, opts ...walletfi.CallOption,
) (walletfi.Token, error) {
	return c.signIn(ctx, transport.Call{
		Op: "AuthenticatePasskey", Effect: transport.Create, Method: http.MethodPost,
		Answer: transport.Says("accessToken"),
		Path:   transport.Path("/auth/passkey/authenticate"),
		Body: transport.Spliced{
			Rest: struct {
				CredentialID string `json:"credentialId"`
			}{req.CredentialID},
			Key: "assertion", Raw: req.Assertion,
		},
		Invalid: req.problem(),
		Class:   ClassAuthentication, Public: true, Secrets: texts(req.Assertion),
	}, opts)
}

// texts returns every string in doc, one of which is a signature. Masking each
// string separately keeps an answer that echoes doc readable.
func texts(doc walletfi.Document) []string {
	var all []string
	var visit func(any)
	visit = func(value any) {
		switch v := value.(type) {
		case string:
			all = append(all, v)
		case []any:
			for _, inner := range v {
				visit(inner)
			}
		case map[string]any:
			for _, inner := range v {
				visit(inner)
			}
		}
	}
	var value any
	if doc.Decode(&value) == nil {
		visit(value)
	}
	return all
}

func (r AuthenticatePasskeyRequest) problem() error {
	return check.All(
		check.Required("credentialId", r.CredentialID),
		object("assertion", r.Assertion),
	)
}
