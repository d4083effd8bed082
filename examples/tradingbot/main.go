// Command tradingbot runs a strategy on prediction markets and on SOL: candles and a
// feed in, orders out, with a book that is exact to the last unit.
//
//	go run ./examples/tradingbot                        # ten days on the sandbox, with faults
//	go run ./examples/tradingbot -seed 7 -record c.jsonl
//	go run ./examples/tradingbot -backtest c.jsonl      # the same code on recorded candles
//	go run ./examples/tradingbot -live deployment.json -out state
//	go run ./examples/tradingbot -live deployment.json -out state -signer /run/walletfi/signer.sock
//
// The sandbox's clock is moved by hand, so that ten days take some seconds. At the end
// the book must agree with the ledger, or the program fails. A run with -live goes on
// until it is killed (an interrupt, or the file kill in its folder): it then opens
// nothing more, closes what is open and ends. After kill -9, start it again with the
// same folder.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"
)

// options are the command line flags.
type options struct {
	seed     uint64
	days     int
	faults   bool
	out      string // folder of the journals, reports and charts
	backtest string
	record   string
	live     string
	signer   string
	kill     string
	markets  int
}

func main() {
	var o options
	flag.Uint64Var(&o.seed, "seed", 1, "of the sandbox and its faults, above 0")
	flag.IntVar(&o.days, "days", 10, "how many days to play")
	flag.BoolVar(&o.faults, "faults", true, "on the sandbox: lose answers, transactions and feeds, refuse, move prices")
	flag.StringVar(&o.out, "out", "", "folder of journals, reports and charts; empty makes a new one; required with -live")
	flag.StringVar(&o.backtest, "backtest", "", "file of recorded candles to run on, with no service at all")
	flag.StringVar(&o.record, "record", "", "file to record candles in")
	flag.StringVar(&o.live, "live", "", "JSON file of a deployment; empty means the sandbox")
	flag.StringVar(&o.signer, "signer", "", "with -live: the Unix socket of a walletfi-signer that holds the wallet's key")
	flag.StringVar(&o.kill, "kill", "", "stop as soon as this file exists; empty means kill in the folder of -out")
	flag.IntVar(&o.markets, "markets", 3, "how many prediction markets to trade")
	flag.Parse()
	if err := run(context.Background(), o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "tradingbot:", err)
		os.Exit(1)
	}
}

// lasts is how long the run takes on its clock, 0 if it has no end.
func (o options) lasts() time.Duration {
	if o.live != "" {
		return 0
	}
	return time.Duration(o.days) * 24 * time.Hour
}
