// Command walletfi explains a transaction before it is signed, verifies a webhook
// delivery, looks into a wallet's journal, and runs all eleven services on loopback for
// programs in any language.
//
//	walletfi explain TRANSACTION...   what it does, and whether the guard would sign it
//	walletfi verify-webhook [FILE]    whether a delivery is the service's
//	walletfi trigger EVENT URL        send a signed test delivery
//	walletfi listen                   verify deliveries, and forward them to a local port
//	walletfi trace KEY                what happened to a payment
//	walletfi journal COMMAND          a payment in a wallet's journal, its evidence, the file
//	walletfi init DIR                 a program's skeleton, with its config and tests
//	walletfi doctor                   keys, limits, node, clock, signer: what to do
//	walletfi sandbox                  the services, a Solana node and a funded wallet
//	walletfi deployment COMMAND       write, check and run the file of a deployment
//	walletfi version
//	walletfi completion SHELL
//
// What was asked for is on standard output, everything else on standard error. The
// exit status says what kind of failure it was; walletfi help exit-status lists them.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// streams are the process's files, so that tests can have others.
type streams struct {
	in       io.Reader
	out, err io.Writer
	busy     *progress
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal kills, should the end hang.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr, newProgress(os.Stderr)}))
}
