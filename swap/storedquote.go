package swap

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/echo"
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
// bytes that the service sent. If the stored request and the quote contradict each
// other, the error is [walletfi.ErrMismatch]. It also reads the service's own JSON, of which the
// request and ReceivedAt are not known. It knows only the documented field names. If
// the quote uses the names of a Deployment, Raw still goes back unchanged, but the
// fields are empty, and so is what the guard learns about the trade.
func (q *Quote) UnmarshalJSON(b []byte) error {
	f := stored.Form{Type: "swap.Quote", KeepsRaw: true, Request: new(askedFor)}
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
	if err := lenient.Decode(b, (*fields)(q)); err != nil || asked == nil {
		return err
	}
	return asked.mismatch(q)
}

// mismatch holds a stored quote against its stored request, as an answer is held
// against the request when it arrives. Without the names of a Deployment the fields
// are empty, and say nothing.
func (a *askedFor) mismatch(q *Quote) error {
	if err := pair(a.InputMint, a.OutputMint); err != nil {
		return fmt.Errorf("swap.Quote: stored request: %w", err)
	}
	return echo.All(
		echo.Mint("inputMint", a.InputMint, q.InputMint),
		echo.Mint("outputMint", a.OutputMint, q.OutputMint),
		echo.Stated("inAmount", a.Amount, q.InAmount),
		slippageMismatch(a.Slippage, q.Slippage),
	)
}
