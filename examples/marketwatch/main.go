// Command marketwatch shows a prediction market live in the terminal: its
// price, its order book and its last trades, and draws its candles as a PNG.
//
//	go run ./examples/marketwatch                     # on a sandbox of its own
//	go run ./examples/marketwatch -market SOL-R6-M1 -for 1m -chart candles.png
//	MARKETS_URL=... FEED_URL=... MARKETS_KEY=... go run ./examples/marketwatch -market TICKER
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "marketwatch:", err)
		os.Exit(1)
	}
}

// options are the command line flags.
type options struct {
	market string
	lasts  time.Duration
	chart  string // path of the PNG, empty for none
}

func run(ctx context.Context, args []string, out io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	open := openSandbox
	if os.Getenv("MARKETS_URL") != "" {
		open = openLive
	}
	s, err := open()
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.watch(ctx, o, out); err != nil {
		return err
	}
	if o.chart == "" || ctx.Err() != nil {
		return nil
	}
	n, err := s.chart(ctx, o)
	if err != nil {
		return fmt.Errorf("chart: %w", err)
	}
	_, err = fmt.Fprintf(out, "%d candles of an hour in %s\n", n, o.chart)
	return err
}

func parse(args []string) (o options, err error) {
	flags := flag.NewFlagSet("marketwatch", flag.ContinueOnError)
	flags.StringVar(&o.market, "market", "BTC-R6-M1", "ticker of the market")
	flags.DurationVar(&o.lasts, "for", 5*time.Second, "how long to watch")
	flags.StringVar(&o.chart, "chart", "",
		"where to write the candles of the last two days, as a PNG; empty means nowhere")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.lasts <= 0 {
		return o, errors.New("-for must be above 0")
	}
	return o, nil
}
