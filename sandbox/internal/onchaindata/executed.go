package onchaindata

import (
	"encoding/binary"
	"math"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
)

// execution is a trade that a transaction of the ledger made.
// A trade of the tape has none.
type execution struct {
	signature, wallet string
	slot              int64
	base, quote       float64 // whole tokens
}

// mostExecuted is how many executed trades of a pool are remembered, the newest.
const mostExecuted = 4096

// executed enters a trade on a pool of the market into the pool's trades.
func (b *Service) executed(x market.Execution) {
	p := b.networks[0].pool(x.Pool.Address.String())
	if p == nil {
		return
	}
	in, out := whole(x.In, x.From().Decimals), whole(x.Out, x.To().Decimals)
	e := &execution{signature: x.Signature.String(), wallet: x.Wallet.String(), slot: int64(x.Slot), base: out, quote: in}
	buy := x.To().Mint == p.base.address
	if !buy {
		e.base, e.quote = in, out
	}
	t := trade{
		pool: p, second: x.Second, buy: buy, execution: e, draw: binary.LittleEndian.Uint64(x.Wallet[:8]),
		rate: e.quote / e.base, quote: p.quote.value(x.Second),
	}
	t.base = t.rate * t.quote
	t.micros = int64(e.quote * t.quote * 1e6)
	p.executed = kit.Newest(append(p.executed, t), mostExecuted)
	clear(p.figures)
}

func whole(amount uint64, decimals uint8) float64 { return float64(amount) / math.Pow10(int(decimals)) }

// repriced follows the market's price of a token: it swings about the new price from
// now on, and each of its pools has a trade at the new price at once.
func (b *Service) repriced(mint string) {
	now, main := b.Now().Unix(), b.networks[0]
	priced, _ := b.TokenByMint(mint)
	t := main.token(mint)
	if t == nil {
		return
	}
	t.steps = append(t.steps, step{now, float64(priced.Price) / 1e6})
	for _, p := range main.pools {
		if p.holds(t) {
			b.moveTo(p, now)
		}
	}
	b.moved = now
}

// moveTo enters the trade that moved a pool of the market to its present price.
func (b *Service) moveTo(p *pool, now int64) {
	traded, ok := b.book.Pool(p.address)
	if !ok || p.closed(now) {
		return
	}
	rate := traded.Curve.Spot(traded.Reserves, 0) * math.Pow10(p.base.decimals-p.quote.decimals)
	if traded.Tokens[0].Mint != p.base.address {
		rate = 1 / (traded.Curve.Spot(traded.Reserves, 0) * math.Pow10(p.quote.decimals-p.base.decimals))
	}
	digest := b.hash("move of "+p.id(), now)
	more := b.hash("more of a move of "+p.id(), now)
	const dollars = 1_000
	quote := p.quote.priceAt(now)
	e := &execution{
		signature: solana.Signature(append(digest[:], more[:]...)).String(), wallet: b.addressOn(p.network, "maker", 0),
		slot: int64(b.CurrentSlot()), base: dollars / quote / rate, quote: dollars / quote,
	}
	buy := len(p.executed) == 0 || rate >= p.executed[len(p.executed)-1].rate
	p.executed = append(p.executed, trade{
		pool: p, second: now, buy: buy, execution: e, draw: binary.LittleEndian.Uint64(digest[:8]),
		rate: rate, quote: quote, base: rate * quote, micros: dollars * 1e6,
	})
	clear(p.figures)
}
