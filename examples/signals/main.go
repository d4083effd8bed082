// Command signals shows the posts about a token next to its candles, and what
// reading them cost: the post search bills each post.
//
//	go run ./examples/signals                          # on a sandbox of its own
//	go run ./examples/signals -ticker DUST -hours 96 -budget 0.25
//	SOCIAL_URL=... SOCIAL_TOKEN=... MARKET_URL=... MARKET_KEY=... \
//	  go run ./examples/signals -ticker SOL -mint So11111111111111111111111111111111111111112
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/socialsearch"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "signals:", err)
		os.Exit(1)
	}
}

// question holds the command line flags.
type question struct {
	ticker, mint, network string
	hours                 int
	budget                socialsearch.Cost
}

func run(ctx context.Context, args []string, out io.Writer) error {
	q, err := parse(args)
	if err != nil {
		return err
	}
	open := openSandbox
	if os.Getenv("SOCIAL_URL") != "" {
		open = openLive
	}
	s, err := open(q.budget)
	if err != nil {
		return err
	}
	defer s.close()
	if q.mint = cmp.Or(q.mint, s.mint(q.ticker)); q.mint == "" {
		return fmt.Errorf("state the mint of %s with -mint", q.ticker)
	}
	return s.report(ctx, q, out)
}

// mostHours is how far back the post search goes, less the length of one
// candle.
const mostHours = int((7*24*time.Hour - candleLength) / time.Hour)

func parse(args []string) (q question, err error) {
	flags := flag.NewFlagSet("signals", flag.ContinueOnError)
	flags.StringVar(&q.ticker, "ticker", "SOL", "what posts call the token, without $")
	flags.StringVar(&q.mint, "mint", "", "the token's address; empty means that of the sandbox")
	flags.StringVar(&q.network, "network", "solana", "where it is traded")
	flags.IntVar(&q.hours, "hours", 48, fmt.Sprintf("how far to look back, at most %d", mostHours))
	budget := flags.String("budget", "1.00", "the most that the search may cost")
	if err := flags.Parse(args); err != nil {
		return q, err
	}
	if q.hours < 1 || q.hours > mostHours {
		return q, fmt.Errorf("-hours must be 1 to %d", mostHours)
	}
	amount, err := walletfi.ParseAmount(*budget, 6)
	if err != nil || amount == 0 || amount > 1<<62 {
		return q, fmt.Errorf("-budget must be an amount above 0, such as 0.25")
	}
	q.budget = socialsearch.Cost(amount)
	return q, nil
}
