// Command live deposits with a lending service and withdraws again, on real services: the
// guide is docs/going-live.md. live.example.json is a file of -config. The secrets come
// from the environment: LENDING_API_KEY, and RPC_URLS, the addresses of one or more nodes
// with blanks between them.
//
//	live -learn -amount 3                  # ask for builds, and show which pins follow
//	live -learn -amount 3 -accept DIGEST   # write those pins, if they are still the same
//	live -check -amount 3                  # what the nodes can prove, what the guard says
//	live -order KEY -amount 25.5           # deposit once, however often it is run
//	live -order KEY -amount 25.5 -withdraw
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/walletfi/walletfi-go"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "live:", explained(err))
		os.Exit(1)
	}
}

// task holds the flags.
type task struct {
	config, accept, order, amount string
	learn, check, withdraw        bool

	units    walletfi.Amount // -amount in smallest units
	decimals int             // of the mint
}

func run(ctx context.Context, arguments []string, out, log io.Writer) (err error) {
	var t task
	f := flag.NewFlagSet("live", flag.ContinueOnError)
	f.StringVar(&t.config, "config", "live.json", "file of the settings")
	f.StringVar(&t.amount, "amount", "", "amount in whole tokens, such as 25.5")
	f.BoolVar(&t.learn, "learn", false, "ask for builds, and show which pins follow from them")
	f.StringVar(&t.accept, "accept", "", "with -learn: write the pins that have this digest")
	f.BoolVar(&t.check, "check", false, "ask what the nodes can prove, and have the guard judge a build")
	f.StringVar(&t.order, "order", "", "place the order with this key")
	f.BoolVar(&t.withdraw, "withdraw", false, "withdraw in place of a deposit")
	if err := f.Parse(arguments); err != nil {
		return err
	}
	if t.amount == "" || !t.learn && !t.check && t.order == "" || f.NArg() > 0 {
		return errors.New("-amount and one of -learn, -check and -order are needed")
	}
	l := &live{}
	defer func() { err = errors.Join(err, l.close()) }()
	if err := l.open(t.config, log); err != nil {
		return err
	}
	if t.units, t.decimals, err = l.read(ctx, t.amount); err != nil {
		return err
	}
	switch {
	case t.learn:
		return l.learn(ctx, out, t)
	case t.check:
		return l.check(ctx, out, t)
	}
	return l.place(ctx, out, t)
}
