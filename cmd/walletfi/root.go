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
	newTrigger,
	newListen,
	newJournal,
	newTrace,
	newInit,
	newDoctor,
	newSandbox,
	newDeployment,
	newVersion,
	newExitStatus,
}

// run runs a command line and returns the process's exit status.
func run(ctx context.Context, args []string, s streams) int {
	out := &sink{to: s.out, busy: s.busy}
	s.out, s.err = out, &sink{to: s.err, busy: s.busy}
	root := newRoot(s)
	root.SetArgs(args)
	stop := s.busy.start(strings.Join(args[:min(1, len(args))], ""))
	cmd, err := root.ExecuteContextC(ctx)
	stop()
	if err == nil {
		err = out.err // what could not be written was not said
	}
	if err == nil {
		return 0
	}
	fmt.Fprintf(s.err, "walletfi: %s\n", oneLine(err))
	status := statusOf(err)
	if status == statusUsage {
		fmt.Fprintf(s.err, "Run '%s --help' for examples and flags.\n", cmd.CommandPath())
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
		Version: versionText(),
	}
	for _, command := range commands {
		root.AddCommand(command(s))
	}
	group(root) // without a subcommand there is nothing to do, so say what there is
	root.SetVersionTemplate("{{.Version}}")
	stateExits(root)
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(flagError)
	return root
}

// sink remembers that a write has failed: the answer is then not whole.
type sink struct {
	to   io.Writer
	busy *progress
	err  error
}

func (s *sink) Write(b []byte) (int, error) {
	s.busy.clear()
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
