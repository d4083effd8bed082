package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// commands are the subcommands, in the order of the help. Each is in a file of its
// own, and takes all that it needs from the streams.
var commands = []func(streams) *cobra.Command{
	newExplain,
	newVerifyWebhook,
	newJournal,
	newSandbox,
	newDeployment,
	newVersion,
}

// run runs a command line and returns the process's exit status.
func run(ctx context.Context, args []string, s streams) int {
	out := &sink{to: s.out}
	s.out = out
	root := newRoot(s)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = out.err // what could not be written was not said
	}
	if err == nil {
		return 0
	}
	fmt.Fprintf(s.err, "walletfi: %s\n", oneLine(err))
	status := statusOf(err)
	if status == statusUsage {
		fmt.Fprintln(s.err, "Run 'walletfi --help' for the commands and their flags.")
	}
	return status
}

func newRoot(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "walletfi",
		Short: "Explain transactions, verify webhooks, look into journals, run the services on loopback, try a deployment",
		Long: "walletfi explains a Solana transaction before it is signed, verifies webhook\n" +
			"deliveries, looks into a wallet's journal, and runs all eleven services on loopback\n" +
			"for programs in any language.",
		SilenceErrors: true, SilenceUsage: true,
		// Without a subcommand there is nothing to do, so say what there is.
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage("there is no command %q", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return as(statusUsage, err) })
	for _, command := range commands {
		root.AddCommand(command(s))
	}
	root.AddCommand(&cobra.Command{
		Use: "exit-status", Short: "The exit statuses",
		Long: "walletfi exits with one of these statuses:\n\n" + statusTable(),
	})
	return root
}

// sink remembers that a write has failed: the answer is then not whole.
type sink struct {
	to  io.Writer
	err error
}

func (s *sink) Write(b []byte) (int, error) {
	n, err := s.to.Write(b)
	if err != nil && s.err == nil {
		s.err = fmt.Errorf("the output could not be written: %w", err)
	}
	return n, err
}

// oneLine keeps an error to one line, and what a file or a transaction has put
// into it from steering the terminal.
func oneLine(err error) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r < ' ' || r >= 0x7f && r < 0xa0:
			return '\uFFFD'
		}
		return r
	}, err.Error())
}

// noArgs and atMostOne are cobra's, with the status of a usage error.
func noArgs(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("%q is not expected", args[0])
	}
	return nil
}

func atMostOne(_ *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usage("%q is not expected: one at a time", args[1])
	}
	return nil
}

func usage(format string, args ...any) error {
	return as(statusUsage, fmt.Errorf(format, args...))
}

var errUnset = errors.New("is not set")
