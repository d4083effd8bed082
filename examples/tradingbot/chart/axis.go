package chart

import (
	"fmt"
	"math"
	"strconv"
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

// values is a ticker of numbers: a label at every step of 1, 2 or 5 times a power of
// ten, at most eight.
type values struct{}

// Ticks implements plot.Ticker.
func (values) Ticks(low, high float64) (ticks []plot.Tick) {
	const most = 8
	if high <= low {
		return nil
	}
	power := math.Floor(math.Log10((high - low) / most))
	step := math.Pow(10, power)
	for _, factor := range []float64{2, 5, 10} {
		if (high-low)/step <= most {
			break
		}
		step = factor * math.Pow(10, power)
	}
	digits := max(0, int(-math.Floor(math.Log10(step)+1e-9)))
	for n := math.Ceil(low / step); n*step <= high; n++ {
		if n == 0 {
			n = 0 // without the sign that Ceil leaves
		}
		ticks = append(ticks, plot.Tick{Value: n * step, Label: strconv.FormatFloat(n*step, 'f', digits, 64)})
	}
	return ticks
}

func plural(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}
