package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// attempts is how often an order may be signed: again only if the attempt before has
// provably expired.
const attempts = 3

// patience bounds the waits for the fee market and for the end. What is unknown then goes
// on under the same key.
const patience = 5 * time.Minute

// order makes the order of an amount.
func (l *live) order(amount walletfi.Amount, withdraw bool) walletfi.Order {
	owner := l.key.PublicKey().String()
	if withdraw {
		return wallet.OrderOf(l.service.BuildWithdraw, lending.WithdrawRequest{
			Owner: owner, Mint: l.Mint, WithdrawType: l.DepositType, Amount: amount,
		})
	}
	return wallet.OrderOf(l.service.BuildDeposit, lending.DepositRequest{
		Owner: owner, Mint: l.Mint, DepositType: l.DepositType, Amount: amount,
	})
}

// place carries an order out, or says what became of it before.
func (l *live) place(ctx context.Context, out io.Writer, t task) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	placed, err := l.wallet.Place(ctx, l.order(t.units, t.withdraw), wallet.PlaceOptions{Key: t.order, Attempts: attempts})
	if err != nil {
		return err
	}
	when := map[bool]string{true: "was placed before", false: "is placed"}[placed.Replayed]
	gained, lost, known := placed.Net(l.key.PublicKey().String(), l.Mint)
	fmt.Fprintf(out, "order %s %s: confirmed; %s left, %s arrived (known: %t)\n",
		t.order, when, lost.UI(t.decimals), gained.UI(t.decimals), known)
	return nil
}

// check says what each node can prove, what is unsettled, and what the guard says of a
// build under the pins of the file. It signs nothing.
func (l *live) check(ctx context.Context, out io.Writer, t task) error {
	for i, node := range l.nodes {
		ability, err := node.Prove(ctx)
		if err != nil {
			return fmt.Errorf("node %d: %w", i+1, err)
		}
		fmt.Fprintf(out, "node %d:\n%s\n", i+1, ability)
	}
	unsettled, err := l.wallet.Unsettled(ctx)
	if err != nil {
		return err
	}
	for _, u := range unsettled {
		fmt.Fprintf(out, "order %s is unsettled since %s: %s\n", u.Key, u.Since.Format(time.RFC3339), u.Missing)
	}
	built, err := l.order(t.units, t.withdraw).Build(ctx)
	if err != nil {
		return err
	}
	policy := l.policy
	token := signing.TokenInfo{Decimals: uint8(t.decimals)} // so that the report counts whole tokens
	policy.Tokens = signing.TokenList{signing.MustPublicKey(l.Mint): token}
	_, report, err := signing.NewGuard(policy).CheckSet(ctx, built)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\nthe guard would sign it\n", report.Text())
	return nil
}

// explained adds what to do.
func explained(err error) error {
	for _, e := range []struct {
		is   error
		then string
	}{
		{wallet.ErrKeyReused, "nothing was sent: the order was placed for something else, so take a new name for this one"},
		{wallet.ErrSpendLimit, "nothing was signed: run the same order again when the limit is free, or ask for less"},
		{walletfi.ErrOutcomeUnknown, "it may be paid: run the same order again, which pays nothing twice"},
		{signing.ErrRefused, "nothing was signed: find out why before you order again"},
		{wallet.ErrExpired, "it was not executed and never will be: run the same order again"},
		{wallet.ErrFailed, "only the fee is gone: find out why before you order again"},
		{context.Canceled, "stopped: run the same order again, which pays nothing twice"},
	} {
		if errors.Is(err, e.is) {
			return fmt.Errorf("%w\n%s", err, e.then)
		}
	}
	return err
}
