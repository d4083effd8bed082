package sandbox

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"
)

type predictMetaTradesRequest struct {
	Ticker string           `query:"ticker"`
	Limit  *int             `query:"limit" min:"1"`
	Offset int              `query:"offset" min:"0"`
	Start  *predictMetaTime `query:"start_time"`
	End    *predictMetaTime `query:"end_time"`
	Side   string           `query:"side" oneof:"buy sell"`
}

// trades answers for one market, or for all of them.
func (p *predictMeta) trades(_ *call, in predictMetaTradesRequest) (any, error) {
	markets := p.markets
	if in.Ticker != "" {
		m, err := p.find(in.Ticker)
		if err != nil {
			return nil, err
		}
		markets = []*predictMetaMarket{m}
	}
	return p.tradesOf(markets, in)
}

type predictMetaMintTradesRequest struct {
	Mint   string           `path:"mint_address"`
	Ticker string           `query:"ticker"`
	Limit  *int             `query:"limit" min:"1"`
	Offset int              `query:"offset" min:"0"`
	Start  *predictMetaTime `query:"start_time"`
	End    *predictMetaTime `query:"end_time"`
	Side   string           `query:"side" oneof:"buy sell"`
}

// mintTrades answers for the mint's market. A ticker is allowed by the text,
// and beside the point.
func (p *predictMeta) mintTrades(c *call, in predictMetaMintTradesRequest) (any, error) {
	mint, err := p.findMint(c, in.Mint)
	if err != nil {
		return nil, err
	}
	return p.tradesOf([]*predictMetaMarket{mint.market}, predictMetaTradesRequest{
		Limit: in.Limit, Offset: in.Offset, Start: in.Start, End: in.End, Side: in.Side,
	})
}

// tradesOf answers a page, the newest trade first, of the last day where no
// start is given.
func (p *predictMeta) tradesOf(markets []*predictMetaMarket, in predictMetaTradesRequest) (any, error) {
	from, to, err := predictMetaRange(in.Start, in.End, p.second(), predictMetaDay)
	if err != nil {
		return nil, err
	}
	limit := min(predictMetaOr(in.Limit, 100), predictMetaLargestPage)
	page, total := predictMetaNewest(markets, from, to, in.Side, in.Offset, limit)
	answers := []predictMetaTradeAnswer{}
	for _, t := range page {
		answers = append(answers, p.tradeAnswer(t))
	}
	return map[string]any{"trades": answers, "total": total, "limit": limit, "offset": in.Offset}, nil
}

// predictMetaNewest returns a page of the trades in a span, the newest first,
// and how many there are. It goes back by the hour and sorts only as far as
// the page reaches: all markets' trades of a month are too many to hold.
func predictMetaNewest(markets []*predictMetaMarket, from, to int64, side string, offset, limit int) (page []predictMetaTrade, total int) {
	opened := to
	for _, m := range markets {
		opened = min(opened, m.opens)
	}
	from = max(from, opened)
	for end := to; end > from; end -= 3600 {
		var hour []predictMetaTrade
		counted := total
		for _, m := range markets {
			for t := range m.tape(max(from, end-3600), end) {
				if side != "" && side != t.side() {
					continue
				}
				total++
				if counted < offset+limit {
					hour = append(hour, t)
				}
			}
		}
		slices.SortFunc(hour, func(a, b predictMetaTrade) int {
			return cmp.Or(cmp.Compare(b.second, a.second), cmp.Compare(a.market.ticker, b.market.ticker))
		})
		for i, t := range hour {
			if at := counted + i; at >= offset && at < offset+limit {
				page = append(page, t)
			}
		}
	}
	return page, total
}

type predictMetaTradeAnswer struct {
	ID        string           `json:"id"`
	Ticker    string           `json:"ticker"`
	Price     predictMetaPrice `json:"price"`
	Quantity  int64            `json:"quantity"`
	Side      string           `json:"side"`
	Outcome   string           `json:"outcome"`
	Timestamp string           `json:"timestamp"`
	Taker     string           `json:"taker_address"`
	Maker     string           `json:"maker_address"`
}

func (p *predictMeta) tradeAnswer(t predictMetaTrade) predictMetaTradeAnswer {
	outcome := "no"
	if t.yes {
		outcome = "yes"
	}
	taker := t.market.draw(predictMetaDrawTrade, uint64(t.slot)<<1|1) % predictMetaTraders
	maker := (taker + 1 + taker%7) % predictMetaTraders
	return predictMetaTradeAnswer{
		fmt.Sprintf("%s-T%d", t.market.ticker, t.slot), t.market.ticker, t.price, t.quantity, t.side(), outcome,
		predictMetaStamp(t.second), predictMetaTrader(taker), predictMetaTrader(maker),
	}
}

func (t predictMetaTrade) side() string {
	if t.buy {
		return "buy"
	}
	return "sell"
}

// predictMetaTraders is how many wallets trade.
const predictMetaTraders = 40

// predictMetaTrader is the address of one of them.
func predictMetaTrader(n uint64) string {
	return solana.PublicKey(sha256.Sum256(fmt.Appendf(nil, "sandbox predictmeta trader %d", n))).String()
}
