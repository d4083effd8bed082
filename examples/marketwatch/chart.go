package main

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/walletfi/walletfi-go/examples/tradingbot/chart"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// chart writes the candles of the last two days and returns their number.
func (s *service) chart(ctx context.Context, o options) (int, error) {
	now := s.now()
	answer, err := s.client.GetMarketCandlesticks(ctx, o.market, predictmeta.CandlesticksRequest{
		Interval: predictmeta.Interval1h, Start: now.Add(-48 * time.Hour), End: now,
	})
	if err != nil {
		return 0, err
	}
	candles := drawable(answer.Candlesticks)
	if len(candles) == 0 {
		// The shape of this answer is not documented.
		return 0, errors.New("the answer holds no readable candles")
	}
	file, err := os.Create(o.chart)
	if err != nil {
		return 0, err
	}
	return len(candles), errors.Join(writeChart(file, o.market, candles), file.Close())
}

// drawable skips candles without a price. Floats are precise enough for a chart.
func drawable(all []predictmeta.Candlestick) (candles []chart.Candle) {
	for _, c := range all {
		if c.Open.IsZero() || c.High.IsZero() || c.Low.IsZero() || c.Close.IsZero() {
			continue
		}
		candles = append(candles, chart.Candle{
			Start: c.Timestamp.UTC(), Open: c.Open.Float64(), High: c.High.Float64(),
			Low: c.Low.Float64(), Close: c.Close.Float64(),
		})
	}
	return candles
}

func writeChart(w io.Writer, market string, candles []chart.Candle) error {
	return chart.Figure{{
		Title: printable(market) + ": price of yes, candles of an hour", Unit: "price, USDC",
		Candles: candles, Width: time.Hour,
	}}.WritePNG(w)
}
