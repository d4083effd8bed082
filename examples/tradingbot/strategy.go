package main

import (
	"math"
	"time"
)

// strategy buys what is cheap against its own mean and sells it when the mean is
// reached again. It is arithmetic on the past, not advice. Statistics are floats;
// what is paid never is.
type strategy struct {
	window int           // candles of the mean
	enter  float64       // standard deviations under the mean to buy at
	edge   float64       // least distance to the mean, a share of the price: what a round trip costs, and more
	stop   float64       // loss to sell at, a share of what was paid
	hold   time.Duration // sold after that at the latest

	closes map[string][]float64 // the last ones by instrument, the oldest first
}

func newStrategy() *strategy {
	return &strategy{window: 24, enter: 1.3, edge: 0.004, stop: 0.35, hold: 36 * time.Hour, closes: map[string][]float64{}}
}

// see takes a candle in.
func (s *strategy) see(c candle) {
	all := append(s.closes[c.Instrument], c.Close.Float64())
	s.closes[c.Instrument] = all[max(0, len(all)-s.window):]
}

// mean returns the mean of the window and the standard deviation, false as long as
// the window is not full.
func (s *strategy) mean(name string) (mean, deviation float64, ok bool) {
	all := s.closes[name]
	if len(all) < s.window {
		return 0, 0, false
	}
	for _, c := range all {
		mean += c / float64(len(all))
	}
	for _, c := range all {
		deviation += (c - mean) * (c - mean) / float64(len(all))
	}
	return mean, math.Sqrt(deviation), true
}

// decide says what to do with an instrument at a price, and why. An empty side means
// nothing. p is nil if there is no position.
func (s *strategy) decide(i instrument, price float64, p *position, now time.Time) (side, string) {
	mean, deviation, ok := s.mean(i.Name)
	soon := !i.Closes.IsZero() && i.Closes.Sub(now) < s.hold
	if p == nil {
		edge := s.edge
		if !i.isSOL() {
			edge = max(edge, 0.05/price) // the spread of a prediction market is some cents
		}
		if ok && !soon && price > 0 && price < mean-s.enter*deviation && mean/price-1 > edge {
			return buy, "under the mean"
		}
		return "", ""
	}
	switch {
	case soon:
		return sell, "the market closes"
	case price < p.paid(i)*(1-s.stop):
		return sell, "stop loss"
	case ok && price >= mean:
		return sell, "at the mean"
	case now.Sub(p.Opened) > s.hold:
		return sell, "held long enough"
	}
	return "", ""
}
