package onchaindata

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Candle sums up the trades of one step of time. Prices and volume are exact; use
// Float64 of [walletfi.Decimal] for statistics.
type Candle struct {
	Timestamp walletfi.Time    `wire:"decides,identity"` // when the step begins
	Open      walletfi.Decimal `wire:"decides"`
	High      walletfi.Decimal `wire:"decides"`
	Low       walletfi.Decimal `wire:"decides"`
	Close     walletfi.Decimal `wire:"decides"`
	Volume    walletfi.Decimal `wire:"decides"`

	// Raw is the candle as it came, if a price or the volume could not be read; else
	// nil.
	Raw walletfi.Document
}

// UnmarshalJSON reads [timestamp, open, high, low, close, volume]. Fewer values or
// no time are an error; further values are ignored. A price or a volume that cannot
// be read is zero.
func (c *Candle) UnmarshalJSON(b []byte) error {
	*c = Candle{}
	return wire.Unmarshal(b, c)
}

func init() { wire.Reader(readCandle) }

func readCandle(s *wire.Scanner, c *Candle) error {
	if s.Peek() != '[' {
		return errors.New("onchaindata: a candle is an array")
	}
	from, n, lost := s.Offset(), 0, false
	into := [...]*walletfi.Decimal{1: &c.Open, &c.High, &c.Low, &c.Close, &c.Volume}
	for more := s.Open('['); more; more = s.Next('[') {
		switch {
		case n == 0:
			if err := s.Time(&c.Timestamp); err != nil {
				return err
			}
		case n < len(into):
			lost = !s.Decimal(into[n]) || none(into[n]) || lost
		default:
			s.Skip()
		}
		n++
	}
	switch {
	case n < len(into):
		return errors.New("onchaindata: a candle needs six values")
	case c.Timestamp.IsZero():
		return errors.New("onchaindata: a candle needs a time")
	case lost:
		c.Raw = s.Kept(from)
		wire.Tell[candleAttributes](s, "ohlcv_list", wire.OfNoKind)
	default:
		if name := c.wrong(); name != "" {
			c.Raw = s.Kept(from)
			wire.Breaks[Candle](s, name, wire.OutOfRange)
		}
	}
	return nil
}

// wrong names the first price that contradicts the others.
func (c *Candle) wrong() string {
	opens := c.Open.Cmp(c.High) <= 0 && c.Open.Cmp(c.Low) >= 0
	switch {
	case !opens && c.High.Cmp(c.Low) < 0: // what is between them says that they are in order
		return "High"
	case !opens:
		return "Open"
	case c.Close.Cmp(c.High) > 0 || c.Close.Cmp(c.Low) < 0:
		return "Close"
	}
	return ""
}

// none reports whether a price or a volume says nothing. One below 0 does not.
func none(d *walletfi.Decimal) bool {
	if strings.HasPrefix(d.String(), "-") && d.Sign() < 0 {
		*d = walletfi.Decimal{}
	}
	return d.IsZero()
}

// MarshalJSON writes the form that UnmarshalJSON reads.
func (c Candle) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{c.Timestamp.Unix(), c.Open, c.High, c.Low, c.Close, c.Volume})
}

// candlesAnswer lists the members that an answer of candles must have.
var candlesAnswer = transport.Says("data.attributes.ohlcv_list:list|data:items")

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
	return wire.Unmarshal(b, l)
}

func init() {
	reads(func(l *CandlePage, doc *document[candleAttributes], raw walletfi.Document) error {
		*l = CandlePage{nil, raw}
		for i := range doc.Data.Items() {
			if list := doc.Data.Items()[i].Attributes.List; l.Items == nil && len(list) > 0 {
				l.Items = list
			} else {
				l.Items = append(l.Items, list...)
			}
		}
		return nil
	})
}
