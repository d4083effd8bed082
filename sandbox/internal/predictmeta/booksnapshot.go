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
