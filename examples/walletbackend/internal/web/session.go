package web

import (
	"crypto/subtle"
	"errors"
	"net/http"
	"time"

	"golang.org/x/crypto/bcrypt"

	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
)

const (
	cookieName      = "session"
	sessionLifetime = 12 * time.Hour
)

var (
	errSignedOut     = errors.New("sign in first")
	errWrongPassword = errors.New("the name or the password is wrong")
	errNoToken       = errors.New("the form has no valid token: load the page again")
	errTooMany       = errors.New("too many requests: wait a moment")
)

// identify finds out who makes the request.
func (s *Server) identify(v *visit) error {
	cookie, err := v.Cookie(cookieName)
	if err != nil {
		return errSignedOut
	}
	if v.session, err = s.DB.Session(v.ctx(), cookie.Value); err == nil {
		v.user, err = s.DB.User(v.ctx(), v.session.UserID)
	}
	if errors.Is(err, store.ErrNotFound) {
		return errSignedOut
	}
	return err
}

// hasToken reports whether the request has the token that only a page of the
// session has: in the form field csrf, or in a header.
func (v *visit) hasToken() bool {
	token := v.Header.Get("X-CSRF-Token")
	if token == "" {
		token = v.PostFormValue("csrf")
	}
	return subtle.ConstantTimeCompare([]byte(token), []byte(v.session.CSRF)) == 1
}

// someHash is compared with the password of an unknown name, so that the answer
// takes as long as that for a known one.
var someHash, _ = bcrypt.GenerateFromPassword([]byte("no user has this"), bcrypt.DefaultCost)

// signIn checks a password and starts a session.
func (s *Server) signIn(w http.ResponseWriter, v *visit, name, password string) error {
	if !s.limits.login(v.RemoteAddr, name) {
		return errTooMany
	}
	user, err := s.DB.UserByName(v.ctx(), name)
	hash := []byte(user.Password)
	switch {
	case errors.Is(err, store.ErrNotFound):
		hash = someHash
	case err != nil:
		return err
	}
	if wrong := bcrypt.CompareHashAndPassword(hash, []byte(password)); wrong != nil || err != nil {
		return errWrongPassword
	}
	cookie, err := s.DB.StartSession(v.ctx(), user.ID, sessionLifetime)
	if err != nil {
		return err
	}
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: cookie, Path: "/", MaxAge: int(sessionLifetime / time.Second),
		HttpOnly: true, Secure: s.Secure, SameSite: http.SameSiteStrictMode,
	})
	if v.session, err = s.DB.Session(v.ctx(), cookie); err != nil {
		return err
	}
	v.user = user
	return nil
}

func (s *Server) signOut(w http.ResponseWriter, v *visit) error {
	cookie, err := v.Cookie(cookieName)
	if err != nil {
		return err
	}
	http.SetCookie(w, &http.Cookie{
		Name:     cookieName,
		Path:     "/",
		MaxAge:   -1,
		HttpOnly: true,
		Secure:   s.Secure,
		SameSite: http.SameSiteStrictMode,
	})
	return s.DB.EndSession(v.ctx(), cookie.Value)
}
