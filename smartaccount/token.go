package smartaccount

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// tokenAnswer is the answer to a sign-in or a refresh. A refresh returns no
// refresh token.
type tokenAnswer struct {
	AccessToken  string `json:"accessToken" wire:"required"`
	RefreshToken string `json:"refreshToken" wire:"decides,optional"`
	ExpiresIn    uint64 `json:"expiresIn" wire:"said,min=1"` // in Config.ExpiresInUnit
}

// signedIn is the answer to a sign-in, which promises a refresh token: without one the session
// ends with the access token.
type signedIn struct {
	AccessToken  string `json:"accessToken" wire:"required"`
	RefreshToken string `json:"refreshToken" wire:"said,word"`
	ExpiresIn    uint64 `json:"expiresIn" wire:"said,min=1"`
}

func init() {
	wire.Reader(func(s *wire.Scanner, t *tokenAnswer) error { return readToken(s, t, &t.AccessToken) })
	wire.Reader(func(s *wire.Scanner, t *signedIn) error { return readToken(s, t, &t.AccessToken) })
}

// readToken reads an answer with an access token that can be sent. It is not lost for what else is
// wrong: a 401 reports its expiry.
func readToken[T any](s *wire.Scanner, answer *T, access *string) error {
	err := wire.Created(s, answer)
	isOdd := func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) }
	if err == nil && strings.ContainsFunc(*access, isOdd) {
		return &wire.FieldError{Path: "accessToken", Problem: "is no token"}
	}
	return err
}

// maxLifetime is longer than the lifetime of any access token. A longer one
// means that the unit is wrong, or that the number is a point in time.
const maxLifetime = 366 * 24 * time.Hour

// expiry returns zero if the lifetime makes no sense.
func expiry(count uint64, now time.Time, unit time.Duration) time.Time {
	span := float64(count) * float64(unit)
	if span > 0 && span < float64(maxLifetime) {
		return now.Add(time.Duration(span))
	}
	return time.Time{}
}

// exchange makes a call that returns a token.
func exchange[T tokenAnswer | signedIn](
	ctx context.Context, c *Client, call transport.Call, opts []walletfi.CallOption,
) (walletfi.Token, error) {
	answer, err := transport.Do[T](ctx, c.made().t, call, opts)
	err = withoutTokens(err)
	if answer == nil {
		return walletfi.Token{}, err
	}
	said := tokenAnswer(*answer)
	return walletfi.Token{
		Access:  walletfi.NewSecret(said.AccessToken),
		Refresh: walletfi.NewSecret(said.RefreshToken),
		Expiry:  expiry(said.ExpiresIn, c.made().t.Now(), c.unit),
	}, err
}

// withoutTokens removes the body from an error about a success. It may hold new
// tokens, which are not in any list of secrets yet.
func withoutTokens(err error) error {
	if r, ok := errors.AsType[*walletfi.ResponseError](err); ok && r.StatusCode < 300 {
		r.Body = nil
	}
	if unread, ok := errors.AsType[*walletfi.UnreadError](err); ok {
		unread.Records[0].Raw = nil
	}
	return err
}

// signIn makes a call that returns a token, and uses it from then on, also if the answer
// says nothing of its expiry or has no refresh token.
func (c *Client) signIn(ctx context.Context, call transport.Call, opts []walletfi.CallOption) (walletfi.Token, error) {
	token, err := exchange[signedIn](ctx, c, call, opts)
	if token.Access.IsZero() {
		return token, err
	}
	if err := c.made().bearer.Set(ctx, token); err != nil {
		return token, fmt.Errorf("smartaccount.%s: signed in, but the token is not in use: %w", call.Op, err)
	}
	return token, err
}

// RefreshToken exchanges old's refresh token for a new access token. The client
// refreshes its own token by itself and does not use this one: the call is for
// programs that pass tokens on. If the answer holds no refresh token, as
// documented, the result has that of old.
//
// POST /auth/refresh. It is repeated like a change of a value.
func (c *Client) RefreshToken(
	ctx context.Context, old walletfi.Token, opts ...walletfi.CallOption,
) (walletfi.Token, error) {
	secret := old.Refresh.Reveal()
	token, err := exchange[tokenAnswer](ctx, c, transport.Call{
		Op: "RefreshToken", Effect: transport.Set, Method: http.MethodPost,
		Answer: transport.Says("accessToken"),
		Path:   transport.Path("/auth/refresh"),
		Body: struct {
			RefreshToken string `json:"refreshToken"`
		}{secret},
		Invalid: check.Required("refreshToken", secret),
		Class:   ClassRefresh, Public: true, Secrets: []string{secret},
	}, opts)
	if token.Access.IsZero() {
		return walletfi.Token{}, err
	}
	token.Refresh = walletfi.NewSecret(cmp.Or(token.Refresh.Reveal(), secret))
	return token, err
}

// SetToken saves token in the store and uses it from then on. The zero Token
// signs out.
func (c *Client) SetToken(ctx context.Context, token walletfi.Token) error {
	if err := c.made().t.Made(); err != nil {
		return err
	}
	return c.made().bearer.Set(ctx, token)
}

// Token returns the token for the next call, refreshed if necessary. If the
// client must sign in again, the error is [walletfi.ErrUnauthorized].
func (c *Client) Token(ctx context.Context) (walletfi.Token, error) {
	if err := c.made().t.Made(); err != nil {
		return walletfi.Token{}, err
	}
	return c.made().bearer.Token(ctx)
}
