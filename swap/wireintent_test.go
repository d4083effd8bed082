package swap_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/swap"
)

// builtIntent is the intent in BuildIntent.json.
func builtIntent(t testing.TB) *swap.BuiltIntent {
	t.Helper()
	c, _ := carriedClient(t, keyed(), map[string][]answer{"/intent": {{Status: 200, Body: wiretest.File(t, "BuildIntent.json")}}})
	i, err := c.BuildIntent(t.Context(), swap.IntentRequest{InputMint: sol, OutputMint: usdc, Amount: maxAmount, Owner: user})
	require.NoError(t, err)
	return i
}

func TestWireIntents(t *testing.T) {
	intent := wiretest.File(t, "BuildIntent.json")
	wiretest.Run(t, []wiretest.Case{{
		Call: wiretest.By(client, (*swap.Client).BuildIntent, swap.IntentRequest{
			InputMint: sol, OutputMint: usdc, Amount: maxAmount, Slippage: walletfi.SlippageBps(0), Owner: user,
		}),
		Method: "GET", Header: key, File: "BuildIntent.json",
		Target: "/intent?amount=18446744073709551615&inputMint=" + sol + "&outputMint=" + usdc + "&slippageBps=0&userPublicKey=" + user,
		Then: func(t *testing.T, result any) {
			i := result.(*swap.BuiltIntent)
			require.Equal(t, maxAmount, i.InAmount)
			require.Equal(t, walletfi.Amount(150_000_000), i.GuaranteedOutAmount)
			require.Equal(t, walletfi.Amount(150_000_000), i.EstimatedOutAmount)
			require.Equal(t, walletfi.SlippageBps(0), i.Slippage)
			require.Equal(t, intent, i.Raw.String())
			wiretest.Built(t, walletfi.Unsigned{
				Transactions: []walletfi.EncodedTransaction{transactionSigned(0)},
				Intent: walletfi.Intent{
					Service: "swap", Owner: user, Spend: []walletfi.Asset{{Mint: sol, Amount: maxAmount}},
					Receive: []walletfi.Asset{{Mint: usdc, Amount: 150_000_000}}, ReceiveAfter: new(time.Duration(0)),
				},
				LastValidBlockHeight: 312,
			}, i.Unsigned())
		},
	}, {
		Name: "BuildIntent, without a transaction",
		Call: wiretest.By(client, (*swap.Client).BuildIntent,
			swap.IntentRequest{InputMint: sol, OutputMint: usdc, Amount: 1, Owner: user}),
		Method: "GET", Target: "/intent?amount=1&inputMint=" + sol + "&outputMint=" + usdc + "&userPublicKey=" + user,
		Reply: `{"inAmount":"1","transaction":""}`,
		Err:   func(t *testing.T, err error) { require.ErrorIs(t, err, walletfi.ErrDecode) },
	}, {
		Call: wiretest.By(client, (*swap.Client).SubmitIntent,
			swap.SubmitIntentRequest{Transaction: signedTransaction(), Intent: builtIntent(t)}),
		Method: "POST", Target: "/submit-intent", Header: key,
		Body: `{"signedTransaction":"` + signedTransaction().String() + `","intentResponse":` + intent + `}`,
		File: "SubmitIntent.json",
		Want: &swap.SubmittedIntent{OrderID: "order-7", Status: swap.OrderSubmitted, OpenSignature: signature, EstimatedFillTime: new(int64(3))},
	}, {
		Name: "SubmitIntent, without a signature",
		Call: wiretest.By(client, (*swap.Client).SubmitIntent,
			swap.SubmitIntentRequest{Transaction: signedTransaction(), Intent: builtIntent(t)}),
		Method: "POST", Target: "/submit-intent",
		Body:  `{"signedTransaction":"` + signedTransaction().String() + `","intentResponse":` + intent + `}`,
		Reply: `{"orderId":7,"status":"queued","openSignature":null,"estimatedFillTime":"12"}`,
		Want:  &swap.SubmittedIntent{OrderID: "7", Status: "queued", OpenSignature: signature, EstimatedFillTime: new(int64(12))},
	}})
}

func TestWireLists(t *testing.T) {
	wiretest.Run(t, []wiretest.Case{{
		Call:   wiretest.By(client, (*swap.Client).ListTokens),
		Method: "GET", Target: "/tokens", Header: key, File: "ListTokens.json", Want: &swap.MintPage{Items: []string{sol, usdc}},
	}, {
		Name:   "ListTokens, empty",
		Call:   wiretest.By(client, (*swap.Client).ListTokens),
		Method: "GET", Target: "/tokens", Reply: `{"tokens":[]}`, Want: &swap.MintPage{Items: []string{}},
	}, {
		Call:   wiretest.By(client, (*swap.Client).ListTokensWithDecimals),
		Method: "GET", Target: "/tokens-with-decimals", Header: key, File: "ListTokensWithDecimals.json",
		Want: &swap.TokenPage{Items: []swap.Token{{Mint: wiretest.Address(1)}, {Mint: wiretest.Address(2), Decimals: 9, Symbol: "SOL"}}},
	}, {
		Call:   wiretest.By(client, (*swap.Client).ListVenues),
		Method: "GET", Target: "/venues", Header: key, File: "ListVenues.json",
		Want: &swap.VenuePage{Items: []swap.Venue{{Name: "Alpha", ID: "alpha", Enabled: true}, {Name: "Beta", ID: "7"}, {Name: "Gamma"}}},
	}, {
		Call: wiretest.By(client, (*swap.Client).BuildPredictionMarketInit,
			swap.PredictionMarketInitRequest{MarketMint: usdc, Owner: user}),
		Method: "GET", Target: "/prediction-market-init?marketMint=" + usdc + "&userPublicKey=" + user,
		Header: key, File: "BuildPredictionMarketInit.json",
		Then: func(t *testing.T, result any) {
			i := result.(*swap.PredictionMarketInit)
			require.Equal(t, swap.MarketInfo{Mint: usdc, Series: "S", Event: "E", Outcome: "maybe"}, i.MarketInfo)
			wiretest.Built(t, walletfi.Unsigned{
				Transactions: []walletfi.EncodedTransaction{walletfi.Base64Transaction("AQID")},
				Intent:       walletfi.Intent{Service: "swap", Owner: user},
			}, i.Unsigned())
		},
	}, {
		Name: "BuildPredictionMarketInit, without a transaction",
		Call: wiretest.By(client, (*swap.Client).BuildPredictionMarketInit,
			swap.PredictionMarketInitRequest{MarketMint: usdc, Owner: user}),
		Method: "GET", Target: "/prediction-market-init?marketMint=" + usdc + "&userPublicKey=" + user,
		Reply: `{"marketInfo":{}}`,
		Err:   func(t *testing.T, err error) { require.ErrorIs(t, err, walletfi.ErrDecode) },
	}})
}

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
	require.ErrorIs(t, wiretest.Error(trade.Build(t.Context())), walletfi.ErrInvalidRequest)
	require.True(t, trade.FilledLater())
	require.False(t, swap.NewTrade(unreachable(t), swap.OrderRequest{}).FilledLater(), "nothing was built")
}
