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

func Example_errors() {
	ctx := context.Background()
	s, client, err := lendingOf(sandbox.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()

	_, err = client.BuildWithdraw(ctx, lending.WithdrawRequest{
		Owner: s.WalletAddress(), Mint: s.Mint("USDC"), WithdrawType: lending.DepositProtected, Amount: 5,
	})
	var refused *lending.Error
	if errors.As(err, &refused) {
		fmt.Println(refused.Code, errors.Is(err, walletfi.ErrRejected))
	}

	_, err = client.BuildDeposit(ctx, lending.DepositRequest{Owner: s.WalletAddress()})
	var invalid *walletfi.ValidationError
	if errors.As(err, &invalid) {
		fmt.Println(invalid.Field, invalid.Problem)
	}
	// Output:
	// INSUFFICIENT_BALANCE true
	// mintAddress is required
}

// lendingOf starts a sandbox, and returns a client of its lending service.
func lendingOf(cfg sandbox.Config) (*sandbox.Sandbox, *lending.Client, error) {
	s, err := sandbox.Start(cfg)
	if err != nil {
		return nil, nil, err
	}
	client, err := lending.New(lending.Config{
		BaseURL: s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Lending)), Options: s.Options(),
	})
	return s, client, err
}

// signerOn returns what signs for lending on a sandbox: its node, its wallet's key and a guard.
func signerOn(s *sandbox.Sandbox) (*rpcnode.Client, *signing.LocalKey, *signing.Guard, error) {
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC))})
	if err != nil {
		return nil, nil, nil, err
	}
	key, err := signing.NewLocalKey(s.Wallet())
	guard := signing.NewGuard(signing.Policy{
		Pins:     map[string][]signing.PublicKey{"lending": {signing.MustPublicKey(s.ProgramID(sandbox.Lending))}},
		Resolver: node, Simulator: node,
	})
	return node, key, guard, err
}
