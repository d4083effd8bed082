package web

import (
	"net/http"

	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
	"github.com/walletfi/walletfi-go/signing"
)

// sandboxPage is the switch of the sandbox: an attack on or off.
func (s *Server) sandboxPage(w http.ResponseWriter, v *visit) error {
	if s.Control == nil {
		return store.ErrNotFound
	}
	if v.PostFormValue("attack") != "on" {
		if err := s.Control.StopAttack(v.ctx()); err != nil {
			return err
		}
		return back(w, v, "/swap?attack=off")
	}
	thief, err := signing.GenerateLocalKey()
	if err != nil {
		return err
	}
	if err := s.Control.Attack(v.ctx(), thief.PublicKey().String()); err != nil {
		return err
	}
	return back(w, v, "/swap?attack=on")
}
