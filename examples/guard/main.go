// Command guard explains what a Solana transaction does, before it is signed.
//
//	guard [-owner ADDRESS] [-service NAME -pin PROGRAM] TRANSACTION   explain a transaction, base64 or base58
//	guard -file FILE                                                  explain the transaction in a file
//	guard < FILE                                                      explain the transaction on standard input
//	guard -list                                                       list the attacks of the corpus
//	guard -attack NAME                                                show how the guard refuses one
//	guard -show                                                       refuse three attacks, and report with symbols
//
// The purpose of a single transaction is not known, so it is checked against an
// intent that spends nothing: the guard's first refusal shows what the
// transaction does.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/walletfi/walletfi-go/signing"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdin, os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "guard:", err)
		os.Exit(1)
	}
}

// flags holds the command line flags.
type flags struct {
	owner, service, pin, file, attack string
	list, show                        bool
}

func run(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	var f flags
	set := flag.NewFlagSet("guard", flag.ContinueOnError)
	set.SetOutput(out)
	set.StringVar(&f.owner, "owner", "", "the `address` that would sign; default the fee payer")
	set.StringVar(&f.service, "service", "", "the service that built the transaction")
	set.StringVar(&f.pin, "pin", "", "a program that the service may call")
	set.StringVar(&f.file, "file", "", "read the transaction from this file")
	set.StringVar(&f.attack, "attack", "", "show how the guard refuses this attack of the corpus")
	set.BoolVar(&f.show, "show", false, "refuse three attacks, and report with symbols")
	set.BoolVar(&f.list, "list", false, "list the attacks of the corpus")
	if err := set.Parse(args); err != nil {
		return err
	}
	switch {
	case f.list:
		return list(out)
	case f.show:
		return show(ctx, out)
	case f.attack != "":
		return attack(ctx, out, f.attack)
	}
	text, err := f.text(set.Args(), in)
	if err != nil {
		return err
	}
	tx, err := read(text)
	if err != nil {
		return err
	}
	return f.explain(ctx, out, tx)
}

// text returns the transaction from the arguments, the file or standard input.
func (f flags) text(args []string, in io.Reader) (string, error) {
	if len(args) > 1 {
		return "", fmt.Errorf("got %d transactions, pass one at a time", len(args))
	}
	if len(args) == 1 {
		return strings.TrimSpace(args[0]), nil
	}
	if f.file != "" {
		b, err := os.ReadFile(f.file)
		return strings.TrimSpace(string(b)), err
	}
	b, err := io.ReadAll(io.LimitReader(in, 1<<16))
	return strings.TrimSpace(string(b)), err
}

func (f flags) policy() (signing.Policy, error) {
	if f.pin == "" {
		return signing.Policy{}, nil
	}
	program, err := signing.ParsePublicKey(f.pin)
	return signing.Policy{Pins: map[string][]signing.PublicKey{f.service: {program}}}, err
}
