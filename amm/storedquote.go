package amm

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/stored"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
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
	stored.Origin
}

var errNoQuote = errors.New("amm: not a quote that QuoteBaseIn or QuoteBaseOut returned")

// MarshalJSON writes the quote with its request and SwapResponse, so that one
// process can quote and another build. It fails for a quote that did not come
// from the service.
func (q Quote) MarshalJSON() ([]byte, error) {
	if len(q.echo) == 0 || !utf8.Valid(q.echo) || !utf8.ValidString(q.from.Whole) {
		return nil, errNoQuote
	}
	r := q.request
	return json.Marshal(storedQuote{
		q.kind, r.InputMint, r.OutputMint, r.Amount, r.Slippage, r.TxVersion, q.at, quoteFields(q), string(q.echo), q.from,
	})
}

// UnmarshalJSON reads what MarshalJSON wrote. [Client.BuildSwap] then sends the
// bytes that the service sent. If the stored request and quote contradict each other
// or those bytes, the error is [walletfi.ErrMismatch]. Bytes in the words of a
// Deployment, which only a client knows, are compared when the quote is built.
func (q *Quote) UnmarshalJSON(b []byte) error {
	var s storedQuote
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	if s.Kind != BaseIn && s.Kind != BaseOut || !json.Valid([]byte(s.SwapResponse)) {
		return errNoQuote
	}
	read := Quote(s.Fields)
	read.kind, read.at, read.echo = s.Kind, s.ReceivedAt, walletfi.Document(s.SwapResponse)
	read.from = s.Origin
	read.request = QuoteRequest{s.InputMint, s.OutputMint, s.Amount, s.Slippage, s.TxVersion}
	if err := read.storedProblem(); err != nil {
		return err
	}
	*q = read
	return nil
}

// storedProblem holds a quote that was read to what it held when it was written: a
// request that can be sent, an answer to it, and the fields of the bytes that go
// back. The guard takes its bounds from the first two.
func (q *Quote) storedProblem() error {
	if err := q.request.problem(); err != nil {
		return err
	}
	if q.from.Live {
		return q.request.mismatch(q.kind, q)
	}
	return q.holdsAgainst(q.echo)
}

// holdsAgainst compares a quote with its request, and with the bytes that go back.
func (q *Quote) holdsAgainst(text walletfi.Document) error {
	sent, ok := echoed(text)
	if !ok || q.InAmount == 0 {
		return fmt.Errorf("%w: %w", errNoQuote, walletfi.ErrDecode)
	}
	return echo.All(
		q.request.mismatch(q.kind, q),
		echo.Mint("swapResponse.inputMint", q.InputMint, sent.InputMint),
		echo.Mint("swapResponse.outputMint", q.OutputMint, sent.OutputMint),
		echo.Stated("swapResponse.inAmount", q.InAmount, sent.InAmount),
		echo.Stated("swapResponse.outAmount", q.OutAmount, sent.OutAmount),
		echo.Stated("swapResponse.otherAmountThreshold", q.OtherAmountThreshold, sent.OtherAmountThreshold),
	)
}

// changed returns why a quote that another process stored is not that of its bytes.
func (c *Client) changed(q *Quote) error {
	if q == nil {
		return nil
	}
	path := transport.Path("/compute/swap-base-in")
	if q.kind == BaseOut {
		path = transport.Path("/compute/swap-base-out")
	}
	neutral, again, err := c.made().trade.Again(http.MethodGet, path, q.echo, q.from)
	if err != nil || !again {
		return err
	}
	return q.holdsAgainst(neutral)
}

// echoed finds the quote in what goes back: its data, or the whole answer.
func echoed(text walletfi.Document) (q quoteFields, ok bool) {
	members, err := wire.Members(text)
	if err != nil || members == nil {
		return q, false
	}
	if data := members["data"]; !data.IsZero() {
		text = data
	}
	return q, wire.Decode(text, &q) == nil
}
