package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/swap"
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
	before, err := t.balance(ctx, want.to)
	if err != nil {
		return err
	}
	if err := t.execute(ctx, built, name); err != nil {
		return err
	}
	after, err := t.balance(ctx, want.to)
	if err != nil {
		return err
	}
	note := ""
	if want.to.Mint == walletfi.NativeMint {
		note = ", after network fees"
	}
	fmt.Fprintf(t.out, "arrived    %s %s%s\n", (after - min(after, before)).UI(want.to.Decimals), want.to.Symbol, note)
	return nil
}

// execute guards and signs all transactions, then sends them in order, each
// after the previous one is confirmed. If it is run again with the same name, it
// finds what was paid.
func (t *trader) execute(ctx context.Context, built walletfi.Unsigned, name string) error {
	result, err := t.wallet.Execute(ctx, built, wallet.ExecuteOptions{Key: name})
	if result != nil {
		t.show(result.Report)
		for i, step := range result.Steps {
			fmt.Fprintf(t.out, "%d of %d     %s: %s\n", i+1, len(result.Steps), step.State, step.Signature)
		}
	}
	if errors.Is(err, wallet.ErrExpired) {
		return fmt.Errorf("ask for new quotes: %w", err)
	}
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

// balance returns how much of a token the owner holds in all accounts, and for
// SOL the unwrapped balance.
func (t *trader) balance(ctx context.Context, token swap.Token) (walletfi.Amount, error) {
	owner := solana.PublicKey(t.owner)
	if token.Mint == walletfi.NativeMint {
		held, err := t.node.RPC().GetBalance(ctx, owner, rpc.CommitmentConfirmed)
		if err != nil {
			return 0, err
		}
		return walletfi.Amount(held.Value), nil
	}
	mint, err := solana.PublicKeyFromBase58(token.Mint)
	if err != nil {
		return 0, err
	}
	held, err := t.node.RPC().GetTokenAccountsByOwner(ctx, owner,
		&rpc.GetTokenAccountsConfig{Mint: &mint},
		&rpc.GetTokenAccountsOpts{Encoding: solana.EncodingBase64, Commitment: rpc.CommitmentConfirmed})
	if err != nil {
		return 0, err
	}
	const amountAt, amountEnd = 64, 72 // in both token programs' accounts
	var sum walletfi.Amount
	for _, account := range held.Value {
		if data := account.Account.Data.GetBinary(); len(data) >= amountEnd {
			sum += walletfi.Amount(binary.LittleEndian.Uint64(data[amountAt:amountEnd]))
		}
	}
	return sum, nil
}
