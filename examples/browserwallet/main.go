// Command browserwallet is a backend that builds payments, and a page whose user signs them with a
// wallet in the browser, by the Wallet Standard. It runs on the sandbox, without a key and without a
// network:
//
//	go run ./examples/browserwallet
//
// The key of the sandbox's user is in nobody's browser: the test adds a wallet that has it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "browserwallet:", err)
		os.Exit(1)
	}
}

// run serves until ctx ends.
func run(ctx context.Context, arguments []string, out io.Writer) error {
	flags := flag.NewFlagSet("browserwallet", flag.ContinueOnError)
	listen := flags.String("listen", "127.0.0.1:8080", "address to serve at; port 0 means any free port")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", *listen)
	if err != nil {
		return err
	}
	box, err := sandbox.Start(sandbox.Config{})
	if err != nil {
		return err
	}
	defer box.Close()
	b, err := newBackend(box, listener.Addr().String())
	if err != nil {
		return err
	}
	defer b.close()
	server := &http.Server{Handler: b.handler(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	fmt.Fprintf(out, "browserwallet at http://%s\n", b.domain)
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// newBackend connects to a sandbox. Its pages are served at domain, such as
// "127.0.0.1:8080": what a user signs in to.
func newBackend(box *sandbox.Sandbox, domain string) (*backend, error) {
	options := box.Options()
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(box.URL(sandbox.RPC)), Clock: options.Clock})
	if err != nil {
		return nil, err
	}
	deposits, err := lending.New(lending.Config{
		BaseURL: box.URL(sandbox.Lending), APIKey: walletfi.NewSecret(box.APIKey(sandbox.Lending)), Options: options,
	})
	if err != nil {
		return nil, err
	}
	guard := signing.NewGuard(signing.Policy{Pins: map[string][]signing.PublicKey{
		"lending": {signing.MustPublicKey(box.ProgramID(sandbox.Lending)), signing.MustPublicKey(lighthouse)},
	}})
	// A program that is kept running gives it a journal in a file or a database.
	w, err := wallet.New(wallet.Config{
		Node: node, Guard: guard, Clock: options.Clock, Journal: wallet.NewMemoryJournal(),
	})
	if err != nil {
		return nil, err
	}
	return &backend{
		domain: domain, mint: box.Mint("USDC"), lending: deposits, wallet: w, now: time.Now,
		sessions: map[string]*session{},
	}, nil
}

// lighthouse is the program whose assertions browser wallets add to what they sign.
const lighthouse = "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95"
