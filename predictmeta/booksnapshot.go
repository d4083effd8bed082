package predictmeta

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Level is the quantity that is bid or asked at one price.
type Level struct {
	Price    walletfi.Decimal `json:"price" wire:"present,said,min=0,max=1"` // 0 to 1
	Quantity uint64           `json:"quantity" wire:"present,said"`
}

// BookSnapshot is an order book as the service answered it. The order of the
// levels is not documented: OrderBook sorts them.
type BookSnapshot struct {
	Ticker    string           `json:"ticker" wire:"strict,decides,optional"`
	Timestamp walletfi.Time    `json:"timestamp" wire:"decides,optional"`
	Bids      []Level          `json:"bids"`
	Asks      []Level          `json:"asks"`
	Spread    walletfi.Decimal `json:"spread" wire:"decides,optional,min=0,max=1"`    // as the service calculates it
	MidPrice  walletfi.Decimal `json:"mid_price" wire:"decides,optional,min=0,max=1"` // as the service calculates it

	// Raw is the whole answer of GetOrderBookByMint, whose shape is not
	// documented. It is decoded with the shape of GetOrderBook's answer.
	Raw walletfi.Document `json:"-"`
}

var errOfAnotherBook = errors.New("the spread or the mid price is not that of the levels")

// wrong says that the best bid is above the best ask, since orders that match are not in a book, or
// that the spread or the middle is of other levels. A book with one side may have either.
func (s *BookSnapshot) wrong(op string) (err error) {
	bid, ask := best(s.Bids, 1), best(s.Asks, -1)
	switch {
	case bid == nil && ask == nil:
		if isSaid := !s.Spread.IsZero(); isSaid && s.Spread.Cmp(none) != 0 && s.Spread.Cmp(whole) != 0 {
			err = errOfAnotherBook
		}
	case bid == nil || ask == nil:
	case isCrossed(bid, ask):
		err = ErrBookCrossed
	default:
		low, high := bid.Price.Float64(), ask.Price.Float64()
		if !isNear(s.Spread, high-low) || !isNear(s.MidPrice, (high+low)/2) {
			err = errOfAnotherBook
		}
	}
	if err == nil {
		return nil
	}
	return fmt.Errorf("predictmeta.%s: %w: %w", op, walletfi.ErrDecode, err)
}

// none and whole are what a service may call the spread of a book without orders.
var none, whole = walletfi.MustDecimal("0"), walletfi.MustDecimal("1")

func isCrossed(bid, ask *Level) bool {
	return bid != nil && ask != nil && bid.Price.Cmp(ask.Price) > 0
}

// isNear reports whether the service calculated a number right, rounded to a cent perhaps.
func isNear(said walletfi.Decimal, is float64) bool {
	return said.IsZero() || math.Abs(said.Float64()-is) < 0.01
}

// best is the level with the highest price, or with -1 the lowest, nil if there is none.
func best(levels []Level, sign int) (best *Level) {
	for i := range levels {
		l := &levels[i]
		if l.Quantity > 0 && (best == nil || l.Price.Cmp(best.Price)*sign > 0) {
			best = l
		}
	}
	return best
}

// OrderBook returns the book in memory.
func (s *BookSnapshot) OrderBook() *OrderBook {
	return NewOrderBook(s.Ticker, s.Timestamp.Time, s.Bids, s.Asks)
}

// OrderBookRequest says how much of a book to return.
type OrderBookRequest struct {
	Depth *int `url:"depth,omitempty"` // levels per side; nil means DefaultOrderBookDepth
}

