package leverage

import (
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// event is something that happened to a position.
type event struct {
	kind      string
	position  string
	owner     solana.PublicKey
	offer     *offer
	at        time.Time
	price     float64
	amount    uint64 // put in or paid out, smallest units of what was moved
	pnlUSD    float64
	signature string // empty for a liquidation, which no transaction of the owner's made
}

func (l *Service) record(kind string, p *position, amount uint64, pnlUSD float64, r *ledger.Receipt) {
	e := event{
		kind: kind, position: p.address, owner: p.owner, offer: p.offer, at: l.Now(),
		price: p.offer.price(), amount: amount, pnlUSD: pnlUSD,
	}
	if r != nil {
		e.at, e.signature = r.Time, r.Signature.String()
	}
	l.events = kit.Newest(append(l.events, e), mostEvents)
}

type historyRequest struct {
	Owner    string      `query:"owner,required" form:"key"`
	Position string      `query:"positionAddress" form:"key"`
	Kind     string      `query:"eventType" oneof:"OPEN CLOSE LIQUIDATION SPLIT MERGE REPAY"`
	Limit    *kit.Number `query:"limit"`
	Offset   kit.Number  `query:"offset"`
}

// tradeHistory lists the newest first, as a bare array or in an object: the
// fields of an event are not documented.
func (l *Service) tradeHistory(c *kit.Call, in historyRequest) any {
	l.settle()
	owner := c.Key(in.Owner, "owner")
	shape := c.Shape(2)
	found := []any{}
	for _, e := range slices.Backward(l.events) {
		if e.owner == owner && (in.Position == "" || in.Position == e.position) && (in.Kind == "" || in.Kind == e.kind) {
			found = append(found, e.describe(shape))
		}
	}
	page := kit.Page(found, in.Offset, in.Limit, pageSize)
	if shape == 0 {
		return page
	}
	return map[string]any{"events": page, "total": len(found)}
}

func (e event) describe(shape int) any {
	if shape == 0 {
		return map[string]any{
			"eventType": e.kind, "positionAddress": e.position, "side": e.offer.side, "timestamp": e.at.Unix(),
			"price": e.price, "amount": e.amount, "pnlUsd": e.pnlUSD, "signature": e.signature,
		}
	}
	return map[string]any{
		"type": e.kind, "position": e.position, "createdAt": e.at.UTC().Format(time.RFC3339),
		"executionPrice": figure(e.price, shape), "size": units(e.amount, shape),
		"realizedPnlUsd": figure(e.pnlUSD, shape), "txSignature": e.signature,
	}
}
