// Command walletfi-signer holds keys and signs what a policy allows. See package signer.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run runs a command line and returns the process's exit status.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	root := &cobra.Command{
		Use: "walletfi-signer", Short: "Hold keys, and sign what a policy allows",
		SilenceErrors: true, SilenceUsage: true,
	}
	root.PersistentFlags().String("socket", "signer.sock", "the signer's Unix socket")
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	root.AddCommand(newServe(), newInit(), newCheckPolicy(), newPolicy(), newJudge(), newAudit(), newApprove(),
		newShow("grants", "List the grants that were asked for, with what approvers said"),
		newSwitch("freeze", "Sign nothing more, and list what can still land"), newSwitch("thaw", "Sign again"),
		newSwitch("beat", "Say that an admin is there, before the policy's heartbeat ends"),
		newShow("ledger", "Show what of each window is used, open and left"),
		newShow("health", "Show whether the signer can sign"), newShow("log", "Export the log, a JSON text a line"))
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintf(errs, "walletfi-signer: %v\n", err)
		return 1
	}
	return 0
}
