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

// take executes the offer or, without send, only checks it. If it is run again with the
// same name, it finds what was paid.
func (t *trader) take(ctx context.Context, want order, o *offer, send bool, name string) error {
	if !send {
		return t.check(ctx, o)
	}
	placed, err := t.wallet.Place(ctx, o.order, wallet.PlaceOptions{Key: name})
	t.show(placed.Result.Report)
	steps := placed.Result.Steps
	for i, step := range steps {
		fmt.Fprintf(t.out, "%d of %d     %s: %s\n", i+1, len(steps), step.State, step.Signature)
	}
	if errors.Is(err, wallet.ErrExpired) {
		return fmt.Errorf("ask for new quotes: %w", err)
	}
	if err != nil {
		return err
	}
	arrived, _, known := placed.Net(t.owner.String(), want.to.Mint)
	if !known {
		return errors.Join(errors.New("it is confirmed, and what arrived is not known"), steps[len(steps)-1].EffectsErr)
	}
	note := ""
	if want.to.Mint == walletfi.NativeMint {
		note = ", after network fees"
	}
	fmt.Fprintf(t.out, "arrived    %s %s%s\n", arrived.UI(want.to.Decimals), want.to.Symbol, note)
	return nil
}

// check builds the offer's transactions and has the guard look at them.
func (t *trader) check(ctx context.Context, o *offer) error {
	built, err := o.order.Build(ctx)
	if err != nil {
		return err
	}
	_, report, err := t.guard.CheckSet(ctx, built)
	t.show(report)
	return err
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
