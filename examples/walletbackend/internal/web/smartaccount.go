package web

import (
	"net/http"
	"net/url"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/smartaccount"
)

// sendCodePage has the smart account service send a code to the user's email.
func (s *Server) sendCodePage(w http.ResponseWriter, v *visit) error {
	c, err := s.Accounts.Client(v.user.ID)
	if err != nil {
		return err
	}
	email := v.PostFormValue("email")
	if _, err := c.SendEmailCode(v.ctx(), email); err != nil {
		return err
	}
	return back(w, v, "/?email="+url.QueryEscape(email)+"#smartaccount")
}

// verifyCodePage signs the user in with the code. The tokens are kept encrypted.
func (s *Server) verifyCodePage(w http.ResponseWriter, v *visit) error {
	c, err := s.Accounts.Client(v.user.ID)
	if err != nil {
		return err
	}
	if _, err := c.VerifyEmailCode(v.ctx(), smartaccount.VerifyEmailCodeRequest{
		Email: v.PostFormValue("email"), Code: walletfi.NewSecret(v.PostFormValue("code")),
	}); err != nil {
		return err
	}
	return back(w, v, "/#smartaccount")
}
