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
	least := []walletfi.Asset{{Mint: "M1", Amount: 8}}
	for _, want := range [][]walletfi.Asset{nil, least} {
		c, _ := carriedClient(t, ok(`{"transaction":"Ldp","lastValidBlockHeight":9}`),
			ok(`{"splitTransaction":"Ldp","closeTransaction":"Ldp","newPositionAddresses":["A","B"]}`))
		closed, err := c.BuildClose(t.Context(), leverage.CloseRequest{
			CloseQuoteRequest: leverage.CloseQuoteRequest{Position: "P", Owner: "W", Slippage: walletfi.SlippageBps(50)}, MinReceive: want,
		})
		require.NoError(t, err)
		require.Equal(t, want, closed.Unsigned().Intent.Receive)
		sold, err := c.BuildPartialSell(t.Context(), leverage.PartialSellRequest{
			Position: "P", Owner: "W", SplitRatioBps: 5000, Slippage: walletfi.SlippageBps(50), MinReceive: want,
		})
		require.NoError(t, err)
		require.Equal(t, want, sold.Unsigned().Intent.Receive)
	}
	for name, row := range map[string]struct {
		mode leverage.BorrowMode
		mint string
		want []walletfi.Asset
	}{
		"withdrawn":                 {leverage.BorrowWithdraw, "M1", []walletfi.Asset{{Mint: "M1", Amount: 995}}},
		"withdrawn, of no mint":     {leverage.BorrowWithdraw, "", nil},
		"added to what is borrowed": {leverage.BorrowCompound, "M1", nil},
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
