package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// read decodes a transaction in base64 or base58. A text that is valid in both
// is read as base64. A transaction in base58 is practically never one in base64
// too.
func read(text string) (*signing.Transaction, error) {
	tx, err := signing.Decode(walletfi.Base64Transaction(text))
	if err == nil {
		return tx, nil
	}
	if tx, e := signing.Decode(walletfi.Base58Transaction(text)); e == nil {
		return tx, nil
	}
	return nil, err
}

// explain prints the parts of a transaction and the guard's report.
func (f flags) explain(ctx context.Context, out io.Writer, tx *signing.Transaction) error {
	parts(out, tx)
	policy, err := f.policy()
	if err != nil {
		return err
	}
	intent := walletfi.Intent{Owner: f.owner, Service: f.service}
	if intent.Owner == "" {
		intent.Owner = tx.FeePayer().String()
	}
	report, err := signing.NewGuard(policy).Check(ctx, tx, intent)
	if err != nil && !errors.Is(err, signing.ErrRefused) {
		return err
	}
	fmt.Fprintf(out, "\n%s", report)
	if err == nil {
		fmt.Fprintln(out, "  passes   an intent that spends nothing")
	}
	return nil
}

// parts prints the parts of a transaction.
func parts(out io.Writer, tx *signing.Transaction) {
	fmt.Fprintf(out, "%s transaction, %d bytes, blockhash %s\n", tx.Version(), tx.Len(), tx.Blockhash())
	for i, signer := range tx.Signers() {
		state := "has not signed"
		if slot := tx.Signatures()[i]; slot.Verify(signer, tx.Message()) {
			state = "has signed"
		} else if !slot.IsZero() {
			state = "has a signature that is not valid"
		}
		fmt.Fprintf(out, "  signer   %s %s\n", signer, state)
	}
	for i, ins := range tx.Instructions() {
		fmt.Fprintf(out, "  %-8d %s, %d accounts, %d bytes\n",
			i, signing.ProgramName(ins.Program), len(ins.Accounts), len(ins.Data))
	}
	for _, table := range tx.Lookups() {
		fmt.Fprintf(out, "  table    %s loads %d\n", table.Table, len(table.Writable)+len(table.Readonly))
	}
	if config, ok := tx.Config(); ok {
		fmt.Fprintf(out, "  config   %d lamports of priority fee, %d units, heap of %d bytes\n",
			config.PriorityFeeLamports, config.ComputeUnitLimit, config.HeapBytes)
	}
}
