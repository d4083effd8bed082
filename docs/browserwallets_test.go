package docs_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

func Example_browserWallets() {
	if err := browserSigns(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 1 to sign on solana:localnet
	// confirmed 0 changes
}

func browserSigns(ctx context.Context) error {
	s, client, err := lendingOf(sandbox.Config{InstantConfirmation: true})
	if err != nil {
		return err
	}
	defer s.Close()
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC))})
	if err != nil {
		return err
	}
	guard := signing.NewGuard(signing.Policy{
		Pins: map[string][]signing.PublicKey{"lending": {signing.MustPublicKey(s.ProgramID(sandbox.Lending))}},
	})
	w, err := wallet.New(wallet.Config{Guard: guard, Node: node})
	if err != nil {
		return err
	}
	defer w.Close()
	built, err := client.BuildDeposit(ctx, lending.DepositRequest{
		Owner: s.WalletAddress(), Mint: s.Mint("USDC"), DepositType: lending.DepositProtected, Amount: 25_000_000,
	})
	if err != nil {
		return err
	}
	prepared, err := w.Prepare(ctx, "order 7", built.Unsigned(), wallet.PrepareOptions{})
	if err != nil {
		return err
	}
	fmt.Println(len(prepared.Transactions), "to sign on", prepared.Chain)

	signed, err := inTheBrowser(ctx, s, prepared)
	if err != nil {
		return err
	}
	result, err := w.Submit(ctx, "order 7", signed, wallet.SubmitOptions{})
	if err != nil {
		return err
	}
	fmt.Println(result.Steps[0].State, len(result.Changes), "changes")
	return nil
}

// inTheBrowser signs as the user's wallet does.
func inTheBrowser(ctx context.Context, s *sandbox.Sandbox, prepared *wallet.Prepared) (signed [][]byte, err error) {
	key, err := signing.NewLocalKey(s.Wallet())
	if err != nil {
		return nil, err
	}
	for _, text := range prepared.Transactions {
		tx, err := signing.Decode(text)
		if err != nil {
			return nil, err
		}
		if err := signing.SignUnchecked(ctx, tx, key); err != nil {
			return nil, err
		}
		signed = append(signed, tx.Bytes())
	}
	return signed, nil
}

// TestBrowserWalletsPage: the JavaScript of the guide is that of the example's page, which a browser runs.
func TestBrowserWalletsPage(t *testing.T) {
	guide, err := os.ReadFile("browser-wallets.md")
	require.NoError(t, err)
	page, err := os.ReadFile("../examples/browserwallet/static/page.js")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```js\n(.*?)```").FindAllStringSubmatch(string(guide), -1)
	require.Greater(t, len(blocks), 2)
	for _, block := range blocks {
		require.Empty(t, notIn(lines(string(page)), lines(block[1])), "the guide says what the page does not")
	}
}
