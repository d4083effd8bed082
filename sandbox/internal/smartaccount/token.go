package smartaccount

import (
	"fmt"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// token is the user and the expiry of a token of either kind.
type token struct {
	user    *user
	expires time.Time
}

func (b *Service) newAccess(u *user) string { return b.issue(b.access, "at", u, accessLife) }

func (b *Service) newRefresh(u *user) string { return b.issue(b.refresh, "rt", u, refreshLife) }

func (b *Service) issue(shelf *kit.Shelf[string, token], kind string, u *user, life time.Duration) string {
	text := fmt.Sprintf("%s_%016x%016x", kind, b.Random(), b.Random())
	shelf.Put(text, token{u, b.Now().Add(life)})
	return text
}

// expiresIn is an access token's life in seconds or in
// milliseconds, in turn: the unit is not documented.
func expiresIn(c *kit.Call) int64 {
	unit := []time.Duration{time.Second, time.Millisecond}[c.Shape(2)]
	return int64(accessLife / unit)
}

type refreshRequest struct {
	RefreshToken string `body:"refreshToken,required" open:"an opaque token"`
}

// refreshToken returns no refresh token: the old token stays valid.
func (b *Service) refreshToken(c *kit.Call, in refreshRequest) any {
	token, ok := b.refresh.Get(in.RefreshToken)
	kit.RefuseIf(!ok || !b.Now().Before(token.expires), http.StatusUnauthorized, "",
		"the refresh token is invalid or has expired")
	return map[string]any{"accessToken": b.newAccess(token.user), "expiresIn": expiresIn(c)}
}

// verifyToken checks the access token. Limits count per user, whatever token it
// sends. The limits of signing in are global, since most callers have no token
// yet.
func (b *Service) verifyToken(c *kit.Call) error {
	token, ok := b.access.Get(c.Credential)
	if !ok || !b.Now().Before(token.expires) {
		return kit.Refuse(http.StatusUnauthorized, "", "the access token is invalid or has expired")
	}
	c.Caller = token.user
	c.Credential = token.user.email
	if c.Route.Class == signIn {
		c.Credential = ""
	}
	return nil
}

// caller is the user whose access token the request carries.
func (b *Service) caller(c *kit.Call) *user { return c.Caller.(*user) }
