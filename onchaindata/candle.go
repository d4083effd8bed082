package onchaindata

import (
	"encoding/json"
	"errors"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/lenient"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Candle sums up the trades of one step of time. Prices and volume are exact; use
// Float64 of [walletfi.Decimal] for statistics.
type Candle struct {
	Time   walletfi.Time // when the step begins
	Open   walletfi.Decimal
	High   walletfi.Decimal
	Low    walletfi.Decimal
	Close  walletfi.Decimal
	Volume walletfi.Decimal

	// Raw is the candle as it came, if a price or the volume could not be read; else
	// nil.
	Raw walletfi.Document
}

// UnmarshalJSON reads [timestamp, open, high, low, close, volume]. Fewer values or
// no time are an error; further values are ignored. A price or a volume that cannot
// be read is zero.
func (c *Candle) UnmarshalJSON(b []byte) error {
	var cells []json.RawMessage
	if err := lenient.Unmarshal(b, &cells); err != nil {
		return err
	}
	*c = Candle{}
	into := []any{&c.Time, &c.Open, &c.High, &c.Low, &c.Close, &c.Volume}
	if len(cells) < len(into) {
		return errors.New("onchaindata: a candle needs six values")
	}
	for i, value := range into {
		if err := lenient.Unmarshal(cells[i], value); err != nil && i == 0 {
			return err
		} else if err != nil {
			c.Raw = lenient.Keep(b)
		}
	}
	if c.Time.IsZero() {
		return errors.New("onchaindata: a candle needs a time")
	}
	return nil
}

// MarshalJSON writes the form that UnmarshalJSON reads.
func (c Candle) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{c.Time.Unix(), c.Open, c.High, c.Low, c.Close, c.Volume})
}

// candlesAnswer lists the members that an answer of candles must have.
var candlesAnswer = transport.Says("data.attributes.ohlcv_list:list|data:list")

// CandlePage has candles, oldest first.
type CandlePage struct {
	Items []Candle

	Raw walletfi.Document `json:"-"` // the answer as it came: its meta is not documented
}

type candleAttributes struct {
	List []Candle `json:"ohlcv_list" wire:"records"`
}

// MarshalJSON writes the form that UnmarshalJSON reads.
func (l CandlePage) MarshalJSON() ([]byte, error) {
	type written struct {
		Attributes candleAttributes `json:"attributes"`
	}
	if l.Items == nil {
		return []byte(`{"data":[]}`), nil
	}
	return json.Marshal(struct {
		Data []written `json:"data"`
	}{[]written{{candleAttributes{l.Items}}}})
}

// UnmarshalJSON reads a JSON:API document and joins the candles of all its records.
func (l *CandlePage) UnmarshalJSON(b []byte) error {
	var doc document[candleAttributes]
	err := lenient.Unmarshal(b, &doc)
	l.Items, l.Raw = nil, lenient.Keep(b)
	for i := range doc.Data.items {
		l.Items = append(l.Items, doc.Data.items[i].Attributes.List...)
	}
	return err
}
