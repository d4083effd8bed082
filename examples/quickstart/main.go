// Command quickstart shows the main job on the sandbox, without a key and
// without a network: services build transactions, the guard checks them, a
// local key signs them, and a node sends and confirms them. Every step checks
// its result; the first failed check ends the program with status 1.
//
//	go run ./examples/quickstart
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	if err := run(ctx, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

// steps in order: later steps use the results of earlier ones.
var steps = []struct {
	title string
	run   func(context.Context, *tour) error
}{
	{"lending: the yield of deposits", pools},
	{"lending: a deposit, from the service's bytes to the account", deposit},
	{"lending: a boosted withdrawal cools down for 48 hours", cooldown},
	{"burnclose: burn dust and close its account", burnDust},
	{"smartaccount: a policy enforces a spending limit", spendingPolicy},
	{"leverage: open a position, profit, close it", leveragedPosition},
	{"predictmeta: a market and its order book", predictionMarket},
	{"swap: a quote goes back byte for byte and is executed", swapQuoted},
	{"amm: a quote and its build, paced", swapAMM},
	{"providerswap: a quote with its transaction", swapProviders},
	{"onchaindata: a pool and its candles", marketData},
	{"socialsearch: posts under a spend budget", postSearch},
	{"webhooks: a signed delivery, handled once", signedDelivery},
	{"an attack: the service returns a transaction that drains the wallet", attack},
}

// run executes all steps and reports to out.
func run(ctx context.Context, out io.Writer) error {
	t, err := newTour(out)
	if err != nil {
		return err
	}
	defer t.close()
	for i, step := range steps {
		fmt.Fprintf(out, "\n%d. %s\n", i+1, step.title)
		if err := step.run(ctx, t); err != nil {
			return fmt.Errorf("step %d (%s): %w", i+1, step.title, err)
		}
	}
	if v := t.sandbox.Violations(); len(v) > 0 {
		return fmt.Errorf("the sandbox saw undocumented requests: %v", v)
	}
	fmt.Fprintf(out, "\nall %d steps done, every check held\n", len(steps))
	return nil
}
