package onchaindata

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// TradeKind is the direction of a trade.
type TradeKind string

// The kinds.
const (
	TradeBuy  TradeKind = "buy"
	TradeSell TradeKind = "sell"
)

// Trade is one swap in a pool.
type Trade struct {
	ID          string        `json:"-" wire:"identity"` // the service's id of the record
	BlockNumber uint64        `json:"block_number" wire:"said"`
	Timestamp   walletfi.Time `json:"block_timestamp" wire:"said"`
	TxHash      string        `json:"tx_hash"`
	TxFrom      string        `json:"tx_from_address"`
	Kind        TradeKind     `json:"kind" wire:"said"`

	FromAmount               walletfi.Decimal `json:"from_token_amount" wire:"said,min=0"`
	ToAmount                 walletfi.Decimal `json:"to_token_amount" wire:"said,min=0"`
	PriceFromInCurrencyToken walletfi.Decimal `json:"price_from_in_currency_token" wire:"said,min=0"`
	PriceToInCurrencyToken   walletfi.Decimal `json:"price_to_in_currency_token" wire:"said,min=0"`
	PriceFromUSD             walletfi.Decimal `json:"price_from_in_usd" wire:"said,min=0"`
	PriceToUSD               walletfi.Decimal `json:"price_to_in_usd" wire:"said,min=0"`
	VolumeUSD                walletfi.Decimal `json:"volume_in_usd" wire:"said,min=0"`

	// Raw is the attributes of the record as they came, if a value in them could not
	// be read; else nil.
	Raw walletfi.Document `json:"-"`
}

func tradeOf(t *Trade, r *resource[Trade]) {
	t.ID = r.ID
}

// TradePage is the latest trades of a pool, in the service's order.
type TradePage struct {
	Items []Trade
	// Full means that MaxTrades came, the most that the service sends: older
	// trades of the last TradesPeriod may be missing and cannot be fetched. Ask
	// more often, or with a higher MinVolumeUSD.
	Full bool `wire:"free"`

	Raw walletfi.Document `json:"-"` // the answer as it came: it may tell more of the tokens
}

// MarshalJSON writes the form that UnmarshalJSON reads: the answer as it came, as
// long as the page still says what it says.
func (l TradePage) MarshalJSON() ([]byte, error) {
	var came TradePage
	if !l.Raw.IsZero() && came.UnmarshalJSON(l.Raw) == nil && reflect.DeepEqual(came, l) {
		return l.Raw, nil
	}
	type written struct {
		ID         string `json:"id"`
		Attributes Trade  `json:"attributes"`
	}
	records := make([]written, len(l.Items))
	for i, trade := range l.Items {
		records[i] = written{trade.ID, trade}
	}
	return json.Marshal(struct {
		Data []written `json:"data"`
	}{records})
}

// UnmarshalJSON reads a JSON:API document of trades.
func (l *TradePage) UnmarshalJSON(b []byte) error {
	return wire.Unmarshal(b, l)
}

func init() {
	reads(func(l *TradePage, doc *document[Trade], raw walletfi.Document) error {
		*l = TradePage{doc.records(tradeOf), len(doc.Data.Items()) >= MaxTrades, raw}
		return nil
	})
}

// TradesRequest selects trades.
type TradesRequest struct {
	MinVolumeUSD walletfi.Decimal // only trades of more than this; the zero value means all
}

type tradesQuery struct {
	MinVolumeUSD string `url:"trade_volume_in_usd_greater_than,omitempty"`
}

// ListTrades returns the last [MaxTrades] trades of a pool within [TradesPeriod].
// They are live.
//
// GET /networks/{network}/pools/{pool_address}/trades.
func (c *Client) ListTrades(
	ctx context.Context, network, pool string, req TradesRequest, opts ...walletfi.CallOption,
) (*TradePage, error) {
	return transport.Do[TradePage](ctx, c.made().t, transport.Call{
		Op: "ListTrades", Effect: transport.Read, Method: http.MethodGet,
		Answer:  listAnswer,
		Echo:    transport.Echo(req.mismatch),
		Path:    transport.Path("/networks/{network}/pools/{pool_address}/trades", network, pool),
		Query:   tradesQuery{req.MinVolumeUSD.Plain()},
		Invalid: checkBound("trade_volume_in_usd_greater_than", req.MinVolumeUSD),
	}, opts)
}

// mismatch reports a trade of less than was asked for.
func (r TradesRequest) mismatch(page *TradePage) error {
	return echo.Each(page.Items, func(t Trade) error {
		enough := r.MinVolumeUSD.IsZero() || !t.VolumeUSD.Valid() || t.VolumeUSD.Cmp(r.MinVolumeUSD) >= 0
		return echo.That(enough, "data.attributes.volume_in_usd", r.MinVolumeUSD, t.VolumeUSD)
	})
}
