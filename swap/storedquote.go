package swap

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/asking"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/stored"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// askedFor holds the part of a quote's request that a builder needs.
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

// Asked returns what of the quote's request a payment is known by; if the request is not
// known, what the quote says of it. It implements [walletfi.Asker].
func (q *Quote) Asked() map[string]string {
	if q.asked != nil {
		return asking.Of(q.asked)
	}
	a := askedFor{InputMint: q.InputMint, OutputMint: q.OutputMint, Amount: q.InAmount}
	if q.PlatformFee != nil {
		a.PlatformFeeBps = new(q.PlatformFee.FeeBps)
	}
	return asking.Of(a)
}

// MarshalJSON writes the quote, its bytes and its request, so that one process can
// quote and another build. It fails for a quote that did not come from the service.
func (q Quote) MarshalJSON() ([]byte, error) {
	if q.Raw.IsZero() {
		return nil, stored.ErrMade("swap.Quote")
	}
	type fields Quote
	f := stored.Form{Type: "swap.Quote", Answer: fields(q), Raw: q.Raw.String(), ReceivedAt: q.ReceivedAt, Origin: q.from}
	if q.asked != nil {
		f.Request = q.asked
	}
	return json.Marshal(f)
}

// UnmarshalJSON reads what MarshalJSON wrote: [Client.BuildSwap] then sends the
// bytes that the service sent. If the stored request and the quote contradict each
// other, the error is [walletfi.ErrMismatch]. Under a Deployment, whose words only a
// client knows, the fields come from the stored form; a quote whose fields are not
// those of its bytes is refused with the same error when it is built.
//
// It also reads the service's own JSON, of which the request and ReceivedAt are not
// known. If that is in the words of a Deployment, the fields are empty, and the
// client reads them when it builds the quote.
func (q *Quote) UnmarshalJSON(b []byte) error {
	f := stored.Form{Type: "swap.Quote", KeepsRaw: true, Request: new(askedFor)}
	answer, err := f.Read(b)
	if err != nil {
		return err
	}
	raw, said, from := walletfi.Document(b), b, stored.Origin{}
	var asked *askedFor
	at := time.Time{}
	if answer != nil {
		raw, said, at, from = answer, answer, f.ReceivedAt, f.Origin
		if f.Live {
			said = f.Fields
		}
		if got := f.Request.(*askedFor); *got != (askedFor{}) {
			asked = got
		}
	}
	q.Raw, q.ReceivedAt, q.asked, q.from = wire.Keep(raw), at, asked, from
	if err := wire.DecodeFields(said, q, nil); err != nil || asked == nil {
		return err
	}
	return asked.mismatch(q)
}

// readAgain returns a quote that another process stored with the fields that its bytes
// have under the client's deployment. It refuses one that was changed.
func (c *Client) readAgain(q *Quote) (*Quote, error) {
	if q == nil {
		return nil, nil
	}
	neutral, again, err := c.made().t.Again(http.MethodGet, transport.Path("/quote"), q.Raw, q.from)
	if err != nil || !again {
		return q, err
	}
	type fields Quote
	read := Quote{Raw: q.Raw, ReceivedAt: q.ReceivedAt, clock: q.clock, asked: q.asked, from: q.from}
	if err := wire.DecodeFields(neutral, &read, nil); err != nil {
		return nil, fmt.Errorf("swap.Quote: %w: %w", walletfi.ErrDecode, err)
	}
	if q.asked != nil {
		if err := q.asked.mismatch(&read); err != nil {
			return nil, err
		}
	}
	return &read, stored.Same("quoteResponse", q.from, fields(*q), fields(read))
}

// mismatch holds a stored quote against its stored request, as an answer is held
// against the request when it arrives.
func (a *askedFor) mismatch(q *Quote) error {
	if err := pair(a.InputMint, a.OutputMint); err != nil {
		return fmt.Errorf("swap.Quote: stored request: %w", err)
	}
	return echo.All(
		echo.Mint("inputMint", a.InputMint, q.InputMint),
		echo.Mint("outputMint", a.OutputMint, q.OutputMint),
		echo.Stated("inAmount", a.Amount, q.InAmount),
		slippageMismatch(a.Slippage, q.Slippage),
		a.floors(q),
	)
}
