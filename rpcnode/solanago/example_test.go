package solanago_test

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/rpcnode/solanago"
	"github.com/walletfi/walletfi-go/sandbox"
)

// What was built with solana-go is decoded for the guard, and what rpcnode does not offer is
// asked by solana-go's client.
func Example() {
	s, err := sandbox.Start(sandbox.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC))})
	if err != nil {
		fmt.Println(err)
		return
	}
	me := solana.MustPublicKeyFromBase58(s.WalletAddress())
	built, err := solana.NewTransaction(
		[]solana.Instruction{system.NewTransferInstruction(1, me, me).Build()}, solana.Hash{1}, solana.TransactionPayer(me))
	if err != nil {
		fmt.Println(err)
		return
	}
	tx, err := solanago.FromSolana(built)
	if err != nil {
		fmt.Println(err)
		return
	}
	balance, err := solanago.RPC(node).GetBalance(context.Background(), me, rpc.CommitmentConfirmed)
	fmt.Println(tx.FeePayer().String() == s.WalletAddress(), balance.Value > 0, err)
	// Output: true true <nil>
}
