package sandbox

import "net/http"

// predictMetaDepth is how many levels a side has where nobody says.
const predictMetaDepth = 10

// predictMetaLevel is a price and what stands at it.
type predictMetaLevel struct {
	Price    predictMetaPrice `json:"price"`
	Quantity int64            `json:"quantity"`
}

// predictMetaBook is a market's order book at a second, of one outcome.
type predictMetaBook struct {
	Ticker    string             `json:"ticker"`
	Timestamp string             `json:"timestamp"`
	Bids      []predictMetaLevel `json:"bids"`
	Asks      []predictMetaLevel `json:"asks"`
	Spread    predictMetaPrice   `json:"spread"`
	MidPrice  predictMetaPrice   `json:"mid_price"`
}

// touch is the best price of each side; one outside 1 to 99 means that the
// side is empty.
func (m *predictMetaMarket) touch(second int64) (bid, ask predictMetaPrice) {
	mid, half := m.mid(second), m.halfSpread(second)
	return mid - half, mid + half
}

// quantityAt is what stands at a price. It changes every 8 seconds, each level
// in its own second.
func (m *predictMetaMarket) quantityAt(second int64, price predictMetaPrice) int64 {
	epoch := (second + int64(price)) / 8
	return 10 + int64(m.draw(predictMetaDrawLevel, uint64(epoch)<<8|uint64(price))%2_000)
}

// book is the order book of the yes outcome: empty while the market is not
// open for trading.
func (m *predictMetaMarket) book(second int64, depth int) predictMetaBook {
	b := predictMetaBook{Ticker: m.ticker, Timestamp: predictMetaStamp(second), Bids: []predictMetaLevel{}, Asks: []predictMetaLevel{}}
	if !m.live(second) {
		return b
	}
	bid, ask := m.touch(second)
	for price := bid; price >= 1 && len(b.Bids) < depth; price-- {
		b.Bids = append(b.Bids, predictMetaLevel{price, m.quantityAt(second, price)})
	}
	for price := ask; price <= 99 && len(b.Asks) < depth; price++ {
		b.Asks = append(b.Asks, predictMetaLevel{price, m.quantityAt(second, price)})
	}
	if len(b.Bids) > 0 && len(b.Asks) > 0 {
		b.Spread = ask - bid
	}
	b.MidPrice = m.mid(second)
	return b
}

// mirrored is the same book seen from the no outcome: who bids for the one
// offers the other.
func (b predictMetaBook) mirrored() predictMetaBook {
	turn := func(levels []predictMetaLevel) []predictMetaLevel {
		turned := make([]predictMetaLevel, 0, len(levels))
		for _, l := range levels {
			turned = append(turned, predictMetaLevel{100 - l.Price, l.Quantity})
		}
		return turned
	}
	b.Bids, b.Asks = turn(b.Asks), turn(b.Bids)
	if b.MidPrice > 0 {
		b.MidPrice = 100 - b.MidPrice
	}
	return b
}

type predictMetaBookRequest struct {
	Ticker string `path:"ticker"`
	Depth  *int   `query:"depth" min:"1"`
}

func (p *predictMeta) orderBook(_ *call, in predictMetaBookRequest) (any, error) {
	m, err := p.find(in.Ticker)
	if err != nil {
		return nil, err
	}
	return m.book(p.second(), predictMetaOr(in.Depth, predictMetaDepth)), nil
}

// predictMetaMintBookRequest takes the sister route's depth, since the text
// lists nothing for this one.
type predictMetaMintBookRequest struct {
	Mint  string `path:"mint_address"`
	Depth *int   `query:"depth" min:"1"`
}

// mintOrderBook has no documented shape: the book as by ticker, or wrapped
// with what the mint is.
func (p *predictMeta) mintOrderBook(c *call, in predictMetaMintBookRequest) (any, error) {
	mint, err := p.findMint(c, in.Mint)
	if err != nil {
		return nil, err
	}
	if mint.outcome == "" {
		return nil, refuse(http.StatusNotFound, "", "mint %s is no outcome mint", in.Mint)
	}
	book := mint.market.book(p.second(), predictMetaOr(in.Depth, predictMetaDepth))
	if mint.outcome == "no" {
		book = book.mirrored()
	}
	if c.shape(2) == 0 {
		return book, nil
	}
	return map[string]any{"mint": in.Mint, "outcome": mint.outcome, "orderbook": book}, nil
}

// predictMetaOr is what was sent, or the default.
func predictMetaOr(sent *int, fallback int) int {
	if sent != nil {
		return *sent
	}
	return fallback
}
