// Command guard shows how the guard refuses attacks. What a transaction of yours does,
// "walletfi explain" tells.
//
//	guard -list           list the attacks of the corpus
//	guard -attack NAME    show how the guard refuses one
//	guard -show           refuse three attacks, and report an honest swap with symbols
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "guard:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("guard", flag.ContinueOnError)
	flags.SetOutput(out)
	name := flags.String("attack", "", "show how the guard refuses this attack of the corpus")
	three := flags.Bool("show", false, "refuse three attacks, and report with symbols: the default")
	all := flags.Bool("list", false, "list the attacks of the corpus")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case *all:
		return list(out)
	case *three || *name == "":
		return show(ctx, out)
	}
	return attack(ctx, out, *name)
}
