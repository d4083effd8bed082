package e2e

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

// TestSwapToAnother: a swap that pays another wallet's account is signed by a guard that simulates if
// the request says whose it is, and the owner's own account gets no less than the floor.
func TestSwapToAnother(t *testing.T) {
	s := flows.Start(t, sandbox.Config{NoLimits: true})
	const friend = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"
	mint := s.Mint("USDT")
	require.NoError(t, s.Ledger().FundToken(friend, mint, 1))
	c := wiretest.Client(t, amm.New, amm.Config{
		TradeURL: s.URL(sandbox.AMM), DataURL: s.AMM().DataURL(), Pause: new(time.Duration), Options: s.Options(),
	})
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC)), Clock: s.Options().Clock})
	require.NoError(t, err)
	policy := flows.Policy(s)
	policy.Resolver, policy.Simulator = node, node
	key, err := signing.NewLocalKey(s.Wallet())
	require.NoError(t, err)
	sign := func(account, owner string) (walletfi.Intent, error) {
		quote, err := c.QuoteBaseIn(t.Context(), amm.QuoteRequest{
			InputMint: s.Mint("USDC"), OutputMint: mint, Amount: 5_000_000, Slippage: walletfi.SlippageBps(100),
		})
		require.NoError(t, err)
		built, err := c.BuildSwap(t.Context(), amm.BuildRequest{
			Quote: quote, Owner: s.WalletAddress(), OutputAccount: account, OutputOwner: owner,
			ComputeUnitPriceMicroLamports: new(uint64(1000)),
		})
		if err != nil {
			return walletfi.Intent{}, err
		}
		u := built.Unsigned()
		_, _, err = signing.NewGuard(policy).SignSet(t.Context(), u, key)
		return u.Intent, err
	}
	theirs := s.Ledger().AssociatedAccount(friend, mint)
	intent, err := sign(theirs, friend)
	require.NoError(t, err)
	require.Empty(t, intent.Receive)
	require.Equal(t, []string{theirs}, intent.OutputTo)
	_, err = sign(theirs, "")
	require.ErrorIs(t, err, signing.ErrRefused)
	_, err = sign("", friend)
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest, "no account is named, so that the owner's would get it")
	require.NoError(t, s.Ledger().FundToken(s.WalletAddress(), mint, 1))
	for _, owner := range []string{"", s.WalletAddress()} {
		intent, err = sign(s.Ledger().AssociatedAccount(s.WalletAddress(), mint), owner)
		require.NoError(t, err)
		require.Len(t, intent.Receive, 1)
	}
}
