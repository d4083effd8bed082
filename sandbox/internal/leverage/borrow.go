package leverage

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

type increaseRequest struct {
	positionRequest
	Amount   amount  `body:"additionalBorrowAmount,required"`
	Mode     string  `body:"mode,required" oneof:"withdraw compound"`
	Slippage *uint64 `body:"slippageBps" max:"10000"`
	Tip      uint64  `body:"relayTipLamports"`
}

// previewRequest is the input of a preview. It is undocumented: any field is
// accepted, and the fields of the builder of the same name are used.
type previewRequest struct {
	Whole json.RawMessage `body:"*"`
}

type previewFields struct {
	Position, User     string
	Amount, Collateral amount
	Mode               string // to withdraw, or anything else
}

// increased is the book after borrowing more. The loan is paid out, or, less the
// fee, invested in holdings.
func (o *offer) increased(b book, amount uint64, mode string) book {
	b.principal += amount
	value := build.Worth(o.borrowed(), amount, o.quoteToken())
	if mode == "withdraw" {
		b.invested -= int64(value)
		return b
	}
	b.holdings += build.Worth(o.quoteToken(), value-shareOf(value, feeBps), o.held())
	return b
}

// lends refuses a book that has borrowed more than the offer has, or than its
// leverage allows.
func (o *offer) lends(b book, amount uint64) error {
	switch {
	case amount > o.liquidity:
		return kit.Bad("the offer has %d left to lend", o.liquidity)
	case o.risk(b).leverage > o.maxLeverage || o.value(b) <= o.cost(b):
		return kit.Bad("the leverage would be above %v", o.maxLeverage)
	}
	return nil
}

// increaseBorrow builds the transaction that borrows more on a position.
func (l *Service) increaseBorrow(c *kit.Call, in increaseRequest) any {
	p := l.mine(c, in.Position, in.User)
	o, amount := p.offer, uint64(in.Amount)
	planned := o.increased(l.current(p), amount, in.Mode)
	kit.Check(o.lends(planned, amount))
	minimum := least(planned.holdings-p.holdings, in.Slippage)
	order := order{
		owner: p.owner, tip: in.Tip, change: increasing{l, p, amount, in.Mode, minimum},
	}
	if in.Mode == "withdraw" {
		order.receives = []sum{{o.borrowed(), amount}}
	}
	return l.answer(order)
}

// increasing borrows more on a position.
type increasing struct {
	l       *Service
	p       *position
	amount  uint64
	mode    string
	minimum uint64 // holdings more
}

func (x increasing) check() {
	x.p.live()
	o := x.p.offer
	b := o.increased(x.l.current(x.p), x.amount, x.mode)
	ledger.FailIf(o.lends(b, x.amount) != nil, ledger.Custom(6001))
	ledger.FailIf(b.holdings-x.p.holdings < x.minimum, ledger.Custom(6004))
}

func (x increasing) apply(*ledger.Receipt) {
	x.p.book = x.p.offer.increased(x.l.current(x.p), x.amount, x.mode)
	x.p.offer.liquidity -= x.amount
}

func (l *Service) increaseBorrowQuote(c *kit.Call, in previewRequest) any {
	p, fields := l.previewed(c, in)
	before := l.current(p)
	after := p.offer.increased(before, uint64(fields.Amount), fields.Mode)
	kit.Check(p.offer.lends(after, uint64(fields.Amount)))
	return p.offer.compared(before, after, c.Shape(2))
}

// previewed reads what a preview is about.
func (l *Service) previewed(c *kit.Call, in previewRequest) (*position, previewFields) {
	var sent map[string]any
	dec := json.NewDecoder(bytes.NewReader(in.Whole))
	dec.UseNumber()
	dec.Decode(&sent) // what is no object has no fields
	text := func(name string) string { return fmt.Sprint(sent[name]) }
	number := func(name string) amount {
		n, _ := strconv.ParseUint(text(name), 10, 64) // 0 if there is none to be read
		return amount(n)
	}
	fields := previewFields{
		Position: text("positionAddress"), User: text("userPublicKey"), Mode: text("mode"),
		Amount: number("additionalBorrowAmount"), Collateral: number("collateralAmount"),
	}
	return l.mine(c, fields.Position, fields.User), fields
}

// compared writes the risk before and after, in one of two shapes.
func (o *offer) compared(before, after book, shape int) any {
	write := func(b book) map[string]any {
		r := o.risk(b)
		return map[string]any{
			"ltv": figure(r.ltv, shape), "liquidationPrice": figure(r.liquidation, shape),
			"effectiveLeverage": figure(r.leverage, shape), "borrowedAmount": units(b.principal, shape),
			"collateralAmount": units(b.collateral, shape),
		}
	}
	if shape == 0 {
		return map[string]any{"current": write(before), "projected": write(after)}
	}
	figures := write(after)
	figures["previousLtv"] = figure(o.risk(before).ltv, shape)
	return map[string]any{"quote": figures}
}
