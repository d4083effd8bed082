package predictmeta

import (
	"net/http"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type bookRequest struct {
	Ticker string `path:"ticker" open:"a ticker"`
	Depth  *int   `query:"depth"`
}

func (p *Service) orderBook(_ *kit.Call, in bookRequest) any {
	m := p.find(in.Ticker)
	return m.book(p.second(), kit.Or(in.Depth, depth))
}

// mintBookRequest takes the depth parameter of the route by ticker: the
// documentation lists no parameters for this route.
type mintBookRequest struct {
	Mint  string `path:"mint_address" form:"key"`
	Depth *int   `query:"depth"`
}

// mintOrderBook has no documented shape: the book as by ticker, or wrapped
// with what the mint is.
func (p *Service) mintOrderBook(c *kit.Call, in mintBookRequest) any {
	mint := p.findMint(in.Mint)
	kit.RefuseIf(mint.outcome == "", http.StatusNotFound, "", "mint %s is not an outcome mint", in.Mint)
	book := mint.market.book(p.second(), kit.Or(in.Depth, depth))
	if mint.outcome == "no" {
		book = book.mirrored()
	}
	return c.Either(book, map[string]any{"mint": in.Mint, "outcome": mint.outcome, "orderbook": book})
}

// depth is how many levels a side has by default.
const depth = 10

// level is a price and the quantity at it.
type level struct {
	Price    price `json:"price"`
	Quantity int64 `json:"quantity"`
}

// book is a market's order book at a second, of one outcome.
type book struct {
	Ticker    string  `json:"ticker"`
	Timestamp string  `json:"timestamp"`
	Bids      []level `json:"bids"`
	Asks      []level `json:"asks"`
	Spread    price   `json:"spread"`
	MidPrice  price   `json:"mid_price"`
}

// touch returns the best price of each side. A price outside 1 to 99 means that
// the side is empty.
func (m *Market) touch(second int64) (bid, ask price) {
	mid, half := m.mid(second), m.HalfSpread(second)
	return mid - half, mid + half
}

// quantityAt is the quantity at a price. It changes every 8 seconds, each level
// in its own second.
func (m *Market) quantityAt(second int64, price price) int64 {
	epoch := (second + int64(price)) / 8
	return 10 + int64(m.draw(drawLevel, uint64(epoch)<<8|uint64(price))%2_000)
}

// book is the order book of the yes outcome: empty while the market is not
// open for trading.
func (m *Market) book(second int64, depth int) book {
	b := book{Ticker: m.ticker, Timestamp: Stamp(second), Bids: []level{}, Asks: []level{}}
	if !m.Live(second) {
		return b
	}
	bid, ask := m.touch(second)
	for price := bid; price >= 1 && len(b.Bids) < depth; price-- {
		b.Bids = append(b.Bids, level{price, m.quantityAt(second, price)})
	}
	for price := ask; price <= 99 && len(b.Asks) < depth; price++ {
		b.Asks = append(b.Asks, level{price, m.quantityAt(second, price)})
	}
	if len(b.Bids) > 0 && len(b.Asks) > 0 {
		b.Spread = ask - bid
	}
	b.MidPrice = m.mid(second)
	return b
}

// mirrored is the same book for the no outcome: a bid for yes is an offer of
// no.
func (b book) mirrored() book {
	turn := func(l level) level { return level{100 - l.Price, l.Quantity} }
	b.Bids, b.Asks = kit.List(b.Asks, turn), kit.List(b.Bids, turn)
	if b.MidPrice > 0 {
		b.MidPrice = 100 - b.MidPrice
	}
	return b
}
