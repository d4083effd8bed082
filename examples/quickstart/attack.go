package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

// attack makes the sandbox answer a deposit with a transaction that sends all
// SOL to a thief. A client that signs without checking would lose it.
func attack(ctx context.Context, t *tour) error {
	thief, err := signing.GenerateLocalKey()
	if err != nil {
		return err
	}
	drain, err := sandbox.Drain(t.sandbox, thief.PublicKey().String())
	if err != nil {
		return err
	}
	t.sandbox.Attack(drain)
	defer t.sandbox.Attack(nil)
	before := t.sandbox.Ledger().Balance(t.me)

	built, err := t.lending.BuildDeposit(ctx, lending.DepositRequest{
		Owner: t.me, Mint: t.usdc, DepositType: lending.DepositProtected, Amount: 1_000_000,
	})
	if err != nil {
		return err
	}
	_, err = t.wallet.Execute(ctx, built.Unsigned(), t.payment())
	var refusal *signing.GuardError
	if !errors.As(err, &refusal) {
		return fmt.Errorf("the guard should have refused: %w", err)
	}
	t.say("refused    rule %s: %s", refusal.Rule, refusal.Found)
	t.say("allowed    %s", refusal.Allowed)
	return errors.Join(
		check(t.sandbox.Ledger().Balance(t.me) == before, "not a lamport moved"),
		check(t.sandbox.Ledger().Balance(thief.PublicKey().String()) == 0, "the thief got nothing"),
	)
}
