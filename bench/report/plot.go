package main

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/walletfi/walletfi-go/bench/internal/rows"
)

// plotRatios draws our time over that of each peer: a bar that ends left of the line
// is work at which we are faster.
func plotRatios(file string, all []measured) error {
	type bar struct {
		name  string
		ratio float64
	}
	var bars []bar
	for _, m := range all {
		for _, by := range m.Beside[min(1, len(m.Beside)):] {
			if m.Group != rows.Webhooks {
				bars = append(bars, bar{fmt.Sprintf("%s / %s", m.Name, by.Name), min(by.Ratio, 2)})
			}
		}
	}
	slices.Reverse(bars) // the first is drawn at the bottom
	values, names := make(plotter.Values, len(bars)), make([]string, len(bars))
	for i, b := range bars {
		values[i], names[i] = b.ratio, b.name
	}
	drawn, err := plotter.NewBarChart(values, vg.Points(8))
	if err != nil {
		return err
	}
	drawn.Horizontal, drawn.Color, drawn.LineStyle.Width = true, color.RGBA{R: 60, G: 110, B: 180, A: 255}, 0
	even, err := plotter.NewLine(plotter.XYs{{X: 1, Y: -0.5}, {X: 1, Y: float64(len(bars)) - 0.5}})
	if err != nil {
		return err
	}
	even.Color = color.RGBA{R: 200, A: 255}
	p := plot.New()
	p.Title.Text = "Our time over a peer's: left of the line we are faster"
	p.X.Min, p.X.Max = 0, 2
	p.Add(drawn, even)
	p.NominalY(names...)
	return p.Save(9*vg.Inch, vg.Length(len(bars))*vg.Points(13)+vg.Inch, file)
}
