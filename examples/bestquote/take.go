package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// take builds the offer, and executes it or, without send, only checks it.
func (t *trader) take(ctx context.Context, want order, o *offer, send bool, name string) error {
	built, err := o.build(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(t.out, "built      transactions: %d\n", len(built.Transactions))
	if !send {
		_, report, err := t.guard.CheckSet(ctx, built)
		t.show(report)
		return err
	}
	result, err := t.execute(ctx, built, name)
	if err != nil {
		return err
	}
	arrived, _, known := result.Net(t.owner.String(), want.to.Mint)
	if !known {
		return errors.Join(errors.New("it is confirmed, and what arrived is not known"), result.Steps[len(result.Steps)-1].EffectsErr)
	}
	note := ""
	if want.to.Mint == walletfi.NativeMint {
		note = ", after network fees"
	}
	fmt.Fprintf(t.out, "arrived    %s %s%s\n", arrived.UI(want.to.Decimals), want.to.Symbol, note)
	return nil
}

// execute guards and signs all transactions, then sends them in order, each
// after the previous one is confirmed. If it is run again with the same name, it
// finds what was paid.
func (t *trader) execute(ctx context.Context, built walletfi.Unsigned, name string) (*wallet.Result, error) {
	result, err := t.wallet.Execute(ctx, built, wallet.ExecuteOptions{Key: name})
	if result != nil {
		t.show(result.Report)
		for i, step := range result.Steps {
			fmt.Fprintf(t.out, "%d of %d     %s: %s\n", i+1, len(result.Steps), step.State, step.Signature)
		}
	}
	if errors.Is(err, wallet.ErrExpired) {
		return result, fmt.Errorf("ask for new quotes: %w", err)
	}
	return result, err
}

// show prints the guard's report, including a refusal.
func (t *trader) show(report *signing.Report) {
	if report == nil {
		return // the guard did not run
	}
	for line := range strings.Lines(report.String()) {
		fmt.Fprintf(t.out, "guard      %s\n", strings.TrimRight(line, "\n"))
	}
}
