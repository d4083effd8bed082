package leverage_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/leverage"
)

// TestReceives: the answers name neither a mint nor an amount, so that the caller says what
// should come back.
func TestReceives(t *testing.T) {
	for least, want := range map[walletfi.Asset][]walletfi.Asset{
		{}: nil, {Mint: "M1111111111111111111111111111111"}: nil, {Mint: "M1111111111111111111111111111111", Amount: 8}: {{Mint: "M1111111111111111111111111111111", Amount: 8}},
	} {
		c, _ := carriedClient(t, ok(`{"transaction":"Ldp","lastValidBlockHeight":9}`),
			ok(`{"splitTransaction":"Ldp","closeTransaction":"Ldq","newPositionAddresses":["A1111111111111111111111111111111","B1111111111111111111111111111111"]}`))
		closed, err := c.BuildClose(t.Context(), leverage.CloseRequest{
			CloseQuoteRequest: leverage.CloseQuoteRequest{Position: "P", Owner: "W", Slippage: walletfi.SlippageBps(50)}, MinReceive: least,
		})
		require.NoError(t, err)
		require.Equal(t, want, closed.Unsigned().Intent.Receive)
		sold, err := c.BuildPartialSell(t.Context(), leverage.PartialSellRequest{
			Position: "P", Owner: "W", SplitRatioBps: 5000, Slippage: walletfi.SlippageBps(50), MinReceive: least,
		})
		require.NoError(t, err)
		require.Equal(t, want, sold.Unsigned().Intent.Receive)
	}
	c := unreachable(t, "k-123456")
	mintless := walletfi.Asset{Amount: 1}
	_, err := c.BuildClose(t.Context(), leverage.CloseRequest{
		CloseQuoteRequest: leverage.CloseQuoteRequest{Position: "P", Owner: "W", Slippage: walletfi.SlippageBps(50)}, MinReceive: mintless,
	})
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	_, err = c.BuildPartialSell(t.Context(), leverage.PartialSellRequest{
		Position: "P", Owner: "W", SplitRatioBps: 5000, Slippage: walletfi.SlippageBps(50), MinReceive: mintless,
	})
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	for name, row := range map[string]struct {
		mode leverage.BorrowMode
		mint string
		want []walletfi.Asset
	}{
		"withdrawn":                 {leverage.BorrowWithdraw, "M1111111111111111111111111111111", []walletfi.Asset{{Mint: "M1111111111111111111111111111111", Amount: 995}}},
		"withdrawn, of no mint":     {leverage.BorrowWithdraw, "", nil},
		"added to what is borrowed": {leverage.BorrowCompound, "M1111111111111111111111111111111", nil},
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := carriedClient(t, ok(`{"transaction":"Ldp","lastValidBlockHeight":9}`))
			built, err := c.BuildIncreaseBorrow(t.Context(), leverage.IncreaseBorrowRequest{
				Position: "P", Owner: "W", AdditionalBorrowAmount: 1000, Mode: row.mode, Slippage: walletfi.SlippageBps(50), BorrowMint: row.mint,
			})
			require.NoError(t, err)
			require.Equal(t, row.want, built.Unsigned().Intent.Receive)
		})
	}
}
