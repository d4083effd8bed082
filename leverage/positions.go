package leverage

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"iter"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/jsontext"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// PositionStatus is the status of a position.
type PositionStatus string

// The statuses. PositionsRequest also takes StatusAll.
const (
	StatusExecuted   PositionStatus = "EXECUTED" // open
	StatusClosed     PositionStatus = "CLOSED"
	StatusLiquidated PositionStatus = "LIQUIDATED"
	StatusAll        PositionStatus = "ALL"
)

func init() { wire.Words(StatusExecuted, StatusClosed, StatusLiquidated) }

// Position is a leveraged position with the risk that the service computes, which of one that is
// no longer open may be null: LiquidationPrice, CurrentLTV, EffectiveLeverage and
// DailyInterestCost are then the zero value, which is not 0. Its
// other fields are not documented; they are in Raw.
type Position struct {
	// Address is the service's positionAddress too; empty if it comes under another name.
	Address           string           `json:"address" wire:"strict,optional,key,opaque,identity"`
	Status            PositionStatus   `json:"status" wire:"strict,decides,optional"`
	UnrealizedPnLUSD  walletfi.Decimal `json:"unrealizedPnlUsd" wire:"said"`
	ROIPercent        walletfi.Decimal `json:"roiPercent" wire:"said"`
	LiquidationPrice  walletfi.Decimal `json:"liquidationPrice" wire:"said,null,min=0"`
	CurrentLTV        walletfi.Decimal `json:"currentLtv" wire:"said,null,min=0"`
	EffectiveLeverage walletfi.Decimal `json:"effectiveLeverage" wire:"said,null,min=0"`
	InterestAccrued   walletfi.Decimal `json:"interestAccrued" wire:"said,min=0"`
	DailyInterestCost walletfi.Decimal `json:"dailyInterestCost" wire:"said,null,min=0"`
	EntryPrice        walletfi.Decimal `json:"entryPrice" wire:"said,min=0"`
	CurrentPrice      walletfi.Decimal `json:"currentPrice" wire:"said,min=0"`
	CollateralAmount  walletfi.Decimal `json:"collateralAmount" wire:"said,min=0"`
	BorrowedAmount    walletfi.Decimal `json:"borrowedAmount" wire:"said,min=0"`
	BaseToken         *Token           `json:"baseToken" wire:"once"`
	QuoteToken        *Token           `json:"quoteToken" wire:"once"`

	Raw walletfi.Document `json:"-" wire:"raw"`
}

// UnmarshalJSON keeps the position as it arrived in Raw.
func (p *Position) UnmarshalJSON(b []byte) error {
	return wire.Decode(b, p)
}

func init() { wire.Reader(readPosition) }

func readPosition(s *wire.Scanner, p *Position) error {
	if err := wire.Fields(s, p); err != nil {
		return err
	}
	eachOf(p.Raw, []string{"positionAddress"}, func(name string, value []byte) {
		if string(value) == "null" || string(value) == `""` {
			return
		}
		if value[0] != '"' {
			wire.Breaks[Position](s, name, wire.OfNoKind)
			return
		}
		switch other := string(jsontext.Unquote(value)); {
		case p.Address == "":
			p.Address = other
			wire.Opaque[Position](s, name, other)
		case other != p.Address:
			wire.Breaks[Position](s, name, wire.Repeated) // which of the two it is, is not known
		}
	})
	if p.Status != StatusClosed && p.Status != StatusLiquidated {
		p.hasRisks(s)
	}
	eachOf(p.Raw, ownerNames, func(name string, value []byte) {
		if value[0] != '"' && value[0] != 'n' {
			wire.Breaks[Position](s, name, wire.OfNoKind)
		}
	})
	return nil
}

// hasRisks reports each risk that is null, which is no answer of an open position.
func (p *Position) hasRisks(s *wire.Scanner) {
	risks := [...]walletfi.Decimal{p.LiquidationPrice, p.CurrentLTV, p.EffectiveLeverage, p.DailyInterestCost}
	for i, name := range [...]string{"liquidationPrice", "currentLtv", "effectiveLeverage", "dailyInterestCost"} {
		if risks[i].IsZero() && isNull(p.Raw, name) {
			wire.Lacks[Position](s, name)
		}
	}
}

