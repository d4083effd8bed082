package leverage

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// book is the debt and the holdings of a position. Debt is in the borrowed
// token, holdings in the held one, the rest in the quote token; all in
// smallest units.
type book struct {
	collateral uint64
	principal  uint64
	interest   uint64  // accrued up to since
	fraction   float64 // of a smallest unit of interest
	holdings   uint64
	invested   int64   // what the owner put in, less what was taken out
	entry      float64 // price of a whole base token in whole quote tokens
	since      time.Time
}

func (b book) debt() uint64 { return b.principal + b.interest }

// accrued is the book with the interest up to now.
func (b book) accrued(o *offer, now time.Time) book {
	if now.After(b.since) {
		years := now.Sub(b.since).Hours() / (365 * 24)
		whole, fraction := math.Modf(float64(b.principal)*o.ratePercent/100*years + b.fraction)
		b.interest += uint64(whole)
		b.fraction, b.since = fraction, now
	}
	return b
}

// pay subtracts a payment from the interest, then from the principal, and
// returns both parts. An excess counts as interest.
func (b *book) pay(amount uint64) (principal, interest uint64) {
	interest = min(amount, b.interest)
	principal = min(amount-interest, b.principal)
	b.interest -= interest
	b.principal -= principal
	return principal, amount - principal
}

// portion splits the book into a share of it and the rest. No unit is lost.
func (b book) portion(bps uint64) (share, rest book) {
	share, rest = b, b
	share.collateral, share.principal = shareOf(b.collateral, bps), shareOf(b.principal, bps)
	share.interest, share.holdings = shareOf(b.interest, bps), shareOf(b.holdings, bps)
	share.invested = int64(float64(b.invested) * float64(bps) / 10_000)
	share.fraction = 0
	rest.collateral -= share.collateral
	rest.principal -= share.principal
	rest.interest -= share.interest
	rest.holdings -= share.holdings
	rest.invested -= share.invested
	return share, rest
}

// merged is both books in one. The entry price is the mean, by holdings.
func (b book) merged(other book) book {
	weight := float64(b.holdings) / float64(b.holdings+other.holdings)
	b.entry = b.entry*weight + other.entry*(1-weight)
	b.collateral += other.collateral
	b.principal += other.principal
	b.interest += other.interest
	b.fraction += other.fraction
	b.holdings += other.holdings
	b.invested += other.invested
	return b
}

// opened is the book of a position that is opened now, and the fee, in quote
// units. The leverage is in millionths.
func (o *offer) opened(collateral, millionths uint64, now time.Time) (b book, fee uint64) {
	quote, borrowed := o.quoteToken(), o.borrowed()
	b.principal = build.Worth(quote, build.Share(collateral, millionths-1_000_000, 1_000_000), borrowed)
	size := collateral + build.Worth(borrowed, b.principal, quote)
	fee = shareOf(size, feeBps)
	b.holdings = build.Worth(quote, size-fee, o.held())
	b.collateral, b.invested = collateral, int64(collateral)
	b.entry, b.since = o.price(), now
	return b, fee
}

// closed returns the proceeds of closing a position now, and the fee, in quote
// units: the holdings, less the debt, less a fee of what is traded.
func (o *offer) closed(b book) (proceeds, fee uint64) {
	value, cost := o.value(b), o.cost(b)
	traded := value
	if o.side == "SHORT" {
		traded = cost
	}
	fee = shareOf(traded, feeBps)
	return less(value, cost+fee), fee
}

// value returns the value of the holdings, in quote units.
func (o *offer) value(b book) uint64 { return build.Worth(o.held(), b.holdings, o.quoteToken()) }

// cost returns the price of paying the debt, in quote units.
func (o *offer) cost(b book) uint64 { return build.Worth(o.borrowed(), b.debt(), o.quoteToken()) }

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

// amount is a positive integer of smallest units, written as a string.
type amount uint64

// UnmarshalJSON reads an amount.
func (a *amount) UnmarshalJSON(raw []byte) error {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n == 0 || !kit.IsInteger(text) {
		return fmt.Errorf("%q is not a positive integer", text)
	}
	*a = amount(n)
	return nil
}

// shareOf is a share in hundredths of a percent.
func shareOf(n, bps uint64) uint64 { return build.Share(n, bps, 10_000) }

// less is a-b, or 0 if b is more.
func less(a, b uint64) uint64 { return a - min(a, b) }

// figure writes a computed number: in the one shape as a number, in
// the other as text.
func figure(x float64, shape int) any {
	if shape == 0 {
		return x
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// units writes an amount likewise.
func units(n uint64, shape int) any {
	if shape == 0 {
		return n
	}
	return strconv.FormatUint(n, 10)
}

// pageSize is how many records a page has by default.
const pageSize = 100

// tick is how often interest alone may liquidate a position.
const tick = time.Hour

// settle liquidates every position whose debt has come too close to what it
// holds. The lender gets the holdings, whatever they are worth; the owner gets
// nothing.
func (l *Service) settle() {
	for _, p := range l.positions {
		if p.status != executed {
			continue
		}
		b := l.current(p)
		risk := p.offer.risk(b)
		if risk.ltv < liquidationLTV && (b.debt() == 0 || p.offer.value(b) > 0) {
			continue
		}
		recovered := min(b.debt(), build.Worth(p.offer.held(), b.holdings, p.offer.borrowed()))
		p.offer.liquidity += recovered
		l.record("LIQUIDATION", p, recovered, p.offer.usd(-float64(b.invested)), nil)
		p.end(liquidated, l.Now())
	}
}

// tick settles by the hour while there is anything to be settled.
func (l *Service) tick() {
	if l.ticking {
		return
	}
	l.ticking = true
	l.After(tick, hour{l})
}

// hour is when an hour's interest is due.
type hour struct{ l *Service }

// Happen settles.
func (h hour) Happen() {
	h.l.ticking = false
	h.l.settle()
	for _, p := range h.l.positions {
		if p.status == executed {
			h.l.tick()
			return
		}
	}
}
