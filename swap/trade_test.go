package swap_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/swap"
)

// TestIntentTradeAsksBeforeItSendsAgain: a wallet gives its door the same bytes again
// and again. The service is given them a second time only if it says that it does not
// know the order.
func TestIntentTradeAsksBeforeItSendsAgain(t *testing.T) {
	tx := walletfi.Signed{Transaction: signedTransaction(), Signature: signature}
	for name, c := range map[string]struct {
		submits, asks []answer
		paths         []string
		second        error
	}{
		"known":      {[]answer{taken}, []answer{opened}, []string{submit, ask}, nil},
		"not known":  {[]answer{taken, taken}, []answer{unknown}, []string{submit, ask, submit}, nil},
		"refused":    {[]answer{{Status: 400}, {Status: 400}}, []answer{unknown}, []string{submit, ask, submit}, walletfi.ErrInvalidRequest},
		"no word":    {[]answer{taken}, []answer{{Status: 400}}, []string{submit, ask}, walletfi.ErrOutcomeUnknown},
		"some state": {[]answer{taken}, []answer{{Status: 200, Body: `{"status":"odd"}`}}, []string{submit, ask}, walletfi.ErrOutcomeUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			client, carrier := carriedClient(t, keyed(), map[string][]answer{submit: c.submits, ask: c.asks})
			trade := swap.NewIntentTrade(client, swap.IntentRequest{})
			trade.Intent = builtIntent(t)
			_, first := trade.Submit(t.Context(), tx)
			require.NotErrorIs(t, first, walletfi.ErrNotSent)
			told, err := trade.Submit(t.Context(), tx)
			if c.second == nil {
				require.NoError(t, err)
				require.Equal(t, signature, told)
			} else {
				require.ErrorIs(t, err, c.second)
				require.NotErrorIs(t, err, walletfi.ErrNotSent)
			}
			require.Equal(t, c.paths, carrier.Paths())
		})
	}
	trade := swap.NewIntentTrade(unreachable(t), swap.IntentRequest{})
	_, err := trade.Submit(t.Context(), tx)
	require.ErrorIs(t, err, walletfi.ErrNotSent, "nothing was built")
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	_, err = trade.Build(t.Context())
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	require.True(t, trade.FilledLater())
	require.False(t, swap.NewTrade(unreachable(t), swap.OrderRequest{}).FilledLater(), "nothing was built")
}
