package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/wallet"
)

// settle follows every open order of the book to its end: what the last Execute could
// not find out, and what a crash left. An order that stays in doubt is left for the
// next time.
func (d *desk) settle(ctx context.Context) error {
	open := d.log.book.pending
	if len(open) == 0 {
		return nil
	}
	settled, err := d.wallet.Settle(ctx)
	if err != nil && !errors.Is(err, walletfi.ErrOutcomeUnknown) {
		return err
	}
	told := map[string][]wallet.Step{}
	for _, outcome := range settled {
		told[outcome.Key] = outcome.Steps
	}
	for _, key := range slices.Sorted(maps.Keys(open)) {
		if err := d.book(ctx, open[key], told[key], nil); err != nil {
			return err
		}
	}
	return nil
}

// book books an order if its end is known. The wallet says what became of its
// transaction and what that changed, and for an order that is filled later the service
// says by which transactions. why is the error of an order that was not sent.
func (d *desk) book(ctx context.Context, o order, steps []wallet.Step, why error) error {
	s := settlement{Key: o.Key, Outcome: notSent, At: walletfi.Now(d.clock)}
	if why != nil {
		s.Why = why.Error()
	}
	if len(steps) == 0 { // nothing was reported now; the journal knows
		known, err := d.wallet.Outcome(ctx, o.Key)
		if err != nil && !errors.Is(err, walletfi.ErrNotFound) {
			return err
		}
		if !known.Settled() {
			return d.doubt(ctx, o)
		}
		steps = known.Steps
	}
	for _, step := range steps { // an order is one transaction
		switch step.State {
		case wallet.StateUnknown, wallet.StateRunning:
			return d.doubt(ctx, o)
		case wallet.StateExpired:
			s.Outcome = expired
		case wallet.StateConfirmed, wallet.StateFailed:
			s.Outcome = confirmed
			if step.State == wallet.StateFailed {
				s.Outcome = failed
			}
			if err := d.executed(ctx, o, step, &s); err != nil {
				return errors.Join(ctx.Err(), d.doubt(ctx, o))
			}
		}
	}
	return d.log.write(event{Settled: &s})
}

// doubt notes that the order's end is not known yet.
func (d *desk) doubt(ctx context.Context, o order) error {
	if _, ok := d.log.book.unsure[o.Key]; ok || ctx.Err() != nil {
		return ctx.Err()
	}
	return d.log.write(event{Unsure: o.Key})
}

// executed finds what an order's transaction changed, and its fills.
func (d *desk) executed(ctx context.Context, o order, step wallet.Step, s *settlement) error {
	told := step.Effects
	if told == nil { // the node did not answer in time, or the step is the journal's
		var err error
		if told, err = d.node.Effects(ctx, step.Signature); err != nil {
			return err
		}
	}
	s.Changes = append(s.Changes, d.changed(told))
	if !o.Polled || s.Outcome == failed {
		return nil
	}
	return d.filled(ctx, o, step.Signature, s)
}

// filled waits for the fills of an order, and books each by its own transaction. What
// an order that ended early did not use is paid back by a transaction that the
// service does not name.
func (d *desk) filled(ctx context.Context, o order, signature string, s *settlement) error {
	status, err := d.swap.WaitOrder(ctx, swap.WaitOrderRequest{
		Signature: signature, LastValidBlockHeight: o.LastValid, MinWait: d.pace.order, MaxWait: d.pace.order,
	})
	var ended *swap.OrderEndedError
	if err != nil && !errors.As(err, &ended) {
		return err
	}
	left := o.Amount
	for _, f := range status.Fills {
		c, err := d.effect(ctx, f.Signature)
		if err != nil {
			return err
		}
		s.Changes = append(s.Changes, c)
		if f.InAmount > left {
			return fmt.Errorf("order %s: the fills use more than %s", o.Key, o.Amount)
		}
		left -= f.InAmount
	}
	if ended == nil {
		return nil
	}
	s.Outcome = partial
	if len(status.Fills) == 0 {
		s.Outcome = unfilled
	}
	mint := d.usdc
	if o.Side == sell {
		mint = d.log.book.known[o.Instrument].Mint
	}
	s.Changes = append(s.Changes, change{Tokens: map[string]int64{mint: int64(left)}})
	return nil
}
