package leverage

import (
	"math"
)

// risk has the computed figures of a position. Prices are of a whole base token
// in whole quote tokens.
type risk struct {
	ltv, leverage, liquidation, price float64
	pnlUSD, roiPercent                float64
	daily                             uint64 // interest, in units of the borrowed token
}

// risk computes the figures at the present price.
func (o *offer) risk(b book) risk {
	value, cost := float64(o.value(b)), float64(o.cost(b))
	r := risk{
		price: o.price(), liquidation: o.liquidationPrice(b),
		daily: uint64(float64(b.principal) * o.ratePercent / 100 / 365),
	}
	if value > 0 {
		r.ltv = cost / value
	}
	if value > cost {
		r.leverage = value / (value - cost)
	}
	gain := value - cost - float64(b.invested)
	r.pnlUSD = o.usd(gain)
	if b.collateral > 0 {
		r.roiPercent = gain / float64(b.collateral) * 100
	}
	return r
}

// usd is an amount of quote units in dollars.
func (o *offer) usd(quote float64) float64 {
	t := o.quoteToken()
	return quote / math.Pow10(int(t.Decimals)) * float64(t.Price) / 1e6
}

// liquidationPrice is the price at which debt by holdings is too much: below
// the entry of a long, above that of a short, 0 if there is no debt.
func (o *offer) liquidationPrice(b book) float64 {
	debt := float64(b.debt()) / math.Pow10(int(o.borrowed().Decimals))
	holdings := float64(b.holdings) / math.Pow10(int(o.held().Decimals))
	if debt == 0 || holdings == 0 {
		return 0
	}
	if o.side == "LONG" {
		return debt / (holdings * liquidationLTV)
	}
	return holdings * liquidationLTV / debt
}
