package predictmeta

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/callopt"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/paging"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Outcome is a side of a market.
type Outcome string

// The outcomes.
const (
	OutcomeYes Outcome = "yes"
	OutcomeNo  Outcome = "no"
)

// OutcomeMint is the token of one outcome of a market.
type OutcomeMint struct {
	Mint         string  `json:"mint" wire:"strict,said,key,identity"`
	MarketTicker string  `json:"market_ticker" wire:"strict,said"`
	Outcome      Outcome `json:"outcome" wire:"strict,said"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// UnmarshalJSON reads an object, or a string that is the mint: of the answer of
// FilterOutcomeMints only the names of the lists are documented.
func (m *OutcomeMint) UnmarshalJSON(b []byte) error {
	return wire.Unmarshal(b, m)
}

// MarshalJSON writes what UnmarshalJSON reads: a string if only the mint is known.
func (m OutcomeMint) MarshalJSON() ([]byte, error) {
	if m.MarketTicker == "" && m.Outcome == "" {
		return json.Marshal(m.Mint)
	}
	type fields OutcomeMint
	return json.Marshal(fields(m))
}

func init() {
	wire.Words(OutcomeYes, OutcomeNo)
	wire.Reader(readOutcomeMint)
}

func readOutcomeMint(s *wire.Scanner, m *OutcomeMint) error {
	if s.Peek() != '"' {
		return wire.Fields(s, m)
	}
	err := wire.Value(s, &m.Mint)
	if check.Address("mint", m.Mint) != nil {
		wire.Breaks[OutcomeMint](s, "mint", wire.OfNoKind)
	}
	return err
}

// OutcomeMintsRequest selects outcome mints.
type OutcomeMintsRequest struct {
	// MinClose leaves out markets that close earlier. It is sent in whole Unix
	// seconds, whatever TimeFormat in Config is. Zero means all.
	MinClose time.Time `url:"min_close_timestamp,omitempty,unix"`
}

// OutcomeMintPage has the outcome mints of all markets that were asked for.
type OutcomeMintPage struct {
	Items []OutcomeMint `json:"outcome_mints" wire:"records"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// ListOutcomeMints returns the outcome mints of all supported markets.
//
// GET /api/v1/outcome_mints.
func (c *Client) ListOutcomeMints(
	ctx context.Context, req OutcomeMintsRequest, opts ...walletfi.CallOption,
) (*OutcomeMintPage, error) {
	return transport.Do[OutcomeMintPage](ctx, c.made().t, transport.Call{
		Op: "ListOutcomeMints", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Items("outcome_mints"),
		Echo:   transport.Echo(func(p *OutcomeMintPage) error { return echo.Each(p.Items, named) }),
		Path:   transport.Path("/api/v1/outcome_mints"), Query: req,
	}, opts)
}

// named reports a bare mint, which does not say whose outcome it is.
func named(m OutcomeMint) error {
	if m.MarketTicker == "" && m.Outcome == "" && m.Raw == nil {
		return fmt.Errorf("field outcome_mints: %w: a mint without its market", walletfi.ErrDecode)
	}
	return nil
}

// FilteredMints separates outcome mints from other addresses.
type FilteredMints struct {
	OutcomeMints    []OutcomeMint `json:"outcome_mints" wire:"records"` // at least Mint is set
	NonOutcomeMints []string      `json:"non_outcome_mints" wire:"records"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

func init() { wire.Reader(wire.TakeRepeated[FilteredMints]) }

// FilterOutcomeMints says which of the addresses are outcome mints. It splits
// more than [MaxFilterAddresses] into several calls and joins the answers in the
// caller's order. Without an address it sends nothing.
//
// If one of several calls fails, FilterOutcomeMints returns the addresses of the
// others and a [*walletfi.PartialError].
//
// POST /api/v1/filter_outcome_mints. It reads, although it is a POST.
func (c *Client) FilterOutcomeMints(
	ctx context.Context, addresses []string, opts ...walletfi.CallOption,
) (*FilteredMints, error) {
	if err := check.All(c.made().t.Made(), check.Each("addresses", addresses, check.Address[string])); err != nil {
		return nil, err
	}
	type body struct {
		Addresses []string `json:"addresses"`
	}
	answers, err := paging.Split(ctx, addresses, MaxFilterAddresses, partsAtOnce(opts),
		callopt.Of(opts).Progress, func(ctx context.Context, part []string) (*FilteredMints, error) {
			return transport.Do[FilteredMints](ctx, c.made().t, transport.Call{
				Op: "FilterOutcomeMints", Effect: transport.Read, Method: http.MethodPost,
				Answer: transport.Says("outcome_mints:items", "non_outcome_mints:items"),
				Echo:   transport.Echo(func(f *FilteredMints) error { return f.mismatch(part) }),
				Path:   transport.Path("/api/v1/filter_outcome_mints"), Body: body{part},
			}, opts)
		})
	all := &FilteredMints{}
	for _, answer := range answers {
		if answer != nil {
			all.OutcomeMints = append(all.OutcomeMints, answer.OutcomeMints...)
			all.NonOutcomeMints = append(all.NonOutcomeMints, answer.NonOutcomeMints...)
		}
	}
	all.OutcomeMints = wire.Unique(all.OutcomeMints)
	return all, err
}

// mismatch reports addresses that were not asked for, and those in both lists.
func (f *FilteredMints) mismatch(asked []string) error {
	return echo.All(
		echo.Each(f.OutcomeMints, func(m OutcomeMint) error {
			return echo.AmongKeys("outcome_mints.mint", asked, m.Mint)
		}),
		echo.Each(f.NonOutcomeMints, func(mint string) error {
			both := slices.ContainsFunc(f.OutcomeMints, func(m OutcomeMint) bool { return m.Mint == mint })
			return echo.All(
				echo.AmongKeys("non_outcome_mints", asked, mint),
				echo.That(!both, "non_outcome_mints", "in one list", mint),
			)
		}),
	)
}
