package main

import (
	"math"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/examples/tradingbot/chart"
)

// picture is a figure and the name of its files.
type picture struct {
	name   string
	figure chart.Figure
}

// drawn is the length of a candle in a chart. The axis begins where one does.
const drawn = 2 * time.Hour

// pictures draws equity, and of each instrument the price with the fills, and the
// position under it.
func (b *bot) pictures() []picture {
	if len(b.samples) == 0 {
		return nil
	}
	from, to := b.samples[0].At.Truncate(drawn), b.samples[len(b.samples)-1].At
	equity := chart.Panel{Title: "Equity", Unit: "USDC", From: from, To: to}
	realised := chart.Panel{Title: "Positions at cost", Unit: "USDC", From: from, To: to}
	for _, s := range b.samples {
		equity.Line = append(equity.Line, chart.Point{At: s.At, Value: float64(s.Equity) / 1e6})
		realised.Steps = append(realised.Steps, chart.Point{At: s.At, Value: float64(s.Exposure) / 1e6})
	}
	all := []picture{{"equity", chart.Figure{equity, realised}}}
	for _, i := range b.source.instruments() {
		all = append(all, picture{strings.ToLower(i.Name), chart.Figure{b.price(i, from, to), b.position(i, from, to)}})
	}
	return all
}

// price is the price of an instrument with the bot's fills.
func (b *bot) price(i instrument, from, to time.Time) chart.Panel {
	title := i.Name + ": price and fills, candles of 2 hours"
	p := chart.Panel{Title: title, Unit: "price, USDC", Width: drawn, From: from, To: to}
	var all []chart.Candle
	for _, c := range b.candles {
		if c.Instrument == i.Name && !c.Start.Before(from) {
			all = append(all, chart.Candle{
				Start: c.Start,
				Open:  c.Open.Float64(),
				High:  c.High.Float64(),
				Low:   c.Low.Float64(),
				Close: c.Close.Float64(),
			})
		}
	}
	p.Candles = chart.Candles(all, drawn)
	scale := math.Pow10(i.Decimals)
	for _, f := range b.log.book.fills {
		if f.Order.Instrument != i.Name || f.At.Before(from) {
			continue
		}
		if f.Order.Side == buy {
			p.Bought = append(p.Bought, chart.Point{At: f.At, Value: float64(f.Given) / 1e6 / (float64(f.Received) / scale)})
		} else {
			p.Sold = append(p.Sold, chart.Point{At: f.At, Value: float64(f.Received) / 1e6 / (float64(f.Given) / scale)})
		}
	}
	return p
}

// position is how much the bot held of an instrument.
func (b *bot) position(i instrument, from, to time.Time) chart.Panel {
	unit := "position, tokens"
	if i.isSOL() {
		unit = "position, SOL"
	}
	p := chart.Panel{Title: "Position", Unit: unit, From: from, To: to}
	for _, s := range b.samples {
		p.Steps = append(p.Steps, chart.Point{At: s.At, Value: float64(s.Positions[i.Name]) / math.Pow10(i.Decimals)})
	}
	return p
}
