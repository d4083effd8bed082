package predictmeta

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/callopt"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/paging"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// BatchMarketsRequest names any number of markets by ticker, by mint or both.
type BatchMarketsRequest struct {
	Tickers []string `json:"tickers,omitempty"`
	Mints   []string `json:"mints,omitempty"`
}

// MarketBatch is the answer to a batch. Its lists do not follow the request item
// by item: tell markets apart by their ticker and mints.
type MarketBatch struct {
	Markets  []MarketSummary `json:"markets" wire:"records"`
	NotFound []string        `json:"not_found" wire:"records"` // tickers and mints of the request

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

func init() { wire.Reader(wire.TakeRepeated[MarketBatch]) }

// BatchMarkets returns many markets, each once, also if it was asked for by several names. It
// splits a request of more than [MaxBatchMarkets] into several calls, tickers first, and joins
// the answers in the request's order. An empty request sends nothing.
//
// If one of several calls fails, BatchMarkets returns the markets of the others and
// a [*walletfi.PartialError], whose items count the tickers and then the mints.
//
// POST /api/v1/markets/batch. It reads, although it is a POST.
func (c *Client) BatchMarkets(
	ctx context.Context, req BatchMarketsRequest, opts ...walletfi.CallOption,
) (*MarketBatch, error) {
	if err := check.All(c.made().t.Made(), req.problem()); err != nil {
		return nil, err
	}
	answers, err := paging.Split(ctx, req.items(), MaxBatchMarkets, partsAtOnce(opts),
		callopt.Of(opts).Progress, func(ctx context.Context, part []batchItem) (*MarketBatch, error) {
			return transport.Do[MarketBatch](ctx, c.made().t, transport.Call{
				Op: "BatchMarkets", Effect: transport.Read, Method: http.MethodPost,
				Answer: transport.Items("markets"),
				Echo:   transport.Echo(requestOf(part).mismatch),
				Path:   transport.Path("/api/v1/markets/batch"), Body: requestOf(part),
			}, opts)
		})
	all := &MarketBatch{}
	for _, answer := range answers {
		if answer != nil {
			all.Markets = append(all.Markets, answer.Markets...)
			all.NotFound = append(all.NotFound, answer.NotFound...)
		}
	}
	all.Markets = wire.Unique(all.Markets)
	return all, err
}

// batchItem is a ticker or a mint: both count toward one cap.
type batchItem struct {
	text   string
	isMint bool
}

func (r BatchMarketsRequest) items() []batchItem {
	items := make([]batchItem, 0, len(r.Tickers)+len(r.Mints))
	for _, ticker := range r.Tickers {
		items = append(items, batchItem{text: ticker})
	}
	for _, mint := range r.Mints {
		items = append(items, batchItem{mint, true})
	}
	return items
}

func requestOf(part []batchItem) BatchMarketsRequest {
	var r BatchMarketsRequest
	for _, item := range part {
		if item.isMint {
			r.Mints = append(r.Mints, item.text)
		} else {
			r.Tickers = append(r.Tickers, item.text)
		}
	}
	return r
}

func (r BatchMarketsRequest) problem() error {
	return check.All(
		check.Each("tickers", r.Tickers, check.Required[string]),
		check.Each("mints", r.Mints, check.Address[string]),
	)
}

// mismatch reports markets that were not asked for, and what is both found and not found. If
// mints were asked for, a market can be there for its ledger mint, which the answer does not
// name. If tickers were too, a mint can be left out of a market that is there for its ticker.
func (r BatchMarketsRequest) mismatch(answer *MarketBatch) error {
	asked := append(slices.Clone(r.Tickers), r.Mints...)
	return echo.All(
		echo.Each(answer.Markets, func(m MarketSummary) error {
			if len(r.Mints) > 0 {
				return nil
			}
			return echo.Among("markets.ticker", r.Tickers, m.Ticker)
		}),
		echo.Each(answer.NotFound, func(item string) error {
			found := slices.ContainsFunc(answer.Markets, func(m MarketSummary) bool {
				isMint := item == m.YesMint || item == m.NoMint
				return strings.EqualFold(item, m.Ticker) || isMint && len(r.Tickers) == 0
			})
			return echo.All(
				echo.Among("not_found", asked, item),
				echo.That(!found, "not_found", "in one list", item),
			)
		}),
	)
}
