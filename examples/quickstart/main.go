// Command quickstart shows the main job on the sandbox, without a key and
// without a network: services build transactions, the guard reads them, a
// local key signs, they are sent and confirmed, the accounts show it. Every
// step is checked; the first check that fails ends the program with status 1.
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

// steps in order: later ones stand on what earlier ones did.
var steps = []struct {
	title string
	run   func(context.Context, *tour) error
}{
	{"lending: what deposits yield", pools},
	{"lending: a deposit, from the service's bytes to the account", deposit},
	{"lending: a boosted withdrawal cools down for 48 hours", cooldown},
	{"burnclose: dust is burned, its account closed", burnDust},
	{"smartaccount: a policy holds a spending limit", spendingPolicy},
	{"leverage: a position opened, in profit, closed", leveragedPosition},
	{"predictmeta: a market and its order book", predictionMarket},
	{"swap: a quote goes back byte for byte and is swapped on", swapQuoted},
	{"amm: a quote and its build under pacing", swapAMM},
	{"providerswap: a quote that brings its transaction", swapProviders},
	{"onchaindata: a pool and its candles", marketData},
	{"socialsearch: posts under a spend budget", postSearch},
	{"webhooks: a signed delivery, handled once", signedDelivery},
	{"an attack: the service answers with a drainer's transaction", attack},
}

// run does all steps and writes what happens to out.
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
		return fmt.Errorf("the sandbox saw what no documentation knows: %v", v)
	}
	fmt.Fprintf(out, "\nall %d steps done, every check held\n", len(steps))
	return nil
}
