package smartaccount

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// EmailCodeSent confirms that a code was sent.
type EmailCodeSent struct {
	Message string `json:"message"` // for people to read

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// SendEmailCode sends a one-time code to email, for [Client.VerifyEmailCode].
// After an unknown outcome, calling it again sends at worst a second message.
//
// POST /auth/email/otp. It is not repeated once it was sent.
func (c *Client) SendEmailCode(ctx context.Context, email string, opts ...walletfi.CallOption) (*EmailCodeSent, error) {
	return transport.Do[EmailCodeSent](ctx, c.made().t, transport.Call{
		Op: "SendEmailCode", Effect: transport.Create, Method: http.MethodPost,
		Answer: transport.Says("success:bool"),
		Path:   transport.Path("/auth/email/otp"),
		Body: struct {
			Email string `json:"email"`
		}{email},
		Invalid: check.Required("email", email),
		Class:   ClassAuthentication, Public: true,
	}, opts)
}

// VerifyEmailCodeRequest signs a user in by email.
type VerifyEmailCodeRequest struct {
	Email string          // address to which the code was sent; required
	Code  walletfi.Secret // as in the message; required
}

// VerifyEmailCode signs the client in: its calls use the returned token from
// then on. If the token store fails, the token is returned with the error, so
// that it is not lost. After an unknown outcome the code may be used up: send a
// new one.
//
// POST /auth/email/verify. It is not repeated once it was sent.
func (c *Client) VerifyEmailCode(
	ctx context.Context, req VerifyEmailCodeRequest, opts ...walletfi.CallOption,
) (walletfi.Token, error) {
	code := req.Code.Reveal()
	return c.signIn(ctx, transport.Call{
		Op: "VerifyEmailCode", Effect: transport.Create, Method: http.MethodPost,
		Answer: transport.Says("accessToken"),
		Path:   transport.Path("/auth/email/verify"),
		Body: struct {
			Email string `json:"email"`
			OTP   string `json:"otp"`
		}{req.Email, code},
		Invalid: check.All(check.Required("email", req.Email), check.Required("otp", code)),
		Class:   ClassAuthentication, Public: true, Secrets: []string{code},
	}, opts)
}
