package smartaccount

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// tokenAnswer is what the sign-ins and a refresh bring; a refresh brings no
// refresh token.
type tokenAnswer struct {
	AccessToken  string   `json:"accessToken" wire:"required"`
	RefreshToken string   `json:"refreshToken"`
	ExpiresIn    lifetime `json:"expiresIn"`
}

// lifetime is a count of Config.ExpiresInUnit. What is no number counts as 0:
// a token is not lost over it, since a 401 tells in the end.
type lifetime float64

func (l *lifetime) UnmarshalJSON(b []byte) error {
	count, _ := strconv.ParseFloat(strings.Trim(string(b), `"`), 64)
	*l = lifetime(count)
	return nil
}

// maxLifetime is longer than any access token lives: beyond it the unit was
// guessed wrong, or the number is a point in time.
const maxLifetime = 366 * 24 * time.Hour

// expiry is zero where the lifetime makes no sense.
func (l lifetime) expiry(now time.Time, unit time.Duration) time.Time {
	span := float64(l) * float64(unit)
	if span > 0 && span < float64(maxLifetime) {
		return now.Add(time.Duration(span))
	}
	return time.Time{}
}

// exchange makes a call that brings a token.
func (c *Client) exchange(ctx context.Context, call transport.Call, opts []walletfi.CallOption) (walletfi.Token, error) {
	answer, err := transport.Do[tokenAnswer](ctx, c.t, call, opts)
	if err != nil {
		return walletfi.Token{}, withoutTokens(err)
	}
	return walletfi.Token{
		Access:  walletfi.NewSecret(answer.AccessToken),
		Refresh: walletfi.NewSecret(answer.RefreshToken),
		Expiry:  answer.ExpiresIn.expiry(time.Now(), c.unit),
	}, nil
}

// withoutTokens takes the body off an error about a success: it may hold the
// tokens that were just issued, which no list of secrets knows yet.
func withoutTokens(err error) error {
	if r, ok := errors.AsType[*walletfi.ResponseError](err); ok && r.StatusCode < 300 {
		r.Body = nil
	}
	return err
}

// signIn makes a call that brings a token and puts it to use.
func (c *Client) signIn(ctx context.Context, call transport.Call, opts []walletfi.CallOption) (walletfi.Token, error) {
	token, err := c.exchange(ctx, call, opts)
	if err != nil {
		return token, err
	}
	if err := c.bearer.Set(ctx, token); err != nil {
		return token, fmt.Errorf("smartaccount.%s: signed in, but the token is not in use: %w", call.Op, err)
	}
	return token, nil
}

// RefreshToken exchanges old's refresh token for a new access token. The
// client does so for its own token by itself and does not take up this one:
// the call is for programs that hand tokens on. Where the answer brings no
// refresh token, as documented, the result has old's.
//
// POST /auth/refresh. It is repeated as a change of a value is.
func (c *Client) RefreshToken(ctx context.Context, old walletfi.Token, opts ...walletfi.CallOption) (walletfi.Token, error) {
	secret := old.Refresh.Reveal()
	token, err := c.exchange(ctx, transport.Call{
		Op: "RefreshToken", Effect: transport.Set, Method: http.MethodPost,
		Path: transport.Path("/auth/refresh"),
		Body: struct {
			RefreshToken string `json:"refreshToken"`
		}{secret},
		Invalid: check.Required("refreshToken", secret),
		Class:   ClassRefresh, Public: true, Secrets: []string{secret},
	}, opts)
	if err != nil {
		return walletfi.Token{}, err
	}
	token.Refresh = walletfi.NewSecret(cmp.Or(token.Refresh.Reveal(), secret))
	return token, nil
}

// SetToken saves token in the store and uses it from then on. The zero Token
// signs out.
func (c *Client) SetToken(ctx context.Context, token walletfi.Token) error {
	return c.bearer.Set(ctx, token)
}

// Token returns the token that the next call would be sent with, refreshed if
// need be. Its error answers to walletfi.ErrUnauthorized where signing in is
// the only way on.
func (c *Client) Token(ctx context.Context) (walletfi.Token, error) {
	return c.bearer.Token(ctx)
}
