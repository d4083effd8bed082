package docs_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

func Example_signing() {
	if err := guarded(context.Background(), "7Y4f3Taf6YKqz3Y3h2Hh3Y1uV8mVfHn4wWJ6v8pTz9aB"); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 1 signed; 25000000 units leave
	// refused: system.transfer
}

func guarded(ctx context.Context, thief string) error {
	s, client, err := lendingOf(sandbox.Config{})
	if err != nil {
		return err
	}
	defer s.Close()
	key, err := signing.NewLocalKey(s.Wallet())
	if err != nil {
		return err
	}
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC))})
	if err != nil {
		return err
	}
	guard := signing.NewGuard(signing.Policy{
		Pins:     map[string][]signing.PublicKey{"lending": {signing.MustPublicKey(s.ProgramID(sandbox.Lending))}},
		Resolver: node, Simulator: node,
	})
	built, err := client.BuildDeposit(ctx, lending.DepositRequest{
		Owner: s.WalletAddress(), Mint: s.Mint("USDC"), DepositType: lending.DepositProtected, Amount: 25_000_000,
	})
	if err != nil {
		return err
	}
	txs, report, err := guard.SignSet(ctx, built.Unsigned(), key)
	if err != nil {
		return err
	}
	fmt.Println(len(txs), "signed;", report.Leaves[0].Amount, "units leave")

	drain, err := sandbox.Drain(s, thief)
	if err != nil {
		return err
	}
	s.Attack(drain)
	built, err = client.BuildDeposit(ctx, lending.DepositRequest{
		Owner: s.WalletAddress(), Mint: s.Mint("USDC"), DepositType: lending.DepositProtected, Amount: 25_000_000,
	})
	if err != nil {
		return err
	}
	_, _, err = guard.SignSet(ctx, built.Unsigned(), key)
	var refusal *signing.GuardError
	if errors.As(err, &refusal) {
		fmt.Println("refused:", refusal.Rule)
	}
	return nil
}
