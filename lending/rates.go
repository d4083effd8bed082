package lending

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Interval is the time between two rate points.
type Interval string

// The intervals.
const (
	Interval1m Interval = "1m"
	Interval1h Interval = "1h"
	Interval1d Interval = "1d"
)

// RatesRequest is the request of [Client.GetRates]. All fields are optional.
type RatesRequest struct {
	Mint     string   `url:"mint,omitempty"`
	Period   Period   `url:"period,omitempty"`
	Interval Interval `url:"interval,omitempty"`
}

// Rates is the rate feed of a mint.
type Rates struct {
	Mint  string      `json:"mint" wire:"said"`
	Rates []RatePoint `json:"rates" wire:"records"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// RatePoint is the yield of deposits at a time. All APYs are percent.
type RatePoint struct {
	Timestamp       walletfi.Time    `json:"timestamp" wire:"said,identity"`
	ProtectedAPY    walletfi.Decimal `json:"protectedApy" wire:"said,min=-100"`
	BoostedAPY      walletfi.Decimal `json:"boostedApy" wire:"said,min=-100"`
	BestProtocol    string           `json:"bestProtocol"`
	BestProtocolAPY walletfi.Decimal `json:"bestProtocolApy" wire:"said,min=-100"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// GetRates returns a mint's rates over a period.
//
// GET /v1/rates.
func (c *Client) GetRates(ctx context.Context, req RatesRequest, opts ...walletfi.CallOption) (*Rates, error) {
	return transport.Do[Rates](ctx, c.made().t, transport.Call{
		Op: "GetRates", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Items("rates"),
		Echo:   transport.Echo(func(r *Rates) error { return echo.Mint("mint", req.Mint, r.Mint) }),
		Path:   transport.Path("/v1/rates"), Query: req,
		Invalid: check.All(
			check.OptionalOneOf("period", req.Period, Period1h, Period24h, Period7d, Period30d),
			check.OptionalOneOf("interval", req.Interval, Interval1m, Interval1h, Interval1d),
		),
	}, opts)
}
