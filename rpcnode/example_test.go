package rpcnode_test

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/rpcnode/solanago"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

// A transaction that was built with solana-go is checked, signed, sent and
// asked for. The sandbox stands in for the cluster.
func Example() {
	s, err := sandbox.Start(sandbox.Config{InstantConfirmation: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	ctx := context.Background()
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC))})
	if err != nil {
		fmt.Println(err)
		return
	}
	key, err := signing.NewLocalKey(s.Wallet())
	if err != nil {
		fmt.Println(err)
		return
	}
	blockhash, _, err := node.LatestBlockhash(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	me := solana.PublicKey(key.PublicKey())
	friend := solana.MustPublicKeyFromBase58("7Y4f3Taf6YKqz3Y3h2Hh3Y1uV8mVfHn4wWJ6v8pTz9aB")
	built, err := solana.NewTransaction(
		[]solana.Instruction{system.NewTransferInstruction(2_000_000, me, friend).Build()},
		solana.MustHashFromBase58(blockhash), solana.TransactionPayer(me))
	if err != nil {
		fmt.Println(err)
		return
	}
	tx, err := solanago.FromSolana(built)
	if err != nil {
		fmt.Println(err)
		return
	}

	guard := signing.NewGuard(signing.Policy{Resolver: node, Simulator: node})
	intent := walletfi.Intent{
		Owner: me.String(), PayTo: []string{friend.String()},
		Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: 2_000_000}},
	}
	unsigned := walletfi.Unsigned{Transactions: []walletfi.EncodedTransaction{tx.Base64()}, Intent: intent}
	txs, report, err := guard.SignSet(ctx, unsigned, key)
	if err != nil {
		fmt.Println(err)
		return
	}
	signature, err := node.Submit(ctx, txs[0].Signed())
	if err != nil {
		fmt.Println(err)
		return
	}
	status, err := node.SignatureStatus(ctx, signature)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("simulated:", report.Simulated)
	fmt.Println("confirmed:", status.Confirmed(walletfi.CommitmentConfirmed))
	fmt.Println("arrived:", s.Ledger().Balance(friend.String()))
	// Output:
	// simulated: true
	// confirmed: true
	// arrived: 2000000
}
