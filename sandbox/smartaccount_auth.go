package sandbox

import (
	"fmt"
	"net/http"
	"net/mail"
	"strings"
	"time"
)

// How long what signs a user in is good. None of it is documented.
const (
	smartAccountCodeLife    = 10 * time.Minute
	smartAccountCodeTries   = 5
	smartAccountAccessLife  = 15 * time.Minute
	smartAccountRefreshLife = 30 * 24 * time.Hour
)

// smartAccountUser is someone who can sign in.
type smartAccountUser struct {
	email   string
	code    string // the one-time code that is good, empty where none is
	expires time.Time
	tries   int // wrong ones that the code stands yet
}

// smartAccountToken is what a token, of either kind, stands for.
type smartAccountToken struct {
	user    *smartAccountUser
	expires time.Time
}

type smartAccountCodeRequest struct {
	Email string `body:"email,required"`
}

func (b *smartAccount) sendCode(_ *call, in smartAccountCodeRequest) (map[string]any, error) {
	address, err := mail.ParseAddress(in.Email)
	if err != nil || address.Address != in.Email {
		return nil, refuse(http.StatusBadRequest, "", "email is no address")
	}
	u := b.user(in.Email)
	u.code = fmt.Sprintf("%06d", b.random()%1_000_000)
	u.expires, u.tries = b.now().Add(smartAccountCodeLife), smartAccountCodeTries
	return map[string]any{"message": "a code was sent"}, nil
}

func (b *smartAccount) user(email string) *smartAccountUser {
	name := strings.ToLower(email)
	if b.users[name] == nil {
		b.users[name] = &smartAccountUser{email: name}
	}
	return b.users[name]
}

type smartAccountVerifyRequest struct {
	Email string `body:"email,required"`
	OTP   string `body:"otp,required"`
}

type smartAccountTokens struct {
	AccessToken  string `json:"accessToken"`
	RefreshToken string `json:"refreshToken,omitempty"`
	ExpiresIn    int64  `json:"expiresIn"`
}

// verifyCode takes a code once, and forgets it after too many wrong ones.
func (b *smartAccount) verifyCode(c *call, in smartAccountVerifyRequest) (*smartAccountTokens, error) {
	u, ok := b.users[strings.ToLower(in.Email)]
	if !ok || u.code == "" || !b.now().Before(u.expires) {
		return nil, refuse(http.StatusUnauthorized, "", "no code is waiting for this address")
	}
	if in.OTP != u.code {
		if u.tries--; u.tries == 0 {
			u.code = ""
		}
		return nil, refuse(http.StatusUnauthorized, "", "the code is wrong")
	}
	u.code = ""
	return b.signIn(c, u), nil
}

// signIn issues both tokens.
func (b *smartAccount) signIn(c *call, u *smartAccountUser) *smartAccountTokens {
	return &smartAccountTokens{b.newAccess(u), b.newRefresh(u), smartAccountExpiresIn(c)}
}

func (b *smartAccount) newAccess(u *smartAccountUser) string {
	token := fmt.Sprintf("at_%016x%016x", b.random(), b.random())
	b.access[token] = smartAccountToken{u, b.now().Add(smartAccountAccessLife)}
	return token
}

func (b *smartAccount) newRefresh(u *smartAccountUser) string {
	token := fmt.Sprintf("rt_%016x%016x", b.random(), b.random())
	b.refresh[token] = smartAccountToken{u, b.now().Add(smartAccountRefreshLife)}
	return token
}

// smartAccountExpiresIn is an access token's life in seconds or in
// milliseconds, in turn: the unit is not documented.
func smartAccountExpiresIn(c *call) int64 {
	unit := []time.Duration{time.Second, time.Millisecond}[c.shape(2)]
	return int64(smartAccountAccessLife / unit)
}

type smartAccountRefreshRequest struct {
	RefreshToken string `body:"refreshToken,required"`
}

// refreshToken answers no refresh token: the old one stays good.
func (b *smartAccount) refreshToken(c *call, in smartAccountRefreshRequest) (*smartAccountTokens, error) {
	token, ok := b.refresh[in.RefreshToken]
	if !ok || !b.now().Before(token.expires) {
		return nil, refuse(http.StatusUnauthorized, "", "the refresh token is invalid or has expired")
	}
	return &smartAccountTokens{AccessToken: b.newAccess(token.user), ExpiresIn: smartAccountExpiresIn(c)}, nil
}

// verifyToken lets a good access token through. Limits are a user's, whatever
// token it sends, and those of signing in are everybody's, since most who sign
// in have no token yet.
func (b *smartAccount) verifyToken(c *call) error {
	token, ok := b.access[c.credential]
	if !ok || !b.now().Before(token.expires) {
		return refuse(http.StatusUnauthorized, "", "the access token is invalid or has expired")
	}
	c.credential = token.user.email
	if c.route.class == smartAccountSignIn {
		c.credential = ""
	}
	return nil
}

// caller is the user whose access token the request carries.
func (b *smartAccount) caller(c *call) *smartAccountUser {
	return b.access[strings.TrimPrefix(c.request.Header.Get("Authorization"), "Bearer ")].user
}

// OneTimeCode returns the code that the smart account service last sent to an
// email address, empty where none is waiting. It is good once, for ten minutes
// and five wrong tries.
func (s *Sandbox) OneTimeCode(email string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u, ok := s.smartAccount.users[strings.ToLower(email)]; ok && s.now().Before(u.expires) {
		return u.code
	}
	return ""
}

// SmartAccountTokens signs a user in without a request, so that a test which
// is not about signing in spends nothing of its limit. The access token is
// good for 15 minutes of the sandbox's clock, the refresh token for 30 days.
func (s *Sandbox) SmartAccountTokens(email string) (access, refresh string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.smartAccount.user(email)
	return s.smartAccount.newAccess(u), s.smartAccount.newRefresh(u)
}
