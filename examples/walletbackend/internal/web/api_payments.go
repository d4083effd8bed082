package web

import (
	"encoding/json"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/payments"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/services"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// paymentJSON is a payment as the API returns it.
type paymentJSON struct {
	ID         string          `json:"id"`
	Created    time.Time       `json:"created"`
	Title      string          `json:"title"`
	State      store.State     `json:"state"`
	Problem    string          `json:"problem"`
	Digest     string          `json:"digest"`
	Report     *signing.Report `json:"report,omitempty"`
	Result     *wallet.Result  `json:"result,omitempty"`
	ReplacedBy string          `json:"replacedBy"`
	// Grant is the ID of the grant that the signer's approvers were asked for.
	Grant string `json:"grant"`
	// Changes are its real effects on the wallet, null if they are not known.
	Changes []services.Change `json:"changes"`
}

func (s *Server) toJSON(v *visit, p store.Payment) paymentJSON {
	changes, _ := s.Clients.Changes(v.user.Address, p.Result)
	return paymentJSON{p.ID, p.Created, p.Title, p.State, p.Problem, p.Digest, p.Report, p.Result, p.ReplacedBy,
		payments.GrantOf(p), changes}
}

func (s *Server) apiPayments(v *visit) (any, error) {
	kept, err := s.DB.Payments(v.ctx(), v.user.ID, listed)
	all := []paymentJSON{}
	for _, p := range kept {
		short := s.toJSON(v, p)
		short.Report, short.Result = nil, nil
		all = append(all, short)
	}
	return map[string]any{"payments": all}, err
}

func (s *Server) apiPrepare(v *visit) (any, error) {
	payment, err := s.prepare(v)
	return s.toJSON(v, payment), err
}

func (s *Server) apiPayment(v *visit) (any, error) {
	payment, err := s.DB.Payment(v.ctx(), v.user.ID, v.PathValue("id"))
	return s.toJSON(v, payment), err
}

func (s *Server) apiApprove(v *visit) (any, error) {
	var request struct {
		Digest string `json:"digest"`
	}
	if err := json.NewDecoder(v.Body).Decode(&request); err != nil {
		return nil, &walletfi.ValidationError{Field: "body", Problem: "is not JSON with the digest"}
	}
	payment, err := s.Payments.Approve(v.ctx(), v.user, v.PathValue("id"), request.Digest)
	return s.toJSON(v, payment), err
}

func (s *Server) apiWebhooks(v *visit) (any, error) {
	events, err := s.DB.Events(v.ctx(), v.user.ID, listed)
	if events == nil {
		events = []store.Event{}
	}
	return map[string]any{"events": events}, err
}
