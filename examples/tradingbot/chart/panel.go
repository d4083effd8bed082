package chart

import (
	"image/color"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Panel is one picture over time. What it has no data of is not drawn.
type Panel struct {
	Title   string
	Unit    string // of the vertical axis, such as "price, USDC"
	Candles []Candle
	Width   time.Duration // of a candle
	Steps   []Point       // a value that holds until the next, such as a position
	Line    []Point       // a value that moves, such as equity
	Name    string        // of Steps and Line in the legend
	Bought  []Point       // fills
	Sold    []Point
	From    time.Time // of the horizontal axis, zero for the data's
	To      time.Time
}

// plot draws the panel with its axes and, where there are several things to tell
// apart, its legend.
func (p Panel) plot() (*plot.Plot, error) {
	out := plot.New()
	for _, text := range []*font.Font{&out.Title.TextStyle.Font, &out.X.Label.TextStyle.Font, &out.Y.Label.TextStyle.Font,
		&out.X.Tick.Label.Font, &out.Y.Tick.Label.Font, &out.Legend.TextStyle.Font} {
		text.Variant = "Sans"
	}
	out.Title.Text, out.Title.Padding = p.Title, vg.Points(8)
	out.Title.TextStyle.Font.Size = vg.Points(13)
	out.X.Label.Text, out.Y.Label.Text = "time, UTC", p.Unit
	out.X.Tick.Marker = plot.TimeTicks{Ticker: days{}, Format: "02 Jan\n15:04", Time: plot.UTCUnixTime}
	lines := plotter.NewGrid()
	lines.Horizontal.Color, lines.Vertical.Color = grid, grid
	out.Add(lines)
	out.Legend.Top, out.Legend.Left = true, true
	out.Legend.Padding, out.Legend.XOffs, out.Legend.YOffs = vg.Points(3), vg.Points(6), vg.Points(-4)
	if len(p.Candles) > 0 {
		out.Add(candles{p.Candles, p.Width})
	}
	if len(p.Steps) > 0 {
		steps, err := plotter.NewLine(points(p.Steps))
		if err != nil {
			return nil, err
		}
		steps.StepStyle, steps.Color, steps.FillColor = plotter.PostStep, line, shade
		out.Add(steps)
	}
	if len(p.Line) > 0 {
		moves, err := plotter.NewLine(points(p.Line))
		if err != nil {
			return nil, err
		}
		moves.Color, moves.Width = line, vg.Points(1.2)
		out.Add(moves)
		if p.Name != "" {
			out.Legend.Add(p.Name, moves)
		}
	}
	if err := p.fills(out); err != nil {
		return nil, err
	}
	if !p.From.IsZero() {
		out.X.Min, out.X.Max = seconds(p.From), seconds(p.To)
	}
	room := (out.Y.Max - out.Y.Min) * 0.08
	if room == 0 {
		room = 0.01 // a value that never moved
	}
	out.Y.Max += 2 * room // for the legend
	if len(p.Steps) == 0 {
		out.Y.Min -= room
	}
	return out, nil
}

// fills marks purchases and sales.
func (p Panel) fills(out *plot.Plot) error {
	for _, marks := range []struct {
		name  string
		at    []Point
		ink   color.Color
		shape draw.GlyphDrawer
	}{
		{"bought", p.Bought, color.RGBA{20, 60, 200, 255}, draw.PyramidGlyph{}},
		{"sold", p.Sold, color.RGBA{240, 140, 0, 255}, draw.BoxGlyph{}},
	} {
		if len(marks.at) == 0 {
			continue
		}
		scatter, err := plotter.NewScatter(points(marks.at))
		if err != nil {
			return err
		}
		scatter.Color, scatter.Shape, scatter.Radius = marks.ink, marks.shape, vg.Points(3.5)
		out.Add(scatter)
		out.Legend.Add(marks.name, scatter)
	}
	return nil
}
