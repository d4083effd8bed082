package predictmeta

import (
	"context"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Interval is the time between two points of a series.
type Interval string

// The intervals. A forecast takes 1h, 4h and 1d, the candlesticks of an event take
// all six. Which ones those of a market take is not documented.
const (
	Interval1m  Interval = "1m"
	Interval5m  Interval = "5m"
	Interval15m Interval = "15m"
	Interval1h  Interval = "1h"
	Interval4h  Interval = "4h"
	Interval1d  Interval = "1d"
)

// ForecastRequest selects a part of a forecast.
type ForecastRequest struct {
	Interval Interval  // Interval1h, Interval4h or Interval1d; empty means the service's default
	Start    time.Time // zero means open; see Config.TimeFormat
	End      time.Time
}

// Forecast is the probability of an event over time.
type Forecast struct {
	Ticker    string          `json:"ticker" wire:"said"` // of the event
	Forecasts []ForecastPoint `json:"forecasts" wire:"records"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// ForecastPoint is the forecast at one time.
type ForecastPoint struct {
	Timestamp   walletfi.Time    `json:"timestamp" wire:"said,identity"`
	Probability walletfi.Decimal `json:"probability" wire:"said,min=0,max=1"`
	Volume      *uint64          `json:"volume" wire:"free,min=0"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// GetForecast returns an event's forecast, which the service relays from an
// exchange.
//
// GET /api/v1/event/{ticker}/forecast.
func (c *Client) GetForecast(
	ctx context.Context, ticker string, req ForecastRequest, opts ...walletfi.CallOption,
) (*Forecast, error) {
	return transport.Do[Forecast](ctx, c.made().t, transport.Call{
		Op: "GetForecast", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Items("forecasts"),
		Echo:   transport.Echo(func(f *Forecast) error { return echo.Name("ticker", ticker, f.Ticker) }),
		Path:   transport.Path("/api/v1/event/{ticker}/forecast", ticker),
		Query:  seriesQuery{req.Interval, c.period(req.Start, req.End)},
		Invalid: check.All(
			check.OptionalOneOf("interval", req.Interval, Interval1h, Interval4h, Interval1d),
			check.Ordered("start_time", req.Start, "end_time", req.End),
		),
	}, opts)
}

// seriesQuery selects a part of a series.
type seriesQuery struct {
	Interval Interval `url:"interval,omitempty"`
	period
}
