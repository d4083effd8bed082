package sandbox

import (
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// leverageEvent is something that happened to a position.
type leverageEvent struct {
	kind      string
	position  string
	owner     solana.PublicKey
	offer     *leverageOffer
	at        time.Time
	price     float64
	amount    uint64 // put in or paid out, smallest units of what was moved
	pnlUSD    float64
	signature string // empty for a liquidation, which no transaction of the owner's made
}

func (l *leverage) record(kind string, p *leveragePosition, amount uint64, pnlUSD float64, r *ledger.Receipt) {
	e := leverageEvent{
		kind: kind, position: p.address, owner: p.owner, offer: p.offer, at: l.now(),
		price: p.offer.price(), amount: amount, pnlUSD: pnlUSD,
	}
	if r != nil {
		e.at, e.signature = r.Time, r.Signature.String()
	}
	l.events = append(l.events, e)
}

type leverageHistoryRequest struct {
	Owner    string `query:"owner,required"`
	Position string `query:"positionAddress"`
	Kind     string `query:"eventType" oneof:"OPEN CLOSE LIQUIDATION SPLIT MERGE REPAY"`
	Limit    *int   `query:"limit" min:"0"`
	Offset   int    `query:"offset" min:"0"`
}

// tradeHistory lists the newest first, as a bare array or in an object: the
// fields of an event are not documented.
func (l *leverage) tradeHistory(c *call, in leverageHistoryRequest) (any, error) {
	l.settle()
	owner, err := c.key(in.Owner, "owner")
	if err != nil {
		return nil, err
	}
	shape := c.shape(2)
	found := []any{}
	for _, e := range slices.Backward(l.events) {
		if e.owner == owner && (in.Position == "" || in.Position == e.position) && (in.Kind == "" || in.Kind == e.kind) {
			found = append(found, e.describe(shape))
		}
	}
	page := leveragePage(found, in.Offset, in.Limit)
	if shape == 0 {
		return page, nil
	}
	return map[string]any{"events": page, "total": len(found)}, nil
}

func (e leverageEvent) describe(shape int) any {
	if shape == 0 {
		return map[string]any{
			"eventType": e.kind, "positionAddress": e.position, "side": e.offer.side, "timestamp": e.at.Unix(),
			"price": e.price, "amount": e.amount, "pnlUsd": e.pnlUSD, "signature": e.signature,
		}
	}
	return map[string]any{
		"type": e.kind, "position": e.position, "createdAt": e.at.UTC().Format(time.RFC3339),
		"executionPrice": leverageFigure(e.price, shape), "size": leverageUnits(e.amount, shape),
		"realizedPnlUsd": leverageFigure(e.pnlUSD, shape), "txSignature": e.signature,
	}
}
