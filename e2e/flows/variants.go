package flows

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/swap"
)

// Variants are requests with sponsors, partners, tips, formats and outputs that
// [Builders] does not ask for.
func Variants(t *testing.T, s *sandbox.Sandbox) []Builder {
	return slices.Concat(burnVariants(t, s), swapVariants(t, s), feeVariants(t, s))
}

func burnVariants(t *testing.T, s *sandbox.Sandbox) []Builder {
	c := client[*burnclose.Client](s, sandbox.BurnClose)
	me, dust := s.WalletAddress(), s.Mint("DUST")
	empty, err := s.BurnClose().OpenEmptyAccounts(me, 3)
	require.NoError(t, err)
	sponsor, err := signing.GenerateLocalKey()
	require.NoError(t, err)
	payer := sponsor.PublicKey().String()
	require.NoError(t, s.Ledger().FundWallet(payer, 1_000_000_000))
	var all []Builder
	for name, terms := range map[string]burnclose.Terms{
		"a sponsor":               {FeePayer: payer},
		"a partner":               {PartnerFeeAccount: payer, PartnerFeeBps: new(500)},
		"a sponsor and a partner": {FeePayer: payer, PartnerFeeAccount: payer, PartnerFeeBps: new(500)},
		"the legacy format":       {AsLegacyTransaction: new(true)},
		"a priority fee":          {ComputeUnitPriceMicroLamports: new(uint64(20_000))},
		"a referral code":         {ReferralCode: "friends"},
		"a sponsor and a price, v0": {FeePayer: payer, ComputeUnitPriceMicroLamports: new(uint64(0)),
			AsLegacyTransaction: new(false)},
	} {
		all = append(all,
			from(sandbox.BurnClose, "BuildBurn, "+name, c.BuildBurn, burnclose.BurnRequest{
				Owner:      me,
				AssetID:    dust,
				BurnAmount: new(walletfi.Amount(37)),
				Terms:      terms,
			}),
			from(sandbox.BurnClose, "BuildClose, "+name, c.BuildClose, burnclose.CloseRequest{
				Owner:   me,
				AssetID: empty[0],
				Terms:   terms,
			}),
			from(sandbox.BurnClose, "BuildCloseAll, "+name, c.BuildCloseAll, burnclose.CloseAllRequest{
				Owner: me,
				Limit: new(25),
				Terms: terms,
			}),
		)
	}
	return all
}

func swapVariants(t *testing.T, s *sandbox.Sandbox) []Builder {
	c, trade := client[*swap.Client](s, sandbox.Swap), client[*amm.Client](s, sandbox.AMM)
	ctx, me, usdc := t.Context(), s.WalletAddress(), s.Mint("USDC")
	var all []Builder
	for _, pair := range [][2]string{{usdc, walletfi.NativeMint}, {walletfi.NativeMint, usdc}} {
		quote := quoted(t, c, pair[0], pair[1], 0)
		for _, wrap := range []bool{true, false} {
			if !wrap && pair[0] == walletfi.NativeMint {
				continue // spends wrapped SOL, which the wallet has none of
			}
			all = append(all, from(sandbox.Swap, fmt.Sprintf("BuildSwap of %.4s, wraps %v", pair[0], wrap), c.BuildSwap,
				swap.BuildRequest{Owner: me, Quote: quote, WrapAndUnwrapSOL: &wrap}))
		}
		in, err := trade.QuoteBaseIn(ctx, ammRequest(pair[0], pair[1], 1_000_000, amm.TxVersionLegacy))
		require.NoError(t, err)
		all = append(all, from(sandbox.AMM, fmt.Sprintf("BuildSwap of %.4s, legacy", pair[0]), trade.BuildSwap,
			amm.BuildRequest{Quote: in, Owner: me, WrapSOL: new(true), UnwrapSOL: new(true)}))
	}
	return all
}
