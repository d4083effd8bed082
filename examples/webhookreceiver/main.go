// Command webhookreceiver receives the deliveries of the webhook service and
// prints each event once. It remembers across restarts and crashes which events
// it has printed.
//
//	go run ./examples/webhookreceiver                # against a sandbox of its own
//	WEBHOOK_SECRET=... go run ./examples/webhookreceiver -listen 127.0.0.1:8080 -store seen.jsonl
//
// The service delivers only to https: run the second form with a proxy that
// terminates TLS.
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
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "webhookreceiver:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("webhookreceiver", flag.ContinueOnError)
	listen := flags.String("listen", "", "address to receive on; empty means to run against a sandbox")
	store := flags.String("store", "seen.jsonl", "file that remembers what was printed, with -listen")
	secret := flags.String("secret", "",
		"shared secret of the deliveries; empty means that of WEBHOOK_SECRET, which no list of processes shows")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *listen == "" {
		return demo(ctx, out)
	}
	if *secret == "" {
		*secret = os.Getenv("WEBHOOK_SECRET")
	}
	return receive(ctx, out, *listen, *store, walletfi.NewSecret(*secret))
}
