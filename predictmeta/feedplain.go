package predictmeta

import (
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
	"github.com/walletfi/walletfi-go/predictmeta/internal/feedtext"
)

// feedMessage has the members of all three types.
type feedMessage struct {
	has            feedtext.Member
	kind           []byte
	ticker, side   string
	yes, no, price walletfi.Decimal
	bids, asks     [2]int // bounds in feedDecoder.levels
	quantity       uint64
	at             walletfi.Time
}

// plain reads a message of a known type without anything unusual: no member that
// comes twice, no object or array in an unknown member, no null in a known one, no
// escape, only ASCII. It returns false for any other message, valid or not.
func (d *feedDecoder) plain(b []byte) (FeedEvent, bool) {
	var m feedMessage
	d.levels = d.levels[:0]
	i := wire.Take(b, 0, '{')
	for more := i >= 0; more; {
		var which feedtext.Member
		if which, i = feedtext.MemberAt(b, i); i < 0 {
			return nil, false
		}
		if i = d.value(&m, which, b, i); i < 0 {
			return nil, false
		}
		i, more = wire.More(b, i, '}')
	}
	if i < 0 || wire.Space(b, i) != len(b) || m.ticker == "" || m.at.IsZero() {
		return nil, false
	}
	switch string(m.kind) {
	case typePrice:
		if m.has&feedtext.PriceMembers != feedtext.PriceMembers {
			return nil, false
		}
		return &PriceUpdate{Ticker: m.ticker, YesPrice: m.yes, NoPrice: m.no, Timestamp: m.at}, true
	case typeTrade:
		if m.has&feedtext.TradeMembers != feedtext.TradeMembers || m.side != string(SideBuy) && m.side != string(SideSell) {
			return nil, false
		}
		return &TradeUpdate{Ticker: m.ticker, Price: m.price, Quantity: m.quantity, Side: Side(m.side), Timestamp: m.at}, true
	case typeBook:
		u := d.book(&m)
		return u, m.has&(feedtext.HasBids|feedtext.HasAsks) != 0 && !u.isCrossed()
	}
	return nil, false
}

// book returns a BookUpdate with a copy of d.levels.
func (d *feedDecoder) book(m *feedMessage) *BookUpdate {
	levels := make([]Level, len(d.levels))
	copy(levels, d.levels)
	u := &BookUpdate{Ticker: m.ticker, Timestamp: m.at}
	if m.has&feedtext.HasBids != 0 {
		u.Bids = levels[m.bids[0]:m.bids[1]:m.bids[1]]
	}
	if m.has&feedtext.HasAsks != 0 {
		u.Asks = levels[m.asks[0]:m.asks[1]:m.asks[1]]
	}
	return u
}

// value reads the value of a member at b[i].
func (d *feedDecoder) value(m *feedMessage, which feedtext.Member, b []byte, i int) int {
	if m.has&which != 0 {
		return wire.None
	}
	m.has |= which
	switch which {
	case feedtext.HasType:
		m.kind, i = wire.ASCII(b, i)
	case feedtext.HasTicker:
		m.ticker, i = d.text(b, i)
	case feedtext.HasYes:
		m.yes, i = d.decimal(b, i)
	case feedtext.HasNo:
		m.no, i = d.decimal(b, i)
	case feedtext.HasBids:
		m.bids, i = d.depth(b, i)
	case feedtext.HasAsks:
		m.asks, i = d.depth(b, i)
	case feedtext.HasPrice:
		m.price, i = d.decimal(b, i)
	case feedtext.HasQuantity:
		m.quantity, i = wire.Count(b, i)
	case feedtext.HasSide:
		m.side, i = d.text(b, i)
	case feedtext.HasTimestamp:
		m.at, i = feedtext.TimeAt(b, i)
	default:
		i = wire.Scalar(b, i)
	}
	return i
}

// depth appends a side of the book to d.levels and returns its bounds there.
func (d *feedDecoder) depth(b []byte, i int) (bounds [2]int, end int) {
	from := len(d.levels)
	if i = wire.Take(b, i, '['); i < 0 {
		return bounds, wire.None
	}
	if end = wire.Take(b, i, ']'); end >= 0 {
		return [2]int{from, from}, end
	}
	for more := true; more; {
		var level Level
		if level, i = d.level(b, i); i < 0 {
			return bounds, wire.None
		}
		d.levels = append(d.levels, level)
		i, more = wire.More(b, i, ']')
	}
	return [2]int{from, len(d.levels)}, i
}

func (d *feedDecoder) level(b []byte, i int) (level Level, end int) {
	if i = wire.Take(b, i, '{'); i < 0 {
		return level, wire.None
	}
	var has feedtext.Member
	for more := true; more; {
		var which feedtext.Member
		if which, i = feedtext.MemberAt(b, i); i < 0 || has&which != 0 {
			return level, wire.None
		}
		has |= which
		switch which {
		case feedtext.HasPrice:
			level.Price, i = d.decimal(b, i)
		case feedtext.HasQuantity:
			level.Quantity, i = wire.Count(b, i)
		default:
			i = wire.Scalar(b, i)
		}
		if i < 0 {
			return level, wire.None
		}
		i, more = wire.More(b, i, '}')
	}
	if has&feedtext.LevelMembers != feedtext.LevelMembers {
		return level, wire.None
	}
	return level, i
}

func (d *feedDecoder) text(b []byte, i int) (string, int) {
	text, end := wire.ASCII(b, i)
	if end < 0 {
		return "", wire.None
	}
	return d.texts.Of(text), end
}

// decimal reads a number, bare or in quotes.
func (d *feedDecoder) decimal(b []byte, i int) (price walletfi.Decimal, end int) {
	i = wire.Space(b, i)
	isText := i < len(b) && b[i] == '"'
	if isText {
		i++
	}
	end = i
	for end < len(b) && b[end] >= '-' && b[end] <= '9' {
		end++
	}
	if end < len(b) && b[end]|0x20 == 'e' {
		if end = wire.Exponent(b, end+1); end < 0 {
			return price, wire.None
		}
	}
	price, ok := d.prices.Of(b[i:end])
	if isText {
		if end == len(b) || b[end] != '"' {
			return price, wire.None
		}
		end++
	}
	if !ok {
		return price, wire.None
	}
	return price, end
}
