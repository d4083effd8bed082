package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus/hold"
)

// victim returns a key that owns nothing, and attacks on it.
func victim() (*signing.LocalKey, []corpus.Attack, error) {
	key, err := signing.GenerateLocalKey()
	if err != nil {
		return nil, nil, err
	}
	return key, corpus.Attacks(corpus.Config{Owner: key.PublicKey(), Seed: 1}), nil
}

// list prints each technique once, with its rule and its aim.
func list(out io.Writer) error {
	_, attacks, err := victim()
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	last := ""
	for _, a := range attacks {
		if a.Technique != last {
			fmt.Fprintf(table, "%s\t%s\tto %s\n", a.Rule, a.Technique, a.Aim)
		}
		last = a.Technique
	}
	return table.Flush()
}

// attack shows how the guard refuses a technique in every format, or one case
// of it.
func attack(ctx context.Context, out io.Writer, name string) error {
	key, attacks, err := victim()
	if err != nil {
		return err
	}
	shown := 0
	for _, a := range attacks {
		if a.Name != name && a.Technique != name {
			continue
		}
		shown++
		fmt.Fprintf(out, "%s, to %s\n", a.Name, a.Aim)
		for _, encoded := range a.Unsigned.Transactions {
			if tx, err := signing.Decode(encoded); err == nil {
				parts(out, tx)
			}
		}
		_, report, err := hold.Guard(a.Case).SignSet(ctx, a.Unsigned, key, hold.Options(a.Case)...)
		if !errors.Is(err, signing.ErrRefused) {
			return fmt.Errorf("%s was not refused: %w", a.Name, err)
		}
		fmt.Fprintf(out, "%s\n", report)
	}
	if shown == 0 {
		return fmt.Errorf("no attack is called %q; use -list", name)
	}
	return nil
}

// parts prints the parts of a transaction.
func parts(out io.Writer, tx *signing.Transaction) {
	fmt.Fprintf(out, "%s transaction, %d bytes, blockhash %s\n", tx.Version(), tx.Len(), tx.Blockhash())
	for i, ins := range tx.Instructions() {
		fmt.Fprintf(out, "  %-8d %s, %d accounts, %d bytes\n",
			i, signing.ProgramName(ins.Program), len(ins.Accounts), len(ins.Data))
	}
}
