// Package program is the command walletfi-signer, which a module that holds keys elsewhere builds
// with a backend more.
package program

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
)

// Backend holds keys of owners in a way that serve does not know by itself.
type Backend interface {
	// Flags adds what serve needs to find the keys.
	Flags(*pflag.FlagSet)
	// Keys are those that it has of the policy's owners: none if its flags are not set.
	Keys(context.Context, *signer.Policy) ([]signing.Signer, error)
	// Command has the subcommands of the backend.
	Command() *cobra.Command
	// Close ends what a command line has begun.
	Close() error
}

// Database is a Backend that has a store which signers share, nil if its flags are not set.
type Database interface {
	Backend
	Database(context.Context) (*sql.DB, error)
}

// shared opens the store that signers share, if the command line names one.
func shared(ctx context.Context, backends []Backend) (db *sql.DB, err error) {
	for _, b := range backends {
		if has, ok := b.(Database); ok && db == nil && err == nil {
			db, err = has.Database(ctx)
		}
	}
	return db, err
}

// Main runs the process's command line and returns its exit status.
func Main(backends ...Backend) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := harden(); err != nil {
		fmt.Fprintf(os.Stderr, "walletfi-signer: keeping keys out of dumps and swap: %v\n", err)
		return 1
	}
	return Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, backends...)
}

// Run runs a command line and returns the process's exit status.
func Run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer, backends ...Backend) int {
	root := &cobra.Command{
		Use: "walletfi-signer", Short: "Hold keys, and sign what a policy allows",
		SilenceErrors: true, SilenceUsage: true,
	}
	root.PersistentFlags().String("socket", "signer.sock", "the signer's Unix socket")
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	root.AddCommand(newServe(backends), newImport(backends), newInit(), newCheckPolicy(), newPolicy(), newJudge(),
		newAudit(backends), newApprove(), newApprovePolicy(), newBackup(), newRestore(), newReconcile(), newRotate(),
		newSweep(),
		newShow("grants", "List the grants that were asked for, with what approvers said"),
		newSwitch("freeze", "Sign nothing more, and list what can still land"), newSwitch("thaw", "Sign again"),
		newSwitch("beat", "Say that an admin is there, before the policy's heartbeat ends"),
		newShow("ledger", "Show what of each window is used, open and left"),
		newShow("health", "Show whether the signer can sign"), newShow("log", "Export the log, a JSON text a line"))
	for _, b := range backends {
		root.AddCommand(b.Command())
	}
	err := root.ExecuteContext(ctx)
	for _, b := range backends {
		err = errors.Join(err, b.Close())
	}
	if err != nil {
		fmt.Fprintf(errs, "walletfi-signer: %v\n", err)
		return statusOf(err)
	}
	return 0
}
