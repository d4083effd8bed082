package flows

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/sandbox"
)

func leverageBuilders(t *testing.T, s *sandbox.Sandbox) []Builder {
	c := client[*leverage.Client](s, sandbox.Leverage)
	me, usdc := s.WalletAddress(), s.Mint("USDC")
	const tip = 10_000
	open := longPosition(t, c, me)
	opened, err := c.BuildOpen(t.Context(), leverage.OpenRequest{QuoteRequest: open, TipLamports: tip})
	require.NoError(t, err)
	Land(t, s, opened.Unsigned())
	split, err := c.BuildSplit(t.Context(), leverage.SplitRequest{
		Position: openPositions(t, c, me)[0].Address, Owner: me, SplitRatioBps: 5000,
	})
	require.NoError(t, err)
	Land(t, s, split.Unsigned())
	halves := openPositions(t, c, me)
	require.Len(t, halves, 2)
	one, other := halves[0].Address, halves[1].Address
	close := leverage.CloseQuoteRequest{Position: one, Owner: me, Slippage: walletfi.SlippageBps(100)}
	spend := []walletfi.Asset{{Mint: usdc, Amount: 30_000_000}}
	sell := from(sandbox.Leverage, "BuildPartialSell", c.BuildPartialSell, leverage.PartialSellRequest{
		Position: one, Owner: me, SplitRatioBps: 5000, Slippage: walletfi.SlippageBps(100),
		MinReceive: walletfi.Asset{Mint: usdc, Amount: 10_000_000},
	})
	sell.Answer = nil
	return []Builder{
		from(sandbox.Leverage, "BuildOpen", c.BuildOpen, leverage.OpenRequest{
			QuoteRequest: open, CollateralMint: usdc, TipLamports: tip,
		}),
		from(sandbox.Leverage, "BuildAddCollateral", c.BuildAddCollateral, leverage.AddCollateralRequest{
			Position: one, Owner: me, CollateralMint: usdc, CollateralAmount: 20_000_000, TipLamports: tip,
		}),
		from(sandbox.Leverage, "BuildIncreaseBorrow", c.BuildIncreaseBorrow, leverage.IncreaseBorrowRequest{
			Position: one, Owner: me, AdditionalBorrowAmount: 1_000_000, Mode: leverage.BorrowWithdraw,
			Slippage: walletfi.SlippageBps(100), TipLamports: tip, BorrowMint: usdc,
		}),
		from(sandbox.Leverage, "BuildSplit", c.BuildSplit, leverage.SplitRequest{
			Position:      one,
			Owner:         me,
			SplitRatioBps: 5000,
		}),
		from(sandbox.Leverage, "BuildMerge", c.BuildMerge, leverage.MergeRequest{First: one, Second: other, Owner: me}),
		from(sandbox.Leverage, "BuildPartialRepay", c.BuildPartialRepay, leverage.PartialRepayRequest{
			Position:     one,
			Owner:        me,
			RepaymentBps: 2500,
			MaxSpend:     spend,
		}),
		from(sandbox.Leverage, "BuildRepay", c.BuildRepay, leverage.RepayRequest{Position: one, Owner: me, MaxSpend: spend}),
		from(sandbox.Leverage, "BuildClose", c.BuildClose, leverage.CloseRequest{
			CloseQuoteRequest: close,
			TipLamports:       tip,
			MinReceive:        walletfi.Asset{Mint: usdc, Amount: 20_000_000},
		}),
		sell,
	}
}

// longPosition is a request for a position of the first offer.
func longPosition(t *testing.T, c *leverage.Client, owner string) leverage.QuoteRequest {
	offers, err := c.ListOffers(t.Context(), leverage.OffersRequest{Side: leverage.SideLong})
	require.NoError(t, err)
	require.NotEmpty(t, offers.Items)
	return leverage.QuoteRequest{
		Offer: offers.Items[0].Address, Owner: owner, CollateralAmount: 50_000_000, Leverage: walletfi.MustDecimal("2"),
		Slippage: walletfi.SlippageBps(100),
	}
}

func openPositions(t *testing.T, c *leverage.Client, owner string) []leverage.Position {
	page, err := c.ListPositions(t.Context(), leverage.PositionsRequest{Owner: owner, Status: leverage.StatusExecuted})
	require.NoError(t, err)
	require.NotEmpty(t, page.Items)
	return page.Items
}
