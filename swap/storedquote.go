package swap

import (
	"encoding/json"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/lenient"
	"github.com/walletfi/walletfi-go/internal/stored"
)

// askedFor is what of a quote's request a builder needs.
type askedFor struct {
	InputMint       string            `json:"inputMint"`
	OutputMint      string            `json:"outputMint"`
	Amount          walletfi.Amount   `json:"amount"`
	Slippage        walletfi.Slippage `json:"slippageBps"`
	PlatformFeeBps  *int              `json:"platformFeeBps,omitempty"`
	PlatformFeeMode PlatformFeeMode   `json:"platformFeeMode,omitempty"`
}

func (r QuoteRequest) asked() *askedFor {
	a := &askedFor{r.InputMint, r.OutputMint, r.Amount, r.Slippage, nil, r.PlatformFeeMode}
	if r.PlatformFeeBps != nil {
		a.PlatformFeeBps = new(*r.PlatformFeeBps)
	}
	return a
}

// MarshalJSON writes the quote, its bytes and its request, so that one process can
// quote and another build. It fails for a quote that did not come from the service.
func (q Quote) MarshalJSON() ([]byte, error) {
	if q.Raw.IsZero() {
		return nil, stored.ErrMade("swap.Quote")
	}
	type fields Quote
	f := stored.Form{Type: "swap.Quote", Answer: fields(q), Raw: q.Raw.String(), ReceivedAt: q.ReceivedAt}
	if q.asked != nil {
		f.Request = q.asked
	}
	return json.Marshal(f)
}

// UnmarshalJSON reads what MarshalJSON wrote: [Client.BuildSwap] then sends the
// bytes that the service sent. It also reads the service's own JSON, of which the
// request and ReceivedAt are not known. It knows only the documented field names. If
// the quote uses the names of a Vocabulary, Raw still goes back unchanged, but the
// fields are empty, and so is what the guard learns about the trade.
func (q *Quote) UnmarshalJSON(b []byte) error {
	f := stored.Form{Type: "swap.Quote", Request: new(askedFor)}
	answer, err := f.Read(b)
	if err != nil {
		return err
	}
	var asked *askedFor
	at := time.Time{}
	if answer != nil {
		b, at = answer, f.ReceivedAt
		if got := f.Request.(*askedFor); *got != (askedFor{}) {
			asked = got
		}
	}
	type fields Quote
	q.Raw, q.ReceivedAt, q.asked = lenient.Keep(b), at, asked
	return lenient.Decode(b, (*fields)(q))
}
