package docs_test

import (
	"context"
	"fmt"
	"log"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

func Example_gettingStarted() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 25.5 USDC left the wallet: true
}

func run(ctx context.Context) error {
	s, err := sandbox.Start(sandbox.Config{InstantConfirmation: true})
	if err != nil {
		return err
	}
	defer s.Close()
	service, err := lending.New(lending.Config{
		BaseURL: s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Lending)),
	})
	if err != nil {
		return err
	}
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC))})
	if err != nil {
		return err
	}
	key, err := signing.NewLocalKey(s.Wallet())
	if err != nil {
		return err
	}
	guard := signing.NewGuard(signing.Policy{
		Pins:     map[string][]signing.PublicKey{"lending": {signing.MustPublicKey(s.ProgramID(sandbox.Lending))}},
		Resolver: node, Simulator: node,
	})
	w, err := wallet.New(wallet.Config{
		Signer: key, Guard: guard, Node: node,
	})
	if err != nil {
		return err
	}
	defer w.Close()

	amount, err := walletfi.ParseAmount("25.5", 6)
	if err != nil {
		return err
	}
	// Build, guard, sign, submit, send again, confirm. The same key never pays twice.
	order := wallet.OrderOf(service.BuildDeposit, lending.DepositRequest{
		Owner: s.WalletAddress(), Mint: s.Mint("USDC"), DepositType: lending.DepositProtected, Amount: amount,
	})
	placed, err := w.Place(ctx, order, wallet.PlaceOptions{Key: "order 7"})
	if err != nil {
		return err // a *wallet.StageError: at which stage it ended
	}
	_, paid, known := placed.Net(s.WalletAddress(), s.Mint("USDC"))
	fmt.Println(paid.UI(6), "USDC left the wallet:", known)
	return nil
}
