// Command bestquote asks three services at once to quote a swap, shows their
// quotes in a table, and executes the best one: the guard checks the service's
// transactions, a local key signs them, and a node sends and confirms them.
//
//	go run ./examples/bestquote
//	go run ./examples/bestquote -from SOL -to USDT -amount 0.5 -slippage 30
//	go run ./examples/bestquote -to DUST -amount 5 -service amm -legacy # in two transactions
//	go run ./examples/bestquote -live deployment.json -send -order 1234
//
// It runs on the sandbox unless -live names the file of a deployment (see the
// type deployment). On a deployment nothing is signed without -send.
package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/walletfi/walletfi-go/sandbox"
)

// options are the command line flags.
type options struct {
	from, to, amount string
	slippageBps      int
	service          string // use the offer of this service, "" for the best
	legacy           bool
	live             string // file of a deployment, "" for the sandbox
	send             bool
	journal, order   string
	sandbox          sandbox.Config
}

func main() {
	var o options
	flag.StringVar(&o.from, "from", "USDC", "token to give: a symbol or a mint")
	flag.StringVar(&o.to, "to", "SOL", "token to get: a symbol or a mint")
	flag.StringVar(&o.amount, "amount", "25", "how much to give, in whole tokens")
	flag.IntVar(&o.slippageBps, "slippage", 50, "how far the price may move, in basis points")
	flag.StringVar(&o.service, "service", "", "take the offer of amm, swap or providerswap; empty means the best")
	flag.BoolVar(&o.legacy, "legacy", false, "ask amm for transactions without lookup tables")
	flag.StringVar(&o.live, "live", "", "JSON file of a deployment; empty means the sandbox")
	flag.BoolVar(&o.send, "send", false, "with -live: sign and send, not only check")
	flag.StringVar(&o.journal, "journal", "bestquote.journal", "with -live: file of what was signed and sent")
	flag.StringVar(&o.order, "order", "", "name of this payment: the same name never pays twice; empty draws one")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	if err := run(ctx, os.Stdout, o); err != nil {
		fmt.Fprintln(os.Stderr, "bestquote:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, o options) error {
	d, err := o.deployment()
	if err != nil {
		return err
	}
	defer d.close()
	t, err := newTrader(out, d)
	if err != nil {
		return err
	}
	defer t.close()
	if err := t.resume(ctx); err != nil {
		return err
	}
	want, err := t.read(ctx, o)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s %s for %s, up to %d basis points of slippage\n\n",
		want.amount.UI(want.from.Decimals), want.from.Symbol, want.to.Symbol, want.slippageBps)
	offers := t.ask(ctx, want)
	table(out, offers, want.to)
	chosen, err := choose(offers, o.service)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%s it is\n", chosen.service)
	return t.take(ctx, want, chosen, d.send, cmp.Or(o.order, rand.Text()))
}

// deployment returns the deployment that the options name.
func (o options) deployment() (*deployment, error) {
	if o.live == "" {
		return sandboxed(o.sandbox)
	}
	d, err := load(o.live)
	if err != nil {
		return nil, err
	}
	d.send, d.journal = o.send, o.journal
	return d, nil
}

// choose returns the offer with the largest output, or that of one service. It
// ignores the network fees of the transactions.
func choose(offers []*offer, service string) (*offer, error) {
	var best *offer
	for _, o := range offers {
		if service != "" && o.service != service {
			continue
		}
		if o.err == nil && (best == nil || o.out > best.out) {
			best = o
		}
	}
	if best == nil {
		return nil, fmt.Errorf("no offer from %s", cmp.Or(service, "any service"))
	}
	return best, nil
}
