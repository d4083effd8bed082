// Command walletbackend is a wallet service for several users, with an HTTP API
// and a page: it prepares what users ask for, shows the guard's report for review,
// signs what was approved, and follows it to its end, through restarts.
//
//	go run ./examples/walletbackend                      # on the sandbox
//	go run ./examples/walletbackend -data folder         # with a database that stays
//	go run ./examples/walletbackend -config deployment.json -data folder
//	go run ./examples/walletbackend -postgres -redis -otel http://localhost:4318
//	go run ./examples/walletbackend signer -data folder -socket path -config file
//	go run ./examples/walletbackend -signer path         # keys in that process
//
// deployment.example.json is a file of -config; package settings says what is in it,
// and where the secrets come from.
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
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "walletbackend:", err)
		os.Exit(1)
	}
}

// run is the program: the server, or the signer's process.
func run(ctx context.Context, arguments []string, out, log io.Writer) error {
	if len(arguments) > 0 && arguments[0] == "signer" {
		return runSigner(ctx, arguments[1:], out, log)
	}
	return runServer(ctx, arguments, out, log)
}
