package predictmeta

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type tradesRequest struct {
	Ticker string   `query:"ticker" open:"a ticker"`
	Limit  *int     `query:"limit"`
	Offset int      `query:"offset"`
	Start  *instant `query:"start_time"`
	End    *instant `query:"end_time"`
	Side   string   `query:"side" oneof:"buy sell"`
}

// trades answers for one market, or for all of them.
func (p *Service) trades(_ *kit.Call, in tradesRequest) any {
	markets := p.Markets
	if in.Ticker != "" {
		m := p.find(in.Ticker)
		markets = []*Market{m}
	}
	return p.tradesOf(markets, in)
}

type mintTradesRequest struct {
	Mint string `path:"mint_address" form:"key"`
	tradesRequest
}

// mintTrades answers for the mint's market. A ticker is allowed by the text,
// and redundant.
func (p *Service) mintTrades(c *kit.Call, in mintTradesRequest) any {
	mint := p.findMint(in.Mint)
	return p.tradesOf([]*Market{mint.market}, in.tradesRequest)
}

// tradesOf answers a page, the newest trade first, of the last day if no
// start is given.
func (p *Service) tradesOf(markets []*Market, in tradesRequest) any {
	from, to := window(in.Start, in.End, p.second(), day)
	limit := min(kit.Or(in.Limit, 100), largestPage)
	page, total := newest(markets, from, to, in.Side, in.Offset, limit)
	return map[string]any{"trades": kit.List(page, tradeAnswer), "total": total, "limit": limit, "offset": in.Offset}
}

// newest returns a page of the trades in a span, the newest first,
// and how many there are. It goes back by the hour and sorts only as far as
// the page reaches: all markets' trades of a month are too many to hold.
func newest(markets []*Market, from, to int64, side string, offset, limit int) (page []trade, total int) {
	opened := to
	for _, m := range markets {
		opened = min(opened, m.Opens)
	}
	from = max(from, opened)
	for end := to; end > from; end -= 3600 {
		var hour []trade
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
		slices.SortFunc(hour, func(a, b trade) int {
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

func tradeAnswer(t trade) any {
	outcome := "no"
	if t.yes {
		outcome = "yes"
	}
	taker := t.market.draw(drawTrade, uint64(t.slot)<<1|1) % traders
	maker := (taker + 1 + taker%7) % traders
	return map[string]any{
		"id": fmt.Sprintf("%s-T%d", t.market.ticker, t.slot), "ticker": t.market.ticker, "price": t.price,
		"quantity": t.quantity, "side": t.side(), "outcome": outcome, "timestamp": Stamp(t.second),
		"taker_address": trader(taker), "maker_address": trader(maker),
	}
}

func (t trade) side() string {
	if t.buy {
		return "buy"
	}
	return "sell"
}

// traders is how many wallets trade.
const traders = 40

// trader is the address of one of them.
func trader(n uint64) string {
	return solana.PublicKey(sha256.Sum256(fmt.Appendf(nil, "sandbox predictmeta trader %d", n))).String()
}
