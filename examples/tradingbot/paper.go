package main

import (
	"context"
	"math/big"
	"time"

	"github.com/walletfi/walletfi-go"
)

// paper is the broker of a backtest: it fills at the candle's close, worse by what the
// spread and a swap's fee cost on average.
type paper struct {
	log  *ledgerLog
	last prices
}

var (
	paperSpread = walletfi.MustDecimal("0.015")  // USDC, half the spread of a prediction market
	paperFee    = walletfi.MustDecimal("0.0006") // of a swap, a share
)

const paperGas = 5_000 // lamports

func (p *paper) trade(_ context.Context, o order) error {
	if err := p.log.write(event{Order: &o}); err != nil {
		return err
	}
	i := p.log.book.known[o.Instrument]
	c := change{Fee: paperGas, Lamports: -paperGas - int64(o.Tip), Tokens: map[string]int64{}}
	s := settlement{Key: o.Key, Outcome: confirmed, At: o.At}
	if o.Side != prepare {
		price := paperPrice(i, o.Side, p.last[o.Instrument])
		units, usdc := int64(o.Amount), int64(o.Amount)
		if o.Side == buy {
			units, usdc = int64(bought(o.Amount, price, i.Decimals)), -usdc
		} else {
			units, usdc = -units, worth(o.Amount, price, i.Decimals)
		}
		c.Tokens[p.log.book.usdc] = usdc
		if i.isSOL() {
			c.Lamports += units
		} else {
			c.Tokens[i.Mint] = units
		}
	}
	s.Changes = []change{c}
	return p.log.write(event{Settled: &s})
}

func (p *paper) settle(context.Context) error { return nil }

func (p *paper) pause(context.Context, time.Duration) error { return nil }

// paperPrice is the price that a taker pays or gets.
func paperPrice(i instrument, s side, price walletfi.Decimal) walletfi.Decimal {
	off := paperSpread
	if i.isSOL() {
		off = price.Mul(paperFee)
	}
	if s == buy {
		return price.Add(off)
	}
	return price.Sub(off)
}

// bought is how many units an amount of USDC buys, rounded down.
func bought(usdc walletfi.Amount, price walletfi.Decimal, decimals int) walletfi.Amount {
	n := new(big.Rat).SetInt(new(big.Int).SetUint64(uint64(usdc)))
	n.Quo(n, price.Rat())
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	n.Mul(n, new(big.Rat).SetFrac(scale, big.NewInt(1_000_000)))
	return walletfi.Amount(new(big.Int).Quo(n.Num(), n.Denom()).Uint64())
}
