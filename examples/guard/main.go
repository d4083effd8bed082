// Guard reads a Solana transaction before it is signed, and says what it does.
//
//	guard [-owner ADDRESS] [-service NAME -pin PROGRAM] TRANSACTION   explain a transaction, base64 or base58
//	guard -file FILE                                                  explain the one in a file
//	guard < FILE                                                      explain the one on standard input
//	guard -list                                                       list the attacks of the corpus
//	guard -attack NAME                                                show one of them being refused
//
// Nobody said what a transaction that comes alone is for, so that it is held
// against an intent that lets nothing go: what the guard refuses first is what
// the transaction wants.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/walletfi/walletfi-go/signing"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "guard:", err)
		os.Exit(1)
	}
}

// flags are what the command line says.
type flags struct {
	owner, service, pin, file, attack string
	list                              bool
}

func run(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	var f flags
	set := flag.NewFlagSet("guard", flag.ContinueOnError)
	set.SetOutput(out)
	set.StringVar(&f.owner, "owner", "", "who is asked to sign; the fee payer where it is not said")
	set.StringVar(&f.service, "service", "", "the service that built the transaction")
	set.StringVar(&f.pin, "pin", "", "a program that the service may call")
	set.StringVar(&f.file, "file", "", "read the transaction from this file")
	set.StringVar(&f.attack, "attack", "", "show an attack of the corpus being refused")
	set.BoolVar(&f.list, "list", false, "list the attacks of the corpus")
	if err := set.Parse(args); err != nil {
		return err
	}
	switch {
	case f.list:
		return list(out)
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

// text is the transaction from wherever it is.
func (f flags) text(args []string, in io.Reader) (string, error) {
	if len(args) > 1 {
		return "", fmt.Errorf("%d transactions, one at a time", len(args))
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
