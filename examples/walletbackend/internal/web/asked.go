package web

import (
	"encoding/json"
	"mime"
	"net/http"
	"strconv"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/payments"
	"github.com/walletfi/walletfi-go/lending"
)

// asked is a user's request, in the words of a form: amounts are in whole
// tokens. The API takes the same fields as JSON.
type asked struct {
	Kind        string `json:"kind"`
	Mint        string `json:"mint"`
	Amount      string `json:"amount"`
	Service     string `json:"service"`
	To          string `json:"to"`
	SlippageBps string `json:"slippageBps"`
	Least       string `json:"least"` // smallest units of To
	DepositType string `json:"depositType"`
	Offer       string `json:"offer"`
	Leverage    string `json:"leverage"`
	Position    string `json:"position"`
}

// readAsked reads a form, a query or a JSON body. A GET has a query, whatever type its
// client names.
func readAsked(v *visit) (a asked, err error) {
	media, _, _ := mime.ParseMediaType(v.Header.Get("Content-Type"))
	if media == "application/json" && v.Method != http.MethodGet {
		decoder := json.NewDecoder(v.Body)
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&a); err != nil {
			return a, &walletfi.ValidationError{Field: "body", Problem: "is not the JSON that openapi.json describes"}
		}
		return a, nil
	}
	if err := v.ParseForm(); err != nil {
		return a, &walletfi.ValidationError{Field: "form", Problem: "cannot be read"}
	}
	for name, field := range map[string]*string{
		"kind": &a.Kind, "mint": &a.Mint, "amount": &a.Amount, "service": &a.Service,
		"to": &a.To, "slippageBps": &a.SlippageBps,
		"least": &a.Least, "depositType": &a.DepositType, "offer": &a.Offer, "leverage": &a.Leverage, "position": &a.Position,
	} {
		*field = v.FormValue(name)
	}
	return a, nil
}

// request returns the request in smallest units.
func (s *Server) request(a asked) (r payments.Request, err error) {
	r = payments.Request{
		Kind: payments.Kind(a.Kind), Mint: a.Mint, Service: a.Service, To: a.To,
		DepositType: lending.DepositType(a.DepositType), Offer: a.Offer, Position: a.Position,
	}
	if a.Amount != "" {
		token, ok := s.Clients.Tokens.Find(a.Mint)
		if !ok {
			return r, &walletfi.ValidationError{Field: "mint", Problem: "is not a token that can be traded"}
		}
		if r.Amount, err = walletfi.ParseAmount(a.Amount, token.Decimals); err != nil {
			return r, &walletfi.ValidationError{Field: "amount", Problem: err.Error()}
		}
	}
	if a.SlippageBps != "" {
		if r.SlippageBps, err = strconv.Atoi(a.SlippageBps); err != nil {
			return r, &walletfi.ValidationError{Field: "slippageBps", Problem: "is not a number"}
		}
	}
	if a.Least != "" {
		if r.Least, err = walletfi.ParseAmount(a.Least, 0); err != nil {
			return r, &walletfi.ValidationError{Field: "least", Problem: err.Error()}
		}
	}
	if a.Leverage != "" {
		if r.Leverage, err = walletfi.NewDecimal(a.Leverage); err != nil {
			return r, &walletfi.ValidationError{Field: "leverage", Problem: err.Error()}
		}
	}
	return r, nil
}

func writeJSON(w http.ResponseWriter, status int, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(text)
	return nil
}
