package leverage

import (
	"fmt"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// The states of a position. One that is only planned has none.
const (
	executed   = "EXECUTED"
	closed     = "CLOSED"
	liquidated = "LIQUIDATED"
)

// position is a bet of a wallet's.
type position struct {
	book
	address string
	owner   solana.PublicKey
	offer   *offer
	status  string
	planned time.Time // when its first transaction was built
	opened  time.Time
	ended   time.Time
}

// plan makes a position that a transaction will open, so that its address can
// be stated before.
func (l *Service) plan(owner solana.PublicKey, o *offer) *position {
	key := build.PublicKey(l.PassingKey(fmt.Sprintf("leverage position %016x", l.Random())))
	p := &position{address: key.String(), owner: owner, offer: o, planned: l.Now()}
	if len(l.planned) >= l.prune {
		l.planned = slices.DeleteFunc(l.planned, func(p *position) bool {
			return p.status != executed && l.Now().Sub(p.planned) > build.InstructionLife
		})
		l.prune = 2*len(l.planned) + 64
	}
	l.planned = append(l.planned, p)
	return p
}

// mostPositions and mostEvents are how many positions and events the service
// remembers, the newest. Open positions stay.
const (
	mostPositions = 4096
	mostEvents    = 4096
)

// forget lets the eldest positions go that have ended.
func (l *Service) forget() {
	surplus := len(l.positions) - mostPositions
	if surplus < mostPositions/8 {
		return
	}
	l.positions = slices.DeleteFunc(slices.Clone(l.positions), func(p *position) bool {
		gone := surplus > 0 && p.status != executed
		if gone {
			surplus--
		}
		return gone
	})
}

// enter makes a planned position one that is there.
func (l *Service) enter(p *position, b book, now time.Time) {
	p.book, p.status, p.opened = b, executed, now
	l.positions = append(l.positions, p)
	l.forget()
	l.tick()
}

// end closes a position. The caller settles its debt.
func (p *position) end(status string, now time.Time) {
	p.status, p.ended = status, now
	p.book = book{collateral: p.collateral, entry: p.entry, invested: p.invested, since: now}
}

// live refuses at execution a position that is not open.
func (p *position) live() { ledger.FailIf(p.status != executed, ledger.Custom(6003)) }

// current is the book with its interest up to now.
func (l *Service) current(p *position) book { return p.accrued(p.offer, l.Now()) }

// mine finds a position that a request names. It must be the user's and open.
func (l *Service) mine(c *kit.Call, address, user string) *position {
	l.settle()
	c.Key(address, "positionAddress")
	owner := c.Key(user, "userPublicKey")
	p := kit.Found(kit.Find(l.positions, func(p *position) bool { return p.address == address }), "no such position")
	kit.BadIf(p.owner != owner, "the position is not %s's", owner)
	kit.BadIf(p.status != executed, "the position is %s", p.status)
	return p
}

// positionRequest names a position and who acts.
type positionRequest struct {
	Position string `body:"positionAddress,required" form:"key"`
	User     string `body:"userPublicKey,required" form:"key"`
}

type positionsRequest struct {
	Owner  string      `query:"owner,required" form:"key"`
	Status string      `query:"status" oneof:"EXECUTED CLOSED LIQUIDATED ALL"` // EXECUTED if it is not sent
	Limit  *kit.Number `query:"limit"`
	Offset kit.Number  `query:"offset"`
}

// listPositions lists in the order of opening: as a bare array or in an
// object, figures as numbers or as text.
func (l *Service) listPositions(c *kit.Call, in positionsRequest) any {
	l.settle()
	owner := c.Key(in.Owner, "owner")
	if in.Status == "" {
		in.Status = executed
	}
	shape := c.Shape(2)
	found := []any{}
	for _, p := range l.positions {
		if p.owner == owner && (in.Status == "ALL" || in.Status == p.status) {
			found = append(found, l.describe(p, shape))
		}
	}
	page := kit.Page(found, in.Offset, in.Limit, pageSize)
	if shape == 0 {
		return page
	}
	return map[string]any{"positions": page, "total": len(found), "offset": in.Offset}
}

// describe writes a position in one of two shapes. What its address is called
// is not documented either.
func (l *Service) describe(p *position, shape int) any {
	b := l.current(p)
	var r risk
	if p.status == executed {
		r = p.offer.risk(b)
	}
	figures := map[string]any{
		"status": p.status, "side": p.offer.side,
		"unrealizedPnlUsd": figure(r.pnlUSD, shape), "roiPercent": figure(r.roiPercent, shape),
		"liquidationPrice": figure(r.liquidation, shape), "currentLtv": figure(r.ltv, shape),
		"effectiveLeverage": figure(r.leverage, shape), "interestAccrued": units(b.interest, shape),
		"dailyInterestCost": units(r.daily, shape), "entryPrice": figure(b.entry, shape),
		"currentPrice": figure(p.offer.price(), shape), "collateralAmount": units(b.collateral, shape),
		"borrowedAmount": units(b.principal, shape),
		"baseToken":      token(p.offer.baseToken()), "quoteToken": token(p.offer.quoteToken()),
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
