package chart

import (
	"errors"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Size of a picture: its width, the height of its first panel and of the others.
const (
	width  = 13 * vg.Inch
	first  = 5.5 * vg.Inch
	others = 2.4 * vg.Inch
)

// Figure is panels on one another, with one horizontal axis.
type Figure []Panel

// WritePNG draws the figure as a PNG.
func (f Figure) WritePNG(w io.Writer) error {
	canvas := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, f.height()), vgimg.UseDPI(110))}
	if err := f.draw(draw.New(canvas)); err != nil {
		return err
	}
	_, err := canvas.WriteTo(w)
	return err
}

// WriteSVG draws the figure as an SVG.
func (f Figure) WriteSVG(w io.Writer) error {
	canvas := vgsvg.New(width, f.height())
	if err := f.draw(draw.New(canvas)); err != nil {
		return err
	}
	_, err := canvas.WriteTo(w)
	return err
}

func (f Figure) height() vg.Length { return first + vg.Length(len(f)-1)*others }

// draw puts the panels on the canvas, their axes in line.
func (f Figure) draw(c draw.Canvas) error {
	if len(f) == 0 {
		return errors.New("chart: a figure without a panel")
	}
	plots := make([]*plot.Plot, len(f))
	parts := make([]draw.Canvas, len(f))
	top := c.Max.Y
	var left, right vg.Length
	for i, p := range f {
		var err error
		if plots[i], err = p.plot(); err != nil {
			return err
		}
		height := others
		if i == 0 {
			height = first
		}
		parts[i] = draw.Canvas{
			Canvas:    c.Canvas,
			Rectangle: vg.Rectangle{Min: vg.Point{X: c.Min.X, Y: top - height}, Max: vg.Point{X: c.Max.X, Y: top}},
		}
		parts[i] = draw.Crop(parts[i], vg.Points(8), -vg.Points(14), vg.Points(6), -vg.Points(4))
		top -= height
		data := plots[i].DataCanvas(parts[i])
		left, right = max(left, data.Min.X-parts[i].Min.X), max(right, parts[i].Max.X-data.Max.X)
	}
	for i, p := range plots {
		data := p.DataCanvas(parts[i])
		part := parts[i]
		part.Min.X += left - (data.Min.X - part.Min.X)
		part.Max.X -= right - (part.Max.X - data.Max.X)
		p.Draw(part)
	}
	return nil
}
