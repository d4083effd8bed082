package e2e

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestHonestRoutes: every swap of the AMM's of what the wallet has, of one transaction or several, is carried
// out by a wallet of pins alone, on a node that runs sets in order and on one that does not.
func TestHonestRoutes(t *testing.T) {
	symbols := []string{"SOL", "USDC", "USDT", "DUST"}
	for _, bundles := range []bool{true, false} {
		for _, from := range symbols {
			for _, to := range symbols {
				for _, version := range []amm.TxVersion{amm.TxVersionLegacy, amm.TxVersionV0} {
					if from == to || from == "DUST" || from == "USDT" { // it has none of these
						continue
					}
					t.Run(fmt.Sprintf("%s to %s, %s, bundles %t", from, to, version, bundles), func(t *testing.T) {
						t.Parallel()
						route(t, from, to, version, bundles)
					})
				}
			}
		}
	}
}

func route(t *testing.T, from, to string, version amm.TxVersion, bundles bool) {
	s := flows.Start(t, sandbox.Config{NoLimits: true, InstantConfirmation: true})
	client := http.Client{Transport: s.Transport()}
	if !bundles {
		client.Transport = noBundles{s.Transport()}
	}
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC)), HTTPClient: &client})
	require.NoError(t, err)
	c := flows.Must(flows.Makers(flows.HostsOf(s))[sandbox.AMM](flows.AtOnce())).(*amm.Client)
	quote, err := c.QuoteBaseIn(t.Context(),
		amm.QuoteRequest{InputMint: s.Mint(from), OutputMint: s.Mint(to), Amount: 1_000_000,
			Slippage: walletfi.SlippageBps(300), TxVersion: version})
	require.NoError(t, err)
	swap, err := c.BuildSwap(t.Context(),
		amm.BuildRequest{Quote: quote, Owner: s.WalletAddress(), WrapSOL: new(true), UnwrapSOL: new(true)})
	require.NoError(t, err)
	t.Logf("%d transactions over %d pools", len(swap.Unsigned().Transactions), len(quote.RoutePlan))
	w := pinnedWallet(t, s, node)
	_, err = w.Execute(t.Context(), swap.Unsigned(), wallet.ExecuteOptions{})
	require.NoError(t, err)
}

// TestStoppedRouteIsPaidOnce: a program that quotes again whenever an execution answers to
// walletfi.ErrNotSent pays a route in two parts once, on a node that runs no sets.
func TestStoppedRouteIsPaidOnce(t *testing.T) {
	s := flows.Start(t, sandbox.Config{NoLimits: true, InstantConfirmation: true})
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC)),
		HTTPClient: &http.Client{Transport: noBundles{s.Transport()}}})
	require.NoError(t, err)
	c := flows.Must(flows.Makers(flows.HostsOf(s))[sandbox.AMM](flows.AtOnce())).(*amm.Client)
	w := pinnedWallet(t, s, node)
	paid := walletfi.Amount(0)
	for range 3 {
		quote, err := c.QuoteBaseIn(t.Context(),
			amm.QuoteRequest{InputMint: s.Mint("USDC"), OutputMint: s.Mint("DUST"), Amount: 1_000_000,
				Slippage: walletfi.SlippageBps(300), TxVersion: amm.TxVersionLegacy})
		require.NoError(t, err)
		swap, err := c.BuildSwap(t.Context(),
			amm.BuildRequest{Quote: quote, Owner: s.WalletAddress(), WrapSOL: new(true), UnwrapSOL: new(true)})
		require.NoError(t, err)
		result, err := w.Execute(t.Context(), swap.Unsigned(), wallet.ExecuteOptions{})
		t.Log(err)
		if result != nil && result.Steps[0].State == wallet.StateConfirmed {
			effects, err := node.Effects(t.Context(), result.Steps[0].Signature)
			require.NoError(t, err)
			paid += effects.Token(s.WalletAddress(), s.Mint("USDC")).Lost()
		}
		if !errors.Is(err, walletfi.ErrNotSent) {
			break
		}
	}
	require.Equal(t, walletfi.Amount(1_000_000), paid, "one swap of 1 USDC was asked for")
}

// pinnedWallet is a wallet of the sandbox's key that knows pins alone.
func pinnedWallet(t *testing.T, s *sandbox.Sandbox, node *rpcnode.Client) *wallet.Wallet {
	key, err := signing.NewLocalKey(s.Wallet())
	require.NoError(t, err)
	w, err := wallet.New(wallet.Config{
		Signer: key, Guard: signing.NewGuard(signing.Policy{Pins: flows.Pins(s)}),
		Submitter: node, Confirmer: node, Heights: node, PollEvery: 10 * time.Millisecond,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	return w
}
