package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
)

// closing is how often finish tries to close what is open: with the pauses between
// tries while no service answers, for two hours.
const closing = 120

// finish opens nothing more and closes what is open.
func (b *bot) finish(ctx context.Context, why string) error {
	b.progress.say("closing all positions: " + why)
	tries, round, away := map[string]int{}, 0, false // tries by instrument
	for {
		if err := b.broker.settle(ctx); err != nil {
			return err
		}
		book := b.log.book
		if len(book.positions) == 0 && len(book.pending) == 0 || round == closing {
			break
		}
		round++
		if away {
			if err := b.broker.pause(ctx, time.Minute); err != nil {
				return err
			}
		}
		var err error
		if away, err = b.close(ctx, why, tries); err != nil {
			return err
		}
	}
	b.sample(b.days.at)
	if err := b.days.end(b.log, b.last); err != nil {
		return err
	}
	b.progress.end()
	if n := len(b.log.book.positions) + len(b.log.book.pending); n > 0 {
		return fmt.Errorf("%d positions and orders could not be closed", n)
	}
	return nil
}

// close tries to sell every position, and reports whether a service was away. Each
// sale that the market refused is tried again with a wider tolerance; a service that
// is away is no reason to take a worse price.
func (b *bot) close(ctx context.Context, why string, tries map[string]int) (away bool, err error) {
	book := b.log.book
	for _, name := range slices.Sorted(maps.Keys(book.positions)) {
		if book.busy(name) {
			continue
		}
		p := book.positions[name]
		built, err := b.trade(ctx, order{
			Key: fmt.Sprintf("close %s %d", name, len(book.settled)), Instrument: name, Side: sell,
			Amount: p.Units, Reason: why, At: b.days.at,
			slippage: slippage(book.known[name], tries[name]),
		})
		if err != nil {
			return false, err
		}
		if built {
			tries[name]++
		}
		away = away || !built
	}
	return away, nil
}
