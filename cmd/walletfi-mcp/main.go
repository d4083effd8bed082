// Command walletfi-mcp lets an agent read the services, and trade within what a signer allows. It
// speaks the Model Context Protocol on standard input and output, and nowhere else:
//
//	walletfi-mcp --service lending --service swap
//
// A service's address and key are in the environment, such as WALLETFI_LENDING_URL and
// WALLETFI_LENDING_KEY, or in files. What the agent can cost and move is bounded by the flags and
// by the signer, not by what the agent says. The guide is docs/agents.md.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/walletfi/walletfi-go/internal/peer"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal kills, should the end hang
	os.Exit(program(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// program runs a command line and returns the process's exit status: 0 if the host ended the session,
// 2 if the command line is wrong, else 1.
func program(ctx context.Context, args []string, in io.ReadCloser, out io.WriteCloser, log io.Writer) int {
	c := &config{in: in, out: out, log: log, mask: masker{peer.NewMask(nil)}}
	cmd := c.command()
	cmd.SetArgs(args)
	cmd.SetOut(out) // of --help and --version
	cmd.SetErr(log)
	err := cmd.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintf(log, "walletfi-mcp: %s\n", c.mask.error(err))
	if !c.isSound {
		fmt.Fprintln(log, "Run 'walletfi-mcp --help' for examples and flags.")
		return 2
	}
	return 1
}
