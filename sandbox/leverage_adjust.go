package sandbox

import (
	"encoding/json"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

type leverageIncreaseRequest struct {
	Position string         `body:"positionAddress,required"`
	User     string         `body:"userPublicKey,required"`
	Amount   leverageAmount `body:"additionalBorrowAmount,required"`
	Mode     string         `body:"mode,required" oneof:"withdraw compound"`
	Slippage *uint64        `body:"slippageBps" min:"0" max:"10000"`
	Tip      uint64         `body:"relayTipLamports"`
}

type leverageAddRequest struct {
	Position   string         `body:"positionAddress,required"`
	User       string         `body:"userPublicKey,required"`
	Collateral leverageAmount `body:"collateralAmount,required"`
	Tip        uint64         `body:"relayTipLamports"`
}

// leveragePreviewRequest is what a preview may be sent, which is not
// documented: anything. What the builder of the same name takes is understood.
type leveragePreviewRequest struct {
	Whole json.RawMessage `body:"*"`
}

type leveragePreviewFields struct {
	Position   string         `json:"positionAddress"`
	User       string         `json:"userPublicKey"`
	Amount     leverageAmount `json:"additionalBorrowAmount"`
	Mode       string         `json:"mode"`
	Collateral leverageAmount `json:"collateralAmount"`
}

// increased is the book after borrowing more: taken out, or put into more
// holdings, less the fee.
func (o *leverageOffer) increased(b leverageBook, amount uint64, mode string) leverageBook {
	b.principal += amount
	value := worth(o.borrowed(), amount, o.quoteToken())
	if mode == "withdraw" {
		b.invested -= int64(value)
		return b
	}
	b.holdings += worth(o.quoteToken(), value-leverageBps(value, leverageFeeBps), o.held())
	return b
}

// added is the book after adding collateral, which goes into the holdings.
func (o *leverageOffer) added(b leverageBook, amount uint64) leverageBook {
	b.collateral += amount
	b.invested += int64(amount)
	b.holdings += worth(o.quoteToken(), amount, o.held())
	return b
}

// lends refuses a book that has borrowed more than the offer has, or than its
// leverage allows.
func (o *leverageOffer) lends(b leverageBook, amount uint64) error {
	switch {
	case amount > o.liquidity:
		return leverageBad("the offer has %d left to lend", o.liquidity)
	case o.risk(b).leverage > o.maxLeverage || o.value(b) <= o.cost(b):
		return leverageBad("the leverage would be above %v", o.maxLeverage)
	}
	return nil
}

// increaseBorrow builds what borrows more on a position.
func (l *leverage) increaseBorrow(c *call, in leverageIncreaseRequest) (*leverageBuilt, error) {
	p, err := l.mine(c, in.Position, in.User)
	if err != nil {
		return nil, err
	}
	o, amount := p.offer, uint64(in.Amount)
	planned := o.increased(l.current(p), amount, in.Mode)
	if err := o.lends(planned, amount); err != nil {
		return nil, err
	}
	minimum := leverageLeast(planned.holdings-p.holdings, in.Slippage)
	order := leverageOrder{
		owner: p.owner, tip: in.Tip,
		check: func() *ledger.InstructionError {
			if err := p.live(); err != nil {
				return err
			}
			b := o.increased(l.current(p), amount, in.Mode)
			if o.lends(b, amount) != nil {
				return ledger.Custom(6001)
			}
			if b.holdings-p.holdings < minimum {
				return ledger.Custom(6004)
			}
			return nil
		},
		apply: func(*ledger.Receipt) {
			p.leverageBook = o.increased(l.current(p), amount, in.Mode)
			o.liquidity -= amount
		},
	}
	if in.Mode == "withdraw" {
		order.receives = []leverageSum{{o.borrowed(), amount}}
	}
	return l.answer(order)
}

// addCollateral builds what puts more collateral into a position.
func (l *leverage) addCollateral(c *call, in leverageAddRequest) (*leverageBuilt, error) {
	p, err := l.mine(c, in.Position, in.User)
	if err != nil {
		return nil, err
	}
	sum := leverageSum{p.offer.quoteToken(), uint64(in.Collateral)}
	if err := l.affords(p.owner, sum); err != nil {
		return nil, err
	}
	return l.answer(leverageOrder{
		owner: p.owner, pays: []leverageSum{sum}, tip: in.Tip, check: p.live,
		apply: func(*ledger.Receipt) { p.leverageBook = p.offer.added(l.current(p), sum.amount) },
	})
}

func (l *leverage) increaseBorrowQuote(c *call, in leveragePreviewRequest) (any, error) {
	p, fields, err := l.previewed(c, in)
	if err != nil {
		return nil, err
	}
	before := l.current(p)
	after := p.offer.increased(before, uint64(fields.Amount), fields.Mode)
	if fields.Amount == 0 || fields.Mode != "withdraw" && fields.Mode != "compound" {
		return nil, leverageBad("additionalBorrowAmount and mode are needed")
	}
	if err := p.offer.lends(after, uint64(fields.Amount)); err != nil {
		return nil, err
	}
	return p.offer.compared(before, after, c.shape(2)), nil
}

func (l *leverage) addCollateralQuote(c *call, in leveragePreviewRequest) (any, error) {
	p, fields, err := l.previewed(c, in)
	if err != nil {
		return nil, err
	}
	if fields.Collateral == 0 {
		return nil, leverageBad("collateralAmount is needed")
	}
	before := l.current(p)
	return p.offer.compared(before, p.offer.added(before, uint64(fields.Collateral)), c.shape(2)), nil
}

// previewed reads what a preview is about.
func (l *leverage) previewed(c *call, in leveragePreviewRequest) (*leveragePosition, leveragePreviewFields, error) {
	var fields leveragePreviewFields
	if err := json.Unmarshal(in.Whole, &fields); err != nil {
		return nil, fields, leverageBad("the body cannot be read")
	}
	p, err := l.mine(c, fields.Position, fields.User)
	return p, fields, err
}

// compared writes the risk before and after, in one of two shapes.
func (o *leverageOffer) compared(before, after leverageBook, shape int) any {
	write := func(b leverageBook) map[string]any {
		r := o.risk(b)
		return map[string]any{
			"ltv": leverageFigure(r.ltv, shape), "liquidationPrice": leverageFigure(r.liquidation, shape),
			"effectiveLeverage": leverageFigure(r.leverage, shape), "borrowedAmount": leverageUnits(b.principal, shape),
			"collateralAmount": leverageUnits(b.collateral, shape),
		}
	}
	if shape == 0 {
		return map[string]any{"current": write(before), "projected": write(after)}
	}
	figures := write(after)
	figures["previousLtv"] = leverageFigure(o.risk(before).ltv, shape)
	return map[string]any{"quote": figures}
}
