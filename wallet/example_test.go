package wallet_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// A deposit is built by the service, checked against what was asked for,
// signed, sent and confirmed. Then the service is taken over, and answers with
// a transaction that empties the wallet.
func Example() {
	s, err := sandbox.Start(sandbox.Config{InstantConfirmation: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	ctx := context.Background()
	service, w, err := connect(s)
	if err != nil {
		fmt.Println(err)
		return
	}

	deposit := lending.DepositRequest{
		Owner: s.WalletAddress(), Mint: s.Mint("USDC"), DepositType: lending.DepositProtected, Amount: 25_000_000,
	}
	built, err := service.BuildDeposit(ctx, deposit)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := w.Execute(ctx, built.Unsigned(), wallet.ExecuteOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("state:", result.Steps[0].State)
	fmt.Println("leaves:", result.Report.Leaves[0].Amount, "of USDC")

	drain, err := sandbox.Drain(s, "7Y4f3Taf6YKqz3Y3h2Hh3Y1uV8mVfHn4wWJ6v8pTz9aB")
	if err != nil {
		fmt.Println(err)
		return
	}
	s.Attack(drain)
	if built, err = service.BuildDeposit(ctx, deposit); err != nil {
		fmt.Println(err)
		return
	}
	_, err = w.Execute(ctx, built.Unsigned(), wallet.ExecuteOptions{})
	fmt.Println("refused:", errors.Is(err, signing.ErrRefused))
	// Output:
	// state: confirmed
	// leaves: 25000000 of USDC
	// refused: true
}

// connect makes a client of the lending service, and a wallet that sends
// through the caller's own node.
func connect(s *sandbox.Sandbox) (*lending.Client, *wallet.Wallet, error) {
	service, err := lending.New(lending.Config{
		BaseURL: s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Lending)),
	})
	if err != nil {
		return nil, nil, err
	}
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC))})
	if err != nil {
		return nil, nil, err
	}
	key, err := signing.NewLocalKey(s.Wallet())
	if err != nil {
		return nil, nil, err
	}
	program, err := signing.ParsePublicKey(s.ProgramID(sandbox.Lending))
	if err != nil {
		return nil, nil, err
	}
	guard := signing.NewGuard(signing.Policy{
		Pins:     map[string][]signing.PublicKey{"lending": {program}},
		Resolver: node, Simulator: node,
	})
	w, err := wallet.New(wallet.Config{Signer: key, Guard: guard, Node: node})
	return service, w, err
}
