// Package chart draws prices, positions and equity over time with gonum/plot: axes
// with dates and units, as PNG and as SVG.
package chart

import (
	"time"

	"gonum.org/v1/plot/plotter"
)

// Candle sums up the trades over one span of time. Floats are precise enough for a
// picture.
type Candle struct {
	Start                  time.Time
	Open, High, Low, Close float64
}

// Point is a value at a time.
type Point struct {
	At    time.Time
	Value float64
}

// Candles joins candles to fewer, each as long as width, in the order of time.
func Candles(all []Candle, width time.Duration) (joined []Candle) {
	for _, c := range all {
		start := c.Start.Truncate(width)
		if n := len(joined); n > 0 && joined[n-1].Start.Equal(start) {
			last := &joined[n-1]
			last.High, last.Low, last.Close = max(last.High, c.High), min(last.Low, c.Low), c.Close
			continue
		}
		c.Start = start
		joined = append(joined, c)
	}
	return joined
}

func seconds(t time.Time) float64 { return float64(t.Unix()) }

func points(all []Point) plotter.XYs {
	xys := make(plotter.XYs, len(all))
	for i, p := range all {
		xys[i] = plotter.XY{X: seconds(p.At), Y: p.Value}
	}
	return xys
}
