package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
)

// run does what the options say and reports to out.
func run(ctx context.Context, o options, out *os.File) error {
	switch {
	case o.seed == 0 || o.days < 1 || o.markets < 1:
		return errors.New("-seed, -days and -markets must be above 0")
	case o.live != "" && o.backtest != "":
		return errors.New("-live and -backtest exclude each other")
	case o.signer != "" && o.live == "":
		return errors.New("-signer needs -live: a signer does not know the sandbox's ledger")
	case o.live != "" && o.out == "":
		return errors.New("-live needs -out: a restart finds its journals there")
	}
	var err error
	if o.out == "" {
		if o.out, err = os.MkdirTemp("", "tradingbot"); err != nil {
			return err
		}
	} else if err := os.MkdirAll(o.out, 0o700); err != nil {
		return err
	}
	if o.kill == "" {
		o.kill = filepath.Join(o.out, "kill")
	}
	switch {
	case o.backtest != "":
		return backtest(ctx, o, out)
	case o.live != "":
		d, err := load(ctx, o.live, o.signer)
		if err != nil {
			return err
		}
		_, err = trade(ctx, o, d, out)
		return err
	}
	if _, err := os.Stat(filepath.Join(o.out, bookName)); err == nil {
		return fmt.Errorf(
			"-out: %s holds the book of an earlier run, and each sandbox is a new ledger: name another folder", o.out,
		)
	}
	s, d, trouble, err := play(o.seed, o.faults, o.lasts())
	if err != nil {
		return err
	}
	defer s.Close()
	return onSandbox(ctx, o, s, d, trouble, out)
}

// onSandbox plays on the sandbox's clock, which runs as fast as the bot does.
func onSandbox(ctx context.Context, o options, s *sandbox.Sandbox, d *deployment, t *trouble, out *os.File) error {
	ended := make(chan error, 1)
	walletfi.Go(ctx, d.clock, func(ctx context.Context) {
		_, err := trade(ctx, o, d, out)
		ended <- err
	})
	if err := s.AdvanceUntil(ctx, 2*o.lasts(), func() bool { return len(ended) > 0 }); err != nil {
		return err
	}
	t.tell(out)
	return errors.Join(<-ended, violations(s))
}

// trade runs the bot on services until its end, and holds the book against the ledger.
func trade(ctx context.Context, o options, d *deployment, out *os.File) (_ *bot, err error) {
	m, err := openMarkets(ctx, d, o.markets, o.lasts())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, m.close()) }()
	log, err := openLog(filepath.Join(o.out, bookName), newBook(d.USDC, m.instruments()))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, log.close()) }()
	desk, err := openDesk(d, o.out, log)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, desk.close()) }()
	if err := desk.start(ctx); err != nil {
		return nil, err
	}
	var from source = m
	if o.record != "" {
		r, err := record(o.record, m, recording{USDC: d.USDC, Start: log.book.opening})
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, r.file.Close()) }()
		from = r
	}
	b := newBot(from, desk, log)
	if err := b.serve(ctx, o, out, newProgress(out, walletfi.Now(d.clock), o.lasts())); err != nil {
		return b, err
	}
	return b, desk.verify(ctx, out)
}

// serve runs the bot under its kill switch, and writes the reports even if it fails.
func (b *bot) serve(ctx context.Context, o options, out io.Writer, p progress) error {
	killed, stop := killSwitch(o.kill)
	defer stop()
	b.killed, b.progress, b.days.say = killed, p, p.say
	err := b.run(ctx)
	return errors.Join(err, b.report(o.out, out))
}

func newBot(from source, broker broker, log *ledgerLog) *bot {
	return &bot{
		source: from, broker: broker, log: log, strategy: newStrategy(), limits: newLimits(), last: prices{},
		days: &calendar{}, refused: map[string]int{}, prepared: map[string]bool{},
	}
}

// backtest is the same bot on recorded candles.
func backtest(ctx context.Context, o options, out *os.File) error {
	r, err := openReplay(o.backtest)
	if err != nil {
		return err
	}
	defer r.file.Close()
	log := &ledgerLog{book: newBook(r.USDC, r.Instruments)}
	if err := log.write(event{Started: &r.Start}); err != nil {
		return err
	}
	p := &paper{log: log, last: prices{}}
	b := newBot(r, p, log)
	p.last = b.last
	return b.serve(ctx, o, out, lines{out})
}

// start notes what the wallet holds when the bot first sees it, or follows what an
// earlier process left.
func (d *desk) start(ctx context.Context) error {
	if d.log.book.holds.Tokens != nil {
		return d.settle(ctx)
	}
	held, err := d.found(ctx)
	if err != nil {
		return err
	}
	return d.log.write(event{Started: &held})
}

// verify fails unless the book equals the ledger.
func (d *desk) verify(ctx context.Context, out io.Writer) error {
	held, err := d.found(ctx)
	if err != nil {
		return err
	}
	if err := d.log.book.agree(held); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "book equals ledger: %s lamports and %d tokens, to the last unit\n",
		held.Lamports, len(held.Tokens))
	return err
}
