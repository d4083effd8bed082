package onchaindata

import (
	"encoding/binary"
	"math"

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

func whole(amount uint64, decimals uint8) float64 {
	return float64(amount) / math.Pow10(int(decimals))
}