func isNull(record walletfi.Document, name string) bool {
	said, _ := wire.Members(record)
	return string(said[name]) == "null"
}

// PositionsRequest selects a wallet's positions.
type PositionsRequest struct {
	Owner  string         `url:"owner"`            // wallet; required
	Status PositionStatus `url:"status,omitempty"` // empty lets the service decide
	Limit  *int           `url:"limit,omitempty"`  // nil lets the service decide
	Offset *int           `url:"offset,omitempty"`
}

// PositionPage is one page of positions. The service answers with an array, or
// with an object that holds one; Raw is the whole answer.
type PositionPage struct {
	Items []Position
	Raw   walletfi.Document
}

// MarshalJSON returns the answer as it came.
func (p PositionPage) MarshalJSON() ([]byte, error) { return p.Raw.MarshalJSON() }

// UnmarshalJSON reads an array, or an object with an array of positions.
func (p *PositionPage) UnmarshalJSON(b []byte) error {
	return wire.Decode(b, p)
}

func init() {
	wire.Reader(func(s *wire.Scanner, p *PositionPage) error { return readList(s, &p.Items, &p.Raw, "positions") })
}

// ListPositions returns one page of a wallet's positions. If req.Status was asked for, a position
// that does not say its own is returned with a [*walletfi.UnreadError].
//
// GET /api/v1/positions.
func (c *Client) ListPositions(
	ctx context.Context, req PositionsRequest, opts ...walletfi.CallOption,
) (*PositionPage, error) {
	path := transport.Path("/api/v1/positions")
	page, err := listPage[PositionPage](ctx, c, "ListPositions", "positions", path, req, opts)
	if page == nil || req.status() == "" {
		return page, err
	}
	return page, unfiltered(err, "positions", "status", page.Items, func(p Position) (bool, walletfi.Document) {
		return p.Status != "", p.Raw
	})
}

// AllPositions iterates over a wallet's positions from req.Offset on, until a
// page is empty.
func (c *Client) AllPositions(
	ctx context.Context, req PositionsRequest, opts ...walletfi.CallOption,
) iter.Seq2[Position, error] {
	return untilEmpty(req.Offset, req.Limit, func(offset, limit *int) ([]Position, error) {
		req := req
		req.Offset, req.Limit = offset, limit
		page, err := c.ListPositions(ctx, req, opts...)
		if page == nil {
			return nil, err
		}
		return page.Items, err
	})
}

// status is the one that was asked for. StatusAll filters nothing.
func (r PositionsRequest) status() PositionStatus {
	if r.Status == StatusAll {
		return ""
	}
	return r.Status
}

// mismatch holds the positions against the filters.
func (r PositionsRequest) mismatch(page *PositionPage) error {
	status := r.status()
	return echo.Each(page.Items, func(p Position) error {
		return cmp.Or(
			owned(p.Raw, "positions", r.Owner),
			echo.Word("positions.status", status, p.Status, StatusExecuted, StatusClosed, StatusLiquidated),
		)
	})
}

// owned holds a record against the owner that was asked for, under the names that it may have,
// each time that it has one.
func owned(record walletfi.Document, list, owner string) (mismatch error) {
	eachOf(record, ownerNames, func(name string, value []byte) {
		var said string
		_ = json.Unmarshal(value, &said) // of another kind, which was said
		mismatch = cmp.Or(mismatch, echo.Text(list+"."+name, owner, said))
	})
	return mismatch
}

// eachOf calls yield with each member of a record that has one of the names, in any case.
func eachOf(record walletfi.Document, names []string, yield func(name string, value []byte)) {
	if !bytes.HasPrefix(record, []byte("{")) {
		return
	}
	_, _ = jsontext.Members(record, 0, func(from, to, at int) (int, error) {
		end, is := jsontext.ValueEnd(record, at), jsontext.Unquote(record[from:to])
		for _, name := range names {
			if bytes.EqualFold(is, []byte(name)) {
				yield(name, record[at:end])
			}
		}
		return end, nil
	})
}

var ownerNames = []string{"owner", "userPublicKey"}

func (r PositionsRequest) problem() error {
	return check.All(
		pageProblem(r.Owner, r.Limit, r.Offset),
		check.OptionalOneOf("status", r.Status, StatusExecuted, StatusClosed, StatusLiquidated, StatusAll),
	)
}
