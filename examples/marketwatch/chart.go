package main

import (
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"os"
	"time"

	"github.com/walletfi/walletfi-go/predictmeta"
)

// Size of the chart and of its edge, in pixels.
const (
	chartWidth  = 960
	chartHeight = 480
	chartEdge   = 16
)

var (
	paper  = color.RGBA{250, 250, 248, 255}
	grid   = color.RGBA{222, 222, 218, 255}
	rising = color.RGBA{30, 132, 90, 255}
	sunk   = color.RGBA{190, 60, 50, 255}
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
	return len(candles), errors.Join(writeChart(file, candles), file.Close())
}

// bar is a candle as floats, which are precise enough for a chart.
type bar struct{ open, high, low, close float64 }

// drawable skips candles without a price.
func drawable(candles []predictmeta.Candlestick) (bars []bar) {
	for _, c := range candles {
		if c.Open.IsZero() || c.High.IsZero() || c.Low.IsZero() || c.Close.IsZero() {
			continue
		}
		bars = append(bars, bar{c.Open.Float64(), c.High.Float64(), c.Low.Float64(), c.Close.Float64()})
	}
	return bars
}

func writeChart(w io.Writer, bars []bar) error {
	canvas := image.NewRGBA(image.Rect(0, 0, chartWidth, chartHeight))
	fill(canvas, canvas.Rect, paper)
	low, high := bars[0].low, bars[0].high
	for _, b := range bars {
		low, high = min(low, b.low), max(high, b.high)
	}
	if high == low {
		low, high = low-0.01, high+0.01
	}
	y := func(price float64) int {
		return chartHeight - chartEdge - int((price-low)/(high-low)*(chartHeight-2*chartEdge))
	}
	for i := range 5 { // quarters of the range
		at := y(low + (high-low)*float64(i)/4)
		fill(canvas, image.Rect(chartEdge, at, chartWidth-chartEdge, at+1), grid)
	}
	step := float64(chartWidth-2*chartEdge) / float64(len(bars))
	for i, b := range bars {
		ink := rising
		if b.close < b.open {
			ink = sunk
		}
		left := chartEdge + int(step*float64(i))
		right := max(left+1, chartEdge+int(step*float64(i+1))-2)
		middle := (left + right) / 2
		fill(canvas, image.Rect(middle, y(b.high), middle+1, y(b.low)+1), ink)
		fill(canvas, image.Rect(left, y(max(b.open, b.close)), right, y(min(b.open, b.close))+1), ink)
	}
	return png.Encode(w, canvas)
}

func fill(canvas draw.Image, area image.Rectangle, ink color.Color) {
	draw.Draw(canvas, area, image.NewUniform(ink), image.Point{}, draw.Src)
}
