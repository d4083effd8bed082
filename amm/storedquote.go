package amm

import (
	"encoding/json"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go"
)

// quoteFields is a Quote as the service writes it.
type quoteFields Quote

// storedQuote is a Quote as MarshalJSON writes it.
type storedQuote struct {
	Kind       Kind              `json:"kind"`
	InputMint  string            `json:"inputMint"`
	OutputMint string            `json:"outputMint"`
	Amount     walletfi.Amount   `json:"amount"`
	Slippage   walletfi.Slippage `json:"slippageBps"`
	TxVersion  TxVersion         `json:"txVersion"`
	ReceivedAt time.Time         `json:"receivedAt"`
	Fields     quoteFields       `json:"quote"`
	// SwapResponse is text, because json.Marshal would change its bytes.
	SwapResponse string `json:"swapResponse"`
}

var errNoQuote = errors.New("amm: not a quote that QuoteBaseIn or QuoteBaseOut returned")

// MarshalJSON writes the quote with its request and SwapResponse, so that one
// process can quote and another build. It fails for a quote that did not come
// from the service.
func (q Quote) MarshalJSON() ([]byte, error) {
	if len(q.echo) == 0 || !utf8.Valid(q.echo) {
		return nil, errNoQuote
	}
	r := q.request
	return json.Marshal(storedQuote{
		q.kind, r.InputMint, r.OutputMint, r.Amount, r.Slippage, r.TxVersion, q.at, quoteFields(q), string(q.echo),
	})
}

// UnmarshalJSON reads what MarshalJSON wrote. [Client.BuildSwap] then sends the
// bytes that the service sent.
func (q *Quote) UnmarshalJSON(b []byte) error {
	var s storedQuote
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	if s.Kind != BaseIn && s.Kind != BaseOut || !json.Valid([]byte(s.SwapResponse)) {
		return errNoQuote
	}
	*q = Quote(s.Fields)
	q.kind, q.at, q.echo = s.Kind, s.ReceivedAt, walletfi.Document(s.SwapResponse)
	q.request = QuoteRequest{s.InputMint, s.OutputMint, s.Amount, s.Slippage, s.TxVersion}
	return nil
}
