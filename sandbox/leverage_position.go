package sandbox

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// The states of a position. One that is only planned has none.
const (
	leverageExecuted   = "EXECUTED"
	leverageClosed     = "CLOSED"
	leverageLiquidated = "LIQUIDATED"
)

// leveragePosition is a bet of a wallet's.
type leveragePosition struct {
	leverageBook
	address string
	owner   solana.PublicKey
	offer   *leverageOffer
	status  string
	opened  time.Time
	ended   time.Time
}

// plan makes a position that a transaction will open, so that its address can
// be told before.
func (l *leverage) plan(owner solana.PublicKey, o *leverageOffer) *leveragePosition {
	key := publicKey(l.keypair(fmt.Sprintf("leverage position %016x", l.random())))
	p := &leveragePosition{address: key.String(), owner: owner, offer: o}
	l.planned = append(l.planned, p)
	return p
}

// enter makes a planned position one that is there.
func (l *leverage) enter(p *leveragePosition, b leverageBook, now time.Time) {
	p.leverageBook, p.status, p.opened = b, leverageExecuted, now
	l.positions = append(l.positions, p)
	l.tick()
}

// end takes a position out. Its debt is settled by whoever calls.
func (p *leveragePosition) end(status string, now time.Time) {
	p.status, p.ended = status, now
	p.leverageBook = leverageBook{collateral: p.collateral, entry: p.entry, invested: p.invested, since: now}
}

// live refuses at execution what is no longer, or not yet, there.
func (p *leveragePosition) live() *ledger.InstructionError {
	if p.status != leverageExecuted {
		return ledger.Custom(6003)
	}
	return nil
}

// current is the book with its interest up to now.
func (l *leverage) current(p *leveragePosition) leverageBook {
	return p.accrued(p.offer, l.now())
}

// mine finds a position that a request names. It must be the user's and open.
func (l *leverage) mine(c *call, address, user string) (*leveragePosition, error) {
	l.settle()
	if _, err := c.key(address, "positionAddress"); err != nil {
		return nil, err
	}
	owner, err := c.key(user, "userPublicKey")
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(l.positions, func(p *leveragePosition) bool { return p.address == address })
	if at < 0 {
		return nil, refuse(http.StatusNotFound, "", "no such position")
	}
	p := l.positions[at]
	if p.owner != owner {
		return nil, leverageBad("the position is not %s's", owner)
	}
	if p.status != leverageExecuted {
		return nil, leverageBad("the position is %s", p.status)
	}
	return p, nil
}

type leveragePositionsRequest struct {
	Owner  string `query:"owner,required"`
	Status string `query:"status" oneof:"EXECUTED CLOSED LIQUIDATED ALL"` // EXECUTED where it is not sent
	Limit  *int   `query:"limit" min:"0"`
	Offset int    `query:"offset" min:"0"`
}

// listPositions lists in the order of opening: as a bare array or in an
// object, figures as numbers or as text.
func (l *leverage) listPositions(c *call, in leveragePositionsRequest) (any, error) {
	l.settle()
	owner, err := c.key(in.Owner, "owner")
	if err != nil {
		return nil, err
	}
	if in.Status == "" {
		in.Status = leverageExecuted
	}
	shape := c.shape(2)
	found := []any{}
	for _, p := range l.positions {
		if p.owner == owner && (in.Status == "ALL" || in.Status == p.status) {
			found = append(found, l.describe(p, shape))
		}
	}
	page := leveragePage(found, in.Offset, in.Limit)
	if shape == 0 {
		return page, nil
	}
	return map[string]any{"positions": page, "total": len(found), "offset": in.Offset}, nil
}

// describe writes a position in one of two shapes. What its address is called
// is not documented either.
func (l *leverage) describe(p *leveragePosition, shape int) any {
	b := l.current(p)
	var r leverageRisk
	if p.status == leverageExecuted {
		r = p.offer.risk(b)
	}
	figures := map[string]any{
		"status": p.status, "side": p.offer.side,
		"unrealizedPnlUsd": leverageFigure(r.pnlUSD, shape), "roiPercent": leverageFigure(r.roiPercent, shape),
		"liquidationPrice": leverageFigure(r.liquidation, shape), "currentLtv": leverageFigure(r.ltv, shape),
		"effectiveLeverage": leverageFigure(r.leverage, shape), "interestAccrued": leverageUnits(b.interest, shape),
		"dailyInterestCost": leverageUnits(r.daily, shape), "entryPrice": leverageFigure(b.entry, shape),
		"currentPrice": leverageFigure(p.offer.price(), shape), "collateralAmount": leverageUnits(b.collateral, shape),
		"borrowedAmount": leverageUnits(b.principal, shape),
		"baseToken":      leverageToken(p.offer.baseToken()), "quoteToken": leverageToken(p.offer.quoteToken()),
	}
	if shape == 0 {
		figures["address"], figures["offerAddress"], figures["openedAt"] = p.address, p.offer.address, p.opened.Unix()
	} else {
		figures["positionAddress"], figures["offer"] = p.address, map[string]any{"address": p.offer.address}
		figures["createdAt"] = p.opened.UTC().Format(time.RFC3339)
	}
	if !p.ended.IsZero() {
		figures["closedAt"] = p.ended.Unix()
	}
	return figures
}
