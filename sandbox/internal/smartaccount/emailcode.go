package smartaccount

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// Lifetimes of codes and tokens. They are undocumented.
const (
	codeLife    = 10 * time.Minute
	codeTries   = 5
	accessLife  = 15 * time.Minute
	refreshLife = 30 * 24 * time.Hour
)

// user is someone who can sign in.
type user struct {
	email   string
	code    string // the valid one-time code, empty if there is none
	expires time.Time
	tries   int // wrong tries left
}

type codeRequest struct {
	Email string `body:"email,required" form:"email"`
}

func (b *Service) sendCode(_ *kit.Call, in codeRequest) map[string]any {
	u := b.user(in.Email)
	u.code = fmt.Sprintf("%06d", b.Random()%1_000_000)
	u.expires, u.tries = b.Now().Add(codeLife), codeTries
	return map[string]any{"message": "a code was sent"}
}

func (b *Service) user(email string) *user {
	name := strings.ToLower(email)
	if b.users[name] == nil {
		b.users[name] = &user{email: name}
	}
	return b.users[name]
}

type verifyRequest struct {
	Email string `body:"email,required" form:"email"`
	OTP   string `body:"otp,required" open:"any text"`
}

// verifyCode takes a code once, and forgets it after too many wrong ones.
func (b *Service) verifyCode(c *kit.Call, in verifyRequest) any {
	u, ok := b.users[strings.ToLower(in.Email)]
	kit.RefuseIf(!ok || u.code == "" || !b.Now().Before(u.expires), http.StatusUnauthorized, "",
		"no code is waiting for this address")
	if in.OTP != u.code {
		if u.tries--; u.tries == 0 {
			u.code = ""
		}
		panic(kit.Refuse(http.StatusUnauthorized, "", "the code is wrong"))
	}
	u.code = ""
	return b.signIn(c, u)
}

// signIn issues both tokens.
func (b *Service) signIn(c *kit.Call, u *user) any {
	return map[string]any{
		"accessToken": b.newAccess(u), "refreshToken": b.newRefresh(u), "expiresIn": expiresIn(c),
	}
}

// OneTimeCode does what sandbox.SmartAccountHandle.OneTimeCode says.
func (b *Service) OneTimeCode(email string) string {
	b.Lock()
	defer b.Unlock()
	if u, ok := b.users[strings.ToLower(email)]; ok && b.Now().Before(u.expires) {
		return u.code
	}
	return ""
}

// SignIn does what sandbox.SmartAccountHandle.SignIn says.
func (b *Service) SignIn(email string) (access, refresh string) {
	b.Lock()
	defer b.Unlock()
	u := b.user(email)
	return b.newAccess(u), b.newRefresh(u)
}
