package flows

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/swap"
)

// feeVariants are trades of a Token-2022 mint that withholds a fee, with a
// sponsor, a partner's fee, a tip, another's account, and with wrapped SOL.
func feeVariants(t *testing.T, s *sandbox.Sandbox) (all []Builder) {
	me, usdc, taxed := s.WalletAddress(), s.Mint("USDC"), s.Mint("TAXED")
	sponsor, err := signing.GenerateLocalKey()
	require.NoError(t, err)
	payer := sponsor.PublicKey()
	require.NoError(t, s.Ledger().FundWallet(payer.String(), 1_000_000_000))
	require.NoError(t, s.Ledger().FundToken(payer.String(), usdc, 1))
	require.NoError(t, s.Ledger().FundToken(me, taxed, 500_000_000))
	partner := signing.AssociatedTokenAddress(payer, signing.MustPublicKey(usdc), signing.TokenProgram).String()

	c := client[*swap.Client](s, sandbox.Swap)
	quote := func(in, out string, feeBps int) *swap.Quote { return quoted(t, c, in, out, feeBps) }
	trade := func(name string, req swap.BuildRequest) {
		req.Owner = me
		all = append(all, from(sandbox.Swap, "BuildSwap, "+name, c.BuildSwap, req))
	}
	trade("TAXED in", swap.BuildRequest{Quote: quote(taxed, usdc, 0)})
	trade("TAXED out", swap.BuildRequest{Quote: quote(usdc, taxed, 0)})
	trade("TAXED out, a sponsor", swap.BuildRequest{Quote: quote(usdc, taxed, 0), Sponsor: payer.String()})
	trade("a sponsor", swap.BuildRequest{
		Quote:            quote(usdc, walletfi.NativeMint, 0),
		Sponsor:          payer.String(),
		WrapAndUnwrapSOL: new(true),
	})
	trade("a sponsor and a tip", swap.BuildRequest{
		Quote:             quote(usdc, walletfi.NativeMint, 0),
		Sponsor:           payer.String(),
		PrioritizationFee: swap.PriorityBundleTip(20_000),
	})
	trade("a partner's fee", swap.BuildRequest{Quote: quote(walletfi.NativeMint, usdc, 50), FeeAccount: partner})
	trade("a partner's fee and a tip", swap.BuildRequest{
		Quote:             quote(walletfi.NativeMint, usdc, 50),
		FeeAccount:        partner,
		PrioritizationFee: swap.PriorityBundleTip(20_000),
	})
	require.NoError(t, s.Ledger().FundToken(me, walletfi.NativeMint, 50_000_000))
	trade("wrapped SOL in", swap.BuildRequest{Quote: quote(walletfi.NativeMint, usdc, 0), WrapAndUnwrapSOL: new(false)})
	trade("wrapped SOL out", swap.BuildRequest{Quote: quote(usdc, walletfi.NativeMint, 0), WrapAndUnwrapSOL: new(false)})
	trade("another's account", swap.BuildRequest{
		Quote:                   quote(walletfi.NativeMint, usdc, 0),
		DestinationTokenAccount: &swap.DestinationTokenAccount{Address: partner, CreateIfNeeded: true},
	})

	f := client[*amm.Client](s, sandbox.AMM)
	for _, pair := range [][2]string{{taxed, usdc}, {usdc, taxed}} {
		quote, err := f.QuoteBaseIn(t.Context(), ammRequest(pair[0], pair[1], 1_000_000, amm.TxVersionV0))
		require.NoError(t, err)
		all = append(all, from(sandbox.AMM, fmt.Sprintf("BuildSwap, TAXED, of %.4s", pair[0]), f.BuildSwap,
			amm.BuildRequest{Quote: quote, Owner: me}))
	}
	return append(all, providerVariants(t, s)...)
}

// providerVariants are swaps of several providers, and one that the service sponsors.
func providerVariants(t *testing.T, s *sandbox.Sandbox) (all []Builder) {
	g, usdc, taxed := client[*providerswap.Client](s, sandbox.ProviderSwap), s.Mint("USDC"), s.Mint("TAXED")
	for _, pair := range [][2]string{{taxed, usdc}, {usdc, taxed}, {walletfi.NativeMint, usdc}} {
		all = append(all, from(sandbox.ProviderSwap, fmt.Sprintf("BuildSwap, %.4s for %.4s", pair[0], pair[1]),
			g.BuildSwap, providerswap.BuildRequest{
				QuoteRequest: providerswap.QuoteRequest{
					InputMint:  pair[0],
					OutputMint: pair[1],
					Amount:     4_000_000,
					Slippage:   walletfi.SlippageBps(300),
				}, Owner: s.WalletAddress(),
			}))
	}
	return append(all, gasless(t, s, g))
}

// gasless is a swap that the service sponsors, whose sponsor its answer names.
func gasless(t *testing.T, s *sandbox.Sandbox, g *providerswap.Client) Builder {
	best, _ := bestV1(t, s, g)
	req := providerswap.BuildV1Request{QuoteV1Request: best, Owner: s.WalletAddress(), MinReceive: 1, Gasless: new(true)}
	first, err := g.BuildSwapV1(t.Context(), req)
	require.NoError(t, err)
	tx, err := signing.Decode(first.Transaction)
	require.NoError(t, err)
	req.Sponsor = tx.FeePayer().String()
	require.NotEqual(t, req.Owner, req.Sponsor)
	return from(sandbox.ProviderSwap, "BuildSwapV1, gasless", g.BuildSwapV1, req)
}
