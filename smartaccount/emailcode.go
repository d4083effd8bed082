package smartaccount

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// EmailCodeSent is the service's word that a code is on its way.
type EmailCodeSent struct {
	Message string `json:"message"` // for a person to read
}

// SendEmailCode has a one-time code sent to email, for VerifyEmailCode. After
// an unknown outcome, asking again sends another message at worst.
//
// POST /auth/email/otp. Not repeated once it was sent.
func (c *Client) SendEmailCode(ctx context.Context, email string, opts ...walletfi.CallOption) (*EmailCodeSent, error) {
	return transport.Do[EmailCodeSent](ctx, c.t, transport.Call{
		Op: "SendEmailCode", Effect: transport.Create, Method: http.MethodPost,
		Path: transport.Path("/auth/email/otp"),
		Body: struct {
			Email string `json:"email"`
		}{email},
		Invalid: check.Required("email", email),
		Class:   ClassAuthentication, Public: true,
	}, opts)
}

// VerifyEmailCodeRequest is what signs a user in by email.
type VerifyEmailCodeRequest struct {
	Email string          // to which the code was sent; required
	Code  walletfi.Secret // as the message has it; required
}

// VerifyEmailCode signs the client in: its calls use the returned token from
// then on. Where the token store fails, the token comes beside the error, so
// that it is not lost. After an unknown outcome the code may be spent: ask for
// another.
//
// POST /auth/email/verify. Not repeated once it was sent.
func (c *Client) VerifyEmailCode(ctx context.Context, req VerifyEmailCodeRequest, opts ...walletfi.CallOption) (walletfi.Token, error) {
	code := req.Code.Reveal()
	return c.signIn(ctx, transport.Call{
		Op: "VerifyEmailCode", Effect: transport.Create, Method: http.MethodPost,
		Path: transport.Path("/auth/email/verify"),
		Body: struct {
			Email string `json:"email"`
			OTP   string `json:"otp"`
		}{req.Email, code},
		Invalid: check.All(check.Required("email", req.Email), check.Required("otp", code)),
		Class:   ClassAuthentication, Public: true, Secrets: []string{code},
	}, opts)
}
