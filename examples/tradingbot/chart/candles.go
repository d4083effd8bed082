package chart

import (
	"image/color"
	"math"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var (
	rising  = color.RGBA{30, 132, 90, 255}
	falling = color.RGBA{190, 60, 50, 255}
	line    = color.RGBA{38, 84, 148, 255}
	shade   = color.NRGBA{38, 84, 148, 60}
	grid    = color.RGBA{225, 225, 222, 255}
)

// candles is a plotter of candles: a line from low to high, a box from open to close,
// green if the price rose.
type candles struct {
	all   []Candle
	width time.Duration
}

// Plot implements plot.Plotter.
func (k candles) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, k1 := range k.all {
		ink := rising
		if k1.Close < k1.Open {
			ink = falling
		}
		left, right := x(seconds(k1.Start)), x(seconds(k1.Start.Add(k.width)))
		gap := (right - left) / 6
		middle := (left + right) / 2
		c.StrokeLine2(draw.LineStyle{Color: ink, Width: vg.Points(1)}, middle, y(k1.Low), middle, y(k1.High))
		bottom, top := y(min(k1.Open, k1.Close)), y(max(k1.Open, k1.Close))
		if top-bottom < vg.Points(1) { // a price that did not move is still seen
			top = bottom + vg.Points(1)
		}
		c.FillPolygon(ink, []vg.Point{
			{X: left + gap, Y: bottom}, {X: right - gap, Y: bottom}, {X: right - gap, Y: top}, {X: left + gap, Y: top},
		})
	}
}

// DataRange implements plot.DataRanger.
func (k candles) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, ymin = math.Inf(1), math.Inf(1)
	xmax, ymax = math.Inf(-1), math.Inf(-1)
	for _, c := range k.all {
		xmin, xmax = min(xmin, seconds(c.Start)), max(xmax, seconds(c.Start.Add(k.width)))
		ymin, ymax = min(ymin, c.Low), max(ymax, c.High)
	}
	return xmin, xmax, ymin, ymax
}
