package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/smartaccount"
)

// spendingPolicy signs in by email, and adds a policy that refuses a payment
// above its limit.
func spendingPolicy(ctx context.Context, t *tour) error {
	c, err := smartaccount.New(smartaccount.Config{BaseURL: t.sandbox.URL(sandbox.SmartAccount)})
	if err != nil {
		return err
	}
	const email = "founder@example.com"
	if _, err := c.SendEmailCode(ctx, email); err != nil {
		return err
	}
	code := walletfi.NewSecret(t.sandbox.SmartAccount().OneTimeCode(email)) // from the user's inbox
	if _, err := c.VerifyEmailCode(ctx, smartaccount.VerifyEmailCodeRequest{Email: email, Code: code}); err != nil {
		return err
	}
	account, err := c.CreateAccount(ctx, smartaccount.CreateAccountRequest{
		Name: "bot",
		Type: smartaccount.AccountPersonal,
	})
	if err != nil {
		return err
	}
	t.say("account    %s at %s", account.ID, account.Address)
	if err := t.sandbox.Ledger().FundWallet(account.Address, 1_000_000_000); err != nil {
		return err
	}
	if _, err := c.CreatePolicy(ctx, account.ID, smartaccount.CreatePolicyRequest{
		Type: smartaccount.PolicySpendingLimit, Name: "pocket money",
		Params: smartaccount.SpendingLimit{Mint: walletfi.NativeMint, Amount: 5_000_000, Period: "daily"},
	}); err != nil {
		return err
	}
	pay := func(lamports uint64) (*smartaccount.Transaction, error) {
		return c.ExecuteTransaction(ctx, account.ID, smartaccount.ExecuteTransactionRequest{
			Instructions: []smartaccount.Instruction{transfer(account.Address, t.me, lamports)},
		})
	}
	paid, err := pay(3_000_000)
	if err != nil {
		return err
	}
	t.say("%s  0.003 SOL in %s", paid.Status, paid.Signature)
	_, err = pay(3_000_000)
	var refused *smartaccount.Error
	if !errors.As(err, &refused) {
		return fmt.Errorf("the policy should have refused: %w", err)
	}
	t.say("refused    %s: %s", refused.Code, refused.Message)
	return check(refused.Code == smartaccount.CodePolicyViolation, "the policy refused, not %s", refused.Code)
}

// transfer is the System program's transfer: tag 2, then the lamports.
func transfer(from, to string, lamports uint64) smartaccount.Instruction {
	data := binary.LittleEndian.AppendUint64([]byte{2, 0, 0, 0}, lamports)
	return smartaccount.Instruction{
		ProgramID: signing.SystemProgram.String(),
		Data:      data,
		Accounts: []smartaccount.AccountMeta{
			{PublicKey: from, IsSigner: true, IsWritable: true}, {PublicKey: to, IsWritable: true},
		},
	}
}
