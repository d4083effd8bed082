package chart

import (
	"math"
	"time"

	"gonum.org/v1/plot"
)

// days is a ticker of times: at whole hours or days, at most ten.
type days struct{}

// Ticks implements plot.Ticker.
func (days) Ticks(low, high float64) (ticks []plot.Tick) {
	const most = 10
	step := float64(time.Minute / time.Second)
	for _, next := range []time.Duration{5 * time.Minute, 15 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour,
		12 * time.Hour, 24 * time.Hour, 48 * time.Hour, 7 * 24 * time.Hour} {
		if (high-low)/step <= most {
			break
		}
		step = next.Seconds()
	}
	for at := math.Ceil(low/step) * step; at <= high; at += step {
		ticks = append(ticks, plot.Tick{Value: at, Label: " "}) // TimeTicks writes the label
	}
	return ticks
}
