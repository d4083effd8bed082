package providerswap

import (
	"cmp"
	"encoding/json"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/stored"
)

// storedQuoteV1 holds the values of a quote, for programs in other languages. Only
// the provider cannot be found again: an answer need not name it.
type storedQuoteV1 struct {
	Provider       Provider         `json:"provider"`
	InAmount       *walletfi.Amount `json:"inAmount,omitempty"`
	OutAmount      *walletfi.Amount `json:"outAmount,omitempty"`
	MinOutAmount   *walletfi.Amount `json:"minOutAmount,omitempty"`
	PriceImpactPct walletfi.Decimal `json:"priceImpactPct"`
	Problem        string           `json:"problem,omitempty"`
}

type requestV1 struct {
	Provider Provider `json:"provider"`
}

// MarshalJSON writes the quote with its bytes and its provider. It fails for a quote
// that did not come from the service.
func (q QuoteV1) MarshalJSON() ([]byte, error) {
	if q.Raw.IsZero() {
		return nil, stored.ErrMade("providerswap.QuoteV1")
	}
	return json.Marshal(stored.Form{
		Type:    "providerswap.QuoteV1",
		Answer:  storedQuoteV1{q.Provider, q.InAmount, q.OutAmount, q.MinOutAmount, q.PriceImpactPct, q.Problem},
		Raw:     q.Raw.String(),
		Request: requestV1{q.Provider},
	})
}

// UnmarshalJSON reads what MarshalJSON wrote, or an answer of the service, and keeps
// the quote as it arrived in Raw.
func (q *QuoteV1) UnmarshalJSON(b []byte) error {
	var request requestV1
	f := stored.Form{Type: "providerswap.QuoteV1", KeepsRaw: true, Request: &request}
	answer, err := f.Read(b)
	if err != nil {
		return err
	}
	if answer != nil {
		b = answer
	}
	q.decode(b)
	q.Provider = cmp.Or(q.Provider, request.Provider)
	return nil
}
