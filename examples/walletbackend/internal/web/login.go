package web

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/walletfi/walletfi-go"
)

func (s *Server) loginPage(w http.ResponseWriter, v *visit) error {
	return s.show(w, v, "login", "Sign in", nil)
}

func (s *Server) login(w http.ResponseWriter, v *visit) error {
	err := s.signIn(w, v, v.PostFormValue("name"), v.PostFormValue("password"))
	if errors.Is(err, errWrongPassword) {
		return s.pages.render(w, http.StatusUnauthorized, "login", page{Title: "Sign in", Data: err.Error(), visit: v})
	}
	if err != nil {
		return err
	}
	return back(w, v, "/")
}

func (s *Server) logout(w http.ResponseWriter, v *visit) error {
	if err := s.signOut(w, v); err != nil {
		return err
	}
	return back(w, v, "/login")
}

// apiLogin signs in and returns the token that later POSTs send in the header
// X-CSRF-Token. The session itself is a cookie.
func (s *Server) apiLogin(w http.ResponseWriter, v *visit) error {
	var request struct {
		Name     string `json:"name"`
		Password string `json:"password"`
	}
	if err := json.NewDecoder(v.Body).Decode(&request); err != nil {
		return &walletfi.ValidationError{Field: "body", Problem: "is not JSON with name and password"}
	}
	if err := s.signIn(w, v, request.Name, request.Password); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, map[string]string{"csrf": v.session.CSRF, "address": v.user.Address})
}

func (s *Server) apiLogout(w http.ResponseWriter, v *visit) error {
	if err := s.signOut(w, v); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, map[string]bool{"signedOut": true})
}
