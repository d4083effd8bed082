package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
)

// decider says what to do with an instrument: see strategy.
type decider interface {
	see(candle)
	decide(i instrument, price float64, p *position, now time.Time) (side, string)
}

// bot runs a strategy: live and in a backtest it is the same.
type bot struct {
	source   source
	broker   broker
	log      *ledgerLog
	strategy decider
	limits   limits
	killed   func() bool
	progress progress
	samples  []sample
	last     prices
	candles  []candle // all, for the charts
	days     *calendar
	refused  map[string]int // orders that no transaction was made of, by why
	prepared map[string]bool
}

// run goes on until the source ends, the bot is killed or too much is lost. It then
// closes every position.
func (b *bot) run(ctx context.Context) error {
	for {
		t, err := b.source.next()
		if errors.Is(err, io.EOF) {
			return b.finish(ctx, "the end")
		}
		if err != nil {
			return err
		}
		b.take(t)
		if err := b.broker.settle(ctx); err != nil {
			return err
		}
		if err := b.days.turn(t.At, b.log, b.last); err != nil {
			return err
		}
		switch equity := b.log.book.equity(b.last); {
		case b.killed():
			return b.finish(ctx, "the kill switch")
		case b.days.ready() && b.days.first-equity >= b.limits.totalLoss:
			return b.finish(ctx, "the loss limit")
		}
		if err := b.step(ctx, t); err != nil {
			return err
		}
		b.sample(t.At)
		b.progress.step(t.At)
	}
}

// take updates prices and strategy.
func (b *bot) take(t tick) {
	for _, c := range t.Candles {
		b.strategy.see(c)
		b.last[c.Instrument] = c.Close
		b.candles = append(b.candles, c)
	}
}

// step decides on every instrument that has a new candle.
func (b *bot) step(ctx context.Context, t tick) error {
	book := b.log.book
	for _, i := range b.source.instruments() {
		if !fresh(t, i.Name) || book.busy(i.Name) {
			continue
		}
		p := book.positions[i.Name]
		what, why := b.strategy.decide(i, b.last[i.Name].Float64(), p, t.At)
		o := order{
			Key: fmt.Sprintf("%s %s %s", what, i.Name, t.At.Format(time.RFC3339Nano)), Instrument: i.Name, Side: what,
			Reason: why, At: t.At, slippage: slippage(i, 0),
		}
		switch what {
		case buy:
			o.Amount = b.limits.order
			if no := b.limits.opens(book, o, b.days.today(book.equity(b.last))); no != "" {
				b.refused[no]++
				continue
			}
			if t.Blind {
				b.refused["the feed has a gap"]++
				continue
			}
			if err := b.prepare(ctx, i, t.At); err != nil {
				return err
			}
		case sell:
			o.Amount = p.Units
			if why == "stop loss" {
				o.Tip = 100_000 // to be early
			}
		default:
			continue
		}
		if _, err := b.trade(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

// trade carries an order out. A service that refuses it, or cannot be reached before
// anything was sent, costs the trade and nothing else: then built is false.
func (b *bot) trade(ctx context.Context, o order) (built bool, err error) {
	err = b.broker.trade(ctx, o)
	var response *walletfi.ResponseError
	if ctx.Err() == nil && b.log.book.pending[o.Key].Key == "" &&
		(errors.As(err, &response) || errors.Is(err, walletfi.ErrUnavailable)) {
		b.refused["the service did not build the order"]++
		return false, nil
	}
	return true, err
}

// prepare opens the wallet's account of a market's token before the first purchase, so
// that its rent is paid by a transaction of its own.
func (b *bot) prepare(ctx context.Context, i instrument, at time.Time) error {
	key := "prepare " + i.Name
	if i.isSOL() || b.prepared[i.Name] {
		return nil
	}
	b.prepared[i.Name] = true
	_, err := b.trade(ctx, order{
		Key:        key + " " + at.Format(time.RFC3339Nano),
		Instrument: i.Name,
		Side:       prepare,
		Reason:     "first purchase",
		At:         at,
	})
	return err
}

// slippage is the tolerance of an order, in basis points: wide for a prediction market,
// whose price moves by cents in seconds. It grows with each attempt to get out.
func slippage(i instrument, try int) int {
	if i.isSOL() {
		return min(50+50*try, 1_000)
	}
	return min(800+400*try, 5_000)
}

func fresh(t tick, name string) bool {
	return slices.ContainsFunc(t.Candles, func(c candle) bool { return c.Instrument == name })
}
