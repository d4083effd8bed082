package docs_test

import (
	"context"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
)

func Example_moneyMints() {
	ctx := context.Background()
	told := func() error {
		s, err := sandbox.Start(sandbox.Config{})
		if err != nil {
			return err
		}
		defer s.Close()
		usdc := s.Mint("USDC")
		node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC))})
		if err != nil {
			return err
		}
		data, err := onchaindata.New(onchaindata.Config{
			DemoBaseURL: s.URL(sandbox.OnchainData), APIKey: walletfi.NewSecret(s.APIKey(sandbox.OnchainData)),
		})
		if err != nil {
			return err
		}

		mints := walletfi.NamedMints{Chain: node, Names: onchaindata.Mints{Client: data, Network: "solana"}}
		mint, err := mints.Mint(ctx, usdc)
		if err != nil {
			return err
		}
		amount, err := mint.Parse("25.5")
		if err != nil {
			return err
		}
		fmt.Println(amount, mint.Proven, mint.Text(amount) == "25.5 USDC ("+usdc+")")
		return nil
	}
	if err := told(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 25500000 true true
}

func Example_money() {
	amount, err := walletfi.ParseAmount("25.5", 6) // USDC has 6 decimals
	fmt.Println(amount, amount.UI(6), err)

	_, err = walletfi.ParseAmount("0.0000001", 6)
	fmt.Println(err)

	a, b := walletfi.MustDecimal("0.10"), walletfi.MustDecimal("0.1")
	fmt.Println(a, b, a.Cmp(b) == 0)
	// Output:
	// 25500000 25.5 <nil>
	// invalid request: amount: "0.0000001" has more than 6 decimals
	// 0.10 0.1 true
}