// GetOrderBook returns the order book of a market. If its best bid is above its best ask,
// the error is [walletfi.ErrDecode] and [ErrBookCrossed]; it is [walletfi.ErrDecode] too if Spread or
// MidPrice is off by a cent or more from what the levels say, or if there are no levels and Spread is
// neither 0 nor 1. A side that is null is empty.
//
// GET /api/v1/orderbook/{ticker}.
func (c *Client) GetOrderBook(
	ctx context.Context, ticker string, req OrderBookRequest, opts ...walletfi.CallOption,
) (*BookSnapshot, error) {
	book, err := transport.Do[BookSnapshot](ctx, c.made().t, transport.Call{
		Op: "GetOrderBook", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Says("bids:items", "asks:items", "ticker", "timestamp:id"),
		Echo: transport.Echo(func(b *BookSnapshot) error {
			return echo.All(
				echo.Name("ticker", ticker, b.Ticker),
				echo.NoMore("bids", req.Depth, len(b.Bids)),
				echo.NoMore("asks", req.Depth, len(b.Asks)),
			)
		}),
		Path: transport.Path("/api/v1/orderbook/{ticker}", ticker), Query: req,
		Invalid: check.NotNegativeOf("depth", req.Depth),
	}, opts)
	if err != nil {
		return book, err
	}
	if err := book.wrong("GetOrderBook"); err != nil {
		return nil, err
	}
	return book, nil
}

// GetOrderBookByMint returns the order book of the market of an outcome mint.
// The answer's shape is not documented, nor whose prices it shows: what is found is
// in the fields, the whole in Raw. Levels that cannot be read are an
// [*walletfi.UnreadError] with a book without levels. An answer without bids or without
// asks is [walletfi.ErrDecode], since it does not say that there are none, and so is a book
// that [Client.GetOrderBook] refuses; what was read comes with the error.
//
// GET /api/v1/orderbook/by-mint/{mint_address}.
func (c *Client) GetOrderBookByMint(
	ctx context.Context, mint string, opts ...walletfi.CallOption,
) (*BookSnapshot, error) {
	doc, err := transport.DoDocument(ctx, c.made().t, transport.Call{
		Op: "GetOrderBookByMint", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Open(transport.NoShape),
		Echo: transport.Echo(func(book *walletfi.Document) error {
			return echo.Named(*book, map[string]func(path, said string) error{"mint": echo.To(echo.Mint, mint)})
		}),
		Path:    transport.Path("/api/v1/orderbook/by-mint/{mint_address}", mint),
		Invalid: check.Address("mint_address", mint),
	}, opts)
	if err != nil {
		return nil, err
	}
	return readBook(doc, c.made().t.Waiving(ctx, "GetOrderBookByMint", "/api/v1/orderbook/by-mint/{mint_address}"))
}

var errNoSides = fmt.Errorf("%w: the answer lacks bids or asks", walletfi.ErrDecode)

// readBook reads a book at the top level, in the usual wrappers, or in a member
// next to the ticker.
func readBook(doc walletfi.Document, waive func(wire.Breach) bool) (*BookSnapshot, error) {
	body := unwrapped(doc)
	members := membersOf(body)
	book, err := fit[BookSnapshot](body, waive) // its levels are strict: it fits, or it does not
	levels := members
	for _, name := range []string{"orderbook", "order_book", "book"} {
		if inner := members[name]; isObject(inner) {
			ticker := book.Ticker
			levels = membersOf(inner)
			if book, err = fit[BookSnapshot](inner, waive); book.Ticker == "" {
				book.Ticker = ticker
			}
		}
	}
	book.Raw = doc
	if err == nil && (levels["bids"] == nil || levels["asks"] == nil) {
		err = fmt.Errorf("predictmeta.GetOrderBookByMint: %w", errNoSides)
	}
	err = cmp.Or(err, book.wrong("GetOrderBookByMint"))
	for _, side := range []string{"bids", "asks"} {
		var read []Level
		if isArray(levels[side]) {
			err = errors.Join(err, unreadLevels(side, levels[side], wire.UnmarshalWaiving(levels[side], &read, waive)))
		}
	}
	return book, err
}

// unreadLevels says that a side of a book could not be read.
func unreadLevels(side string, raw walletfi.Document, err error) error {
	if err == nil {
		return nil
	}
	return &walletfi.UnreadError{Records: []*walletfi.RecordError{{List: side, Raw: raw, Err: err}}}
}
