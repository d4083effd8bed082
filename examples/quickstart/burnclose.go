package main

import (
	"context"
	"errors"

	"github.com/walletfi/walletfi-go/burnclose"
)

func burnDust(ctx context.Context, t *tour) error {
	dust := t.sandbox.Mint("DUST")
	ledger := t.sandbox.Ledger()
	account := ledger.AssociatedAccount(t.me, dust)
	held, lamports := ledger.TokenBalance(t.me, dust), ledger.Balance(t.me)
	built, err := t.burn.BuildBurn(ctx, burnclose.BurnRequest{
		Owner:                  t.me,
		AssetID:                dust,
		AutoCloseTokenAccounts: new(true),
	})
	if err != nil {
		return err
	}
	if _, err := t.execute(ctx, built.Unsigned()); err != nil {
		return err
	}
	_, exists := ledger.TokenAccount(account)
	gained := int64(ledger.Balance(t.me)) - int64(lamports)
	t.say("burned     %d units of dust; closing the account brought %d lamports, after the fee", held, gained)
	return errors.Join(
		check(held > 0, "there was dust"),
		check(!exists, "the account is closed"),
		check(gained > 0, "its deposit came back"),
	)
}
