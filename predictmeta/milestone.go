package predictmeta

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Milestone is something that moved an event's probability.
type Milestone struct {
	Name              string           `json:"name" wire:"said,identity"`
	Timestamp         walletfi.Time    `json:"timestamp" wire:"free,identity"`
	ProbabilityBefore walletfi.Decimal `json:"probability_before" wire:"free,min=0,max=1"`
	ProbabilityAfter  walletfi.Decimal `json:"probability_after" wire:"free,min=0,max=1"`
	VolumeSpike       *int64           `json:"volume_spike" wire:"free"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// Milestones are the milestones of one event.
type Milestones struct {
	Ticker     string      `json:"ticker" wire:"decides,optional"` // of the event
	Milestones []Milestone `json:"milestones" wire:"records"`

	// Raw is the whole answer of GetMilestonesByMint, whose shape is not
	// documented. It is decoded with the shape of GetMilestones's answer.
	Raw walletfi.Document `json:"-"`
}

// GetMilestones returns the milestones of an event.
//
// GET /api/v1/milestones/{ticker}.
func (c *Client) GetMilestones(
	ctx context.Context, eventTicker string, opts ...walletfi.CallOption,
) (*Milestones, error) {
	return transport.Do[Milestones](ctx, c.made().t, transport.Call{
		Op: "GetMilestones", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Says("milestones:items", "ticker"),
		Echo:   transport.Echo(func(m *Milestones) error { return echo.Name("ticker", eventTicker, m.Ticker) }),
		Path:   transport.Path("/api/v1/milestones/{ticker}", eventTicker),
	}, opts)
}

// GetMilestonesByMint returns the milestones of the event of a mint. The
// answer's shape is not documented.
//
// GET /api/v1/milestones/by-mint/{mint_address}.
func (c *Client) GetMilestonesByMint(
	ctx context.Context, mint string, opts ...walletfi.CallOption,
) (*Milestones, error) {
	doc, err := transport.DoDocument(ctx, c.made().t, transport.Call{
		Op: "GetMilestonesByMint", Effect: transport.Read, Method: http.MethodGet,
		Answer:  transport.Open(transport.NoShape),
		Path:    transport.Path("/api/v1/milestones/by-mint/{mint_address}", mint),
		Invalid: check.Address("mint_address", mint),
	}, opts)
	if err != nil {
		return nil, err
	}
	waive := c.made().t.Waiving(ctx, "GetMilestonesByMint", "/api/v1/milestones/by-mint/{mint_address}")
	read, err := guess[Milestones](doc, waive, "milestones")
	read.Raw = doc
	return read, err
}

// MilestoneBatch has the milestones of several events. The shape of the answer is
// not documented: it may be a list of [Milestones], or an object that has them, or
// their lists, by ticker.
type MilestoneBatch struct {
	Events []Milestones // in the answer's order, or by ticker if the answer is an object
	Raw    walletfi.Document
}

// BatchMilestones returns the milestones of many events, in one call: no cap is
// documented. Without a ticker it sends nothing.
//
// POST /api/v1/milestones/batch. It reads, although it is a POST.
func (c *Client) BatchMilestones(
	ctx context.Context, eventTickers []string, opts ...walletfi.CallOption,
) (*MilestoneBatch, error) {
	if len(eventTickers) == 0 {
		return &MilestoneBatch{}, c.made().t.Made()
	}
	type body struct {
		Tickers []string `json:"tickers"`
	}
	doc, err := transport.DoDocument(ctx, c.made().t, transport.Call{
		Op: "BatchMilestones", Effect: transport.Read, Method: http.MethodPost,
		Answer: transport.Open(transport.NoShape),
		Echo: transport.Echo(func(doc *walletfi.Document) error {
			return echo.Named(*doc, map[string]func(path, said string) error{
				"ticker": func(path, said string) error { return echo.Among(path, eventTickers, said) },
			})
		}),
		Path: transport.Path("/api/v1/milestones/batch"), Body: body{eventTickers},
		Invalid: check.Each("tickers", eventTickers, check.Required[string]),
	}, opts)
	if err != nil {
		return nil, err
	}
	events, err := readEvents(doc, c.made().t.Waiving(ctx, "BatchMilestones", "/api/v1/milestones/batch"))
	return &MilestoneBatch{events, doc}, err
}

// readEvents returns the events that were found. If some cannot be read, the error is a
// [*walletfi.UnreadError].
func readEvents(doc walletfi.Document, waive func(wire.Breach) bool) ([]Milestones, error) {
	doc = unwrapped(doc)
	for _, name := range []string{"milestones", "events"} {
		if inner := membersOf(doc)[name]; isArray(inner) || isObject(inner) {
			doc = inner
			break
		}
	}
	if isArray(doc) {
		return fitEvents(doc, waive)
	}
	var events []Milestones
	var unread walletfi.UnreadError
	members := membersOf(doc)
	for _, ticker := range slices.Sorted(maps.Keys(members)) {
		e, err := guess[Milestones](members[ticker], waive, "milestones")
		unread.Records = append(unread.Records, unreadOf(err)...)
		if !isEmpty(e) {
			e.Ticker = cmp.Or(e.Ticker, ticker)
			events = append(events, *e)
		}
	}
	if len(events)+len(unread.Records) == 0 {
		return nil, fmt.Errorf("predictmeta.BatchMilestones: %w: the answer has no milestones", walletfi.ErrDecode)
	}
	return events, ifAny(unread)
}

// fitEvents reads the items of a list that have milestones.
func fitEvents(list walletfi.Document, waive func(wire.Breach) bool) ([]Milestones, error) {
	var items []walletfi.Document
	if json.Unmarshal(list, &items) != nil {
		return nil, nil
	}
	var events []Milestones
	var unread walletfi.UnreadError
	for i, item := range items {
		e := new(Milestones)
		err := wire.UnmarshalWaiving(item, e, func(b wire.Breach) bool {
			if waive != nil && waive(b) || b.Free {
				return true
			}
			err := fmt.Errorf("%s decides, and is %s", b.Name(), b.What)
			unread.Records = append(unread.Records, &walletfi.RecordError{Index: i, Raw: item, Err: err, Kept: true})
			return true
		})
		if !isObject(item) {
			err = fmt.Errorf("%w: not an object", walletfi.ErrDecode)
		}
		unread.Records = append(unread.Records, unreadOf(err)...)
		switch {
		case !wire.Usable(err):
			unread.Records = append(unread.Records, &walletfi.RecordError{Index: i, Raw: item, Err: err})
		case !isEmpty(e):
			events = append(events, *e)
		}
	}
	return events, ifAny(unread)
}

// unreadOf returns the records that could not be read.
func unreadOf(err error) []*walletfi.RecordError {
	if e, ok := errors.AsType[*walletfi.UnreadError](err); ok {
		return e.Records
	}
	return nil
}

func ifAny(unread walletfi.UnreadError) error {
	if len(unread.Records) == 0 {
		return nil
	}
	return &unread
}
