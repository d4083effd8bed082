package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/wallet"
)

func pools(ctx context.Context, t *tour) error {
	pools, err := t.lending.ListPools(ctx)
	if err != nil {
		return err
	}
	for _, p := range pools.Items {
		t.say("%-5s protected %s %%  boosted %s %%  room for %s",
			p.Symbol, p.ProtectedAPY, p.BoostedAPY, p.AvailableCapacity.UI(p.Decimals))
	}
	rates, err := t.lending.GetRates(ctx, lending.RatesRequest{
		Mint:     t.usdc,
		Period:   lending.Period24h,
		Interval: lending.Interval1h,
	})
	if err != nil {
		return err
	}
	if err := check(len(rates.Rates) > 0, "there are rates"); err != nil {
		return err
	}
	last := rates.Rates[len(rates.Rates)-1]
	t.say("best for USDC at %s: %s with %s %%", last.Timestamp.Format(time.TimeOnly),
		last.BestProtocol, last.BestProtocolAPY)
	return check(len(pools.Items) > 0, "there are pools")
}

func deposit(ctx context.Context, t *tour) error {
	amount, err := walletfi.ParseAmount("25.5", 6)
	if err != nil {
		return err
	}
	before := t.sandbox.Ledger().TokenBalance(t.me, t.usdc)
	built, err := t.lending.BuildDeposit(ctx, lending.DepositRequest{
		Owner: t.me, Mint: t.usdc, DepositType: lending.DepositBoosted, Amount: amount,
	})
	if err != nil {
		return err
	}
	t.say("built      %d base64 characters, last block height %d", len(built.Transaction), built.LastValidBlockHeight)
	result, err := t.execute(ctx, built.Unsigned())
	if err != nil {
		return err
	}
	for line := range strings.Lines(result.Report.String()) {
		t.say("guard      %s", strings.TrimRight(line, "\n"))
	}
	account, err := t.lending.GetAccount(ctx, t.me)
	if err != nil {
		return err
	}
	for _, p := range account.Positions {
		t.say("position   %s %s USDC with %s", p.DepositType, p.Balance.UI(6), p.Protocol)
	}
	after := t.sandbox.Ledger().TokenBalance(t.me, t.usdc)
	return errors.Join(
		check(before-after == uint64(amount), "exactly %s left the wallet, not %d", amount, before-after),
		check(len(account.Positions) == 1 && account.Positions[0].Balance >= amount, "the account shows the deposit"),
	)
}

// execute guards, signs, sends and confirms u, and then asks the node for the
// status of each signature.
func (t *tour) execute(ctx context.Context, u walletfi.Unsigned) (*wallet.Result, error) {
	result, err := t.wallet.Execute(ctx, u, t.payment())
	if err != nil {
		return nil, err
	}
	for _, step := range result.Steps {
		status, err := t.node.SignatureStatus(ctx, step.Signature)
		if err != nil {
			return nil, err
		}
		t.say("%s  %s in slot %d", status.Commitment, step.Signature, status.Slot)
		if err := check(status.Confirmed(walletfi.CommitmentConfirmed), "the ledger has %s", step.Signature); err != nil {
			return nil, err
		}
	}
	return result, nil
}

func cooldown(ctx context.Context, t *tour) error {
	request := lending.WithdrawRequest{Owner: t.me, Mint: t.usdc, WithdrawType: lending.DepositBoosted, Amount: 10_000_000}
	start, err := t.lending.BuildWithdraw(ctx, request)
	if err != nil {
		return err
	}
	if _, err := t.execute(ctx, start.Unsigned()); err != nil {
		return err
	}
	pending, err := t.lending.ListPendingWithdrawals(ctx, t.me)
	if err != nil || len(pending.Items) != 1 {
		return errors.Join(err, check(false, "one withdrawal is pending, not %d", len(pending.Items)))
	}
	t.say("pending    %s USDC, available in %v", pending.Items[0].Amount.UI(6),
		pending.Items[0].Remaining(t.sandbox.Now()).Round(time.Hour))

	var refused *lending.Error
	_, err = t.lending.BuildWithdraw(ctx, request)
	if !errors.As(err, &refused) || refused.Code != lending.CodeCooldownActive {
		return fmt.Errorf("a second withdrawal should fail with %s: %w", lending.CodeCooldownActive, err)
	}
	t.say("refused    %s: %s", refused.Code, refused.Message)

	t.sandbox.Advance(lending.BoostedCooldown)
	event, err := t.awaitEvent(ctx, lending.WebhookWithdrawAvailable)
	if err != nil {
		return err
	}
	t.say("webhook    %s at %s", event.Event, event.Timestamp.Format(time.DateTime))
	return t.take(ctx, request)
}

// take withdraws after the cooldown.
func (t *tour) take(ctx context.Context, request lending.WithdrawRequest) error {
	before := t.sandbox.Ledger().TokenBalance(t.me, t.usdc)
	built, err := t.lending.BuildWithdraw(ctx, request)
	if err != nil {
		return err
	}
	if _, err := t.execute(ctx, built.Unsigned()); err != nil {
		return err
	}
	gained := walletfi.Amount(t.sandbox.Ledger().TokenBalance(t.me, t.usdc) - before)
	t.say("taken      %s USDC", gained.UI(6))
	return check(gained == request.Amount, "%s arrived, not %s", request.Amount, gained)
}
