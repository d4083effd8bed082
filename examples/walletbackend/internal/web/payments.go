package web

import (
	"net/http"

	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/payments"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/services"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
)

// paymentData is the data of a payment's page.
type paymentData struct {
	store.Payment
	Report reportView
	// Changes are its real effects on the wallet, if Known.
	Changes []services.Change
	Known   bool
	// Grant is the ID of the grant that the approvers were asked for, and GrantPage where they answer.
	Grant, GrantPage string
	// Instead is the payment that this one replaces, with why it is stale.
	Instead *store.Payment
}

// Signatures are those by which the ledger knows the payment.
func (p paymentData) Signatures() []string {
	if p.Result == nil {
		return nil
	}
	return p.Result.Signatures()
}

// activityData is the data of the page of activity.
type activityData struct {
	Payments []activityPayment
	Events   []store.Event
}

// activityPayment is a payment with what it really changed.
type activityPayment struct {
	store.Payment
	Changes []services.Change
}

// listed is how many payments and events are listed.
const listed = 50

func (s *Server) activityPage(w http.ResponseWriter, v *visit) error {
	var data activityData
	all, err := s.DB.Payments(v.ctx(), v.user.ID, listed)
	if err != nil {
		return err
	}
	for _, p := range all {
		changes, _ := s.Clients.Changes(v.user.Address, p.Result)
		data.Payments = append(data.Payments, activityPayment{p, changes})
	}
	if data.Events, err = s.DB.Events(v.ctx(), v.user.ID, listed); err != nil {
		return err
	}
	return s.show(w, v, "activity", "Activity", data)
}

// preparePage prepares what a form asks for, and shows it for review.
func (s *Server) preparePage(w http.ResponseWriter, v *visit) error {
	payment, err := s.prepare(v)
	if err != nil {
		return err
	}
	return back(w, v, "/payments/"+payment.ID)
}

func (s *Server) paymentPage(w http.ResponseWriter, v *visit) error {
	payment, err := s.DB.Payment(v.ctx(), v.user.ID, v.PathValue("id"))
	if err != nil {
		return err
	}
	data := paymentData{Payment: payment, Report: viewReport(payment.Report), Grant: payments.GrantOf(payment)}
	if s.SignerPage != "" {
		data.GrantPage = s.SignerPage + "/grants/" + data.Grant
	}
	data.Changes, data.Known = s.Clients.Changes(v.user.Address, payment.Result)
	if id := v.FormValue("instead"); id != "" {
		if old, err := s.DB.Payment(v.ctx(), v.user.ID, id); err == nil && old.ReplacedBy == payment.ID {
			data.Instead = &old
		}
	}
	return s.show(w, v, "payment", payment.Title, data)
}

// approvePage approves a payment. If a new one was prepared in its place, that is
// shown for review.
func (s *Server) approvePage(w http.ResponseWriter, v *visit) error {
	old := v.PathValue("id")
	payment, err := s.Payments.Approve(v.ctx(), v.user, old, v.PostFormValue("digest"))
	if err != nil {
		return err
	}
	to := "/payments/" + payment.ID
	if payment.ID != old {
		to += "?instead=" + old
	}
	return back(w, v, to)
}

func (s *Server) prepare(v *visit) (store.Payment, error) {
	a, err := readAsked(v)
	if err != nil {
		return store.Payment{}, err
	}
	request, err := s.request(a)
	if err != nil {
		return store.Payment{}, err
	}
	return s.Payments.Prepare(v.ctx(), v.user, request)
}
