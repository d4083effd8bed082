package swap_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/swap"
)

func TestWireOrders(t *testing.T) {
	wiretest.Run(t, []wiretest.Case{{
		Call: wiretest.By(client, (*swap.Client).QuoteOrder,
			swap.OrderRequest{InputMint: sol, OutputMint: usdc, Amount: maxAmount}),
		Method: "GET", Target: "/order?amount=18446744073709551615&inputMint=" + sol + "&outputMint=" + usdc,
		Header: key, File: "QuoteOrder.json",
		Want: &swap.OrderQuote{OutAmount: maxAmount, MinOutAmount: 1, PriceImpactPct: wiretest.Decimal(t, "0.000000000000000001"), ExecutionMode: "async"},
		Then: func(t *testing.T, result any) { require.True(t, result.(*swap.OrderQuote).ExecutionMode.Polled()) },
	}, {
		Call: wiretest.By(client, (*swap.Client).BuildOrder, swap.OrderRequest{
			Owner:     user,
			InputMint: sol, OutputMint: usdc, Amount: 1, Slippage: walletfi.AutoSlippage(),
			PredictionMarketSlippage: walletfi.SlippageBps(0), PlatformFeeBps: new(25), PlatformFeeScale: new(0),
			PrioritizationFee: swap.PriorityAt(swap.LevelVeryHigh),
		}),
		Method: "GET",
		Target: "/order?amount=1&inputMint=" + sol + "&outputMint=" + usdc + "&platformFeeBps=25&platformFeeScale=0&predictionMarketSlippageBps=0" +
			"&prioritizationFeeLamports=%7B%22priorityLevel%22%3A%22veryHigh%22%7D&slippageBps=auto&userPublicKey=" + user,
		Header: key, File: "BuildOrder.json",
		Then: func(t *testing.T, result any) {
			o := result.(*swap.Order)
			require.Equal(t, swap.OrderQuote{
				OutAmount: 1_000_000, MinOutAmount: 990_000, PriceImpactPct: wiretest.Decimal(t, "0.25"), ExecutionMode: swap.ExecutionSync,
				RoutePlan: []swap.RouteStep{
					{Venue: "alpha", MarketKey: "K1", InputMint: "M1", OutputMint: "M2", InAmount: new(maxAmount), OutAmount: new(walletfi.Amount(0))},
					{Venue: "beta", InAmount: new(walletfi.Amount(5))},
				},
			}, o.OrderQuote)
			require.False(t, o.ExecutionMode.Polled())
			require.Equal(t, uint64(1_400_000), o.ComputeUnitLimit)
			require.Equal(t, walletfi.Amount(5000), o.PrioritizationFeeLamports)
			wiretest.Built(t, walletfi.Unsigned{
				Transactions: []walletfi.EncodedTransaction{walletfi.Base64Transaction("AQID")},
				Intent: walletfi.Intent{
					Service: "swap", Owner: user, Spend: []walletfi.Asset{{Mint: sol, Amount: 1}},
					ServiceFee: []walletfi.Asset{{Mint: sol, Amount: 1}, {Mint: usdc, Amount: 2500}},
					Receive:    []walletfi.Asset{{Mint: usdc, Amount: 987_500}},
				},
				LastValidBlockHeight: 1<<64 - 1,
			}, o.Unsigned())
		},
	}, {
		Name: "BuildOrder, without a transaction",
		Call: wiretest.By(client, (*swap.Client).BuildOrder,
			swap.OrderRequest{Owner: user, InputMint: sol, OutputMint: usdc, Amount: 1, Slippage: walletfi.SlippageBps(0)}),
		Method: "GET", Target: "/order?amount=1&inputMint=" + sol + "&outputMint=" + usdc + "&slippageBps=0&userPublicKey=" + user,
		File: "QuoteOrder.json",
		Err: func(t *testing.T, err error) {
			require.ErrorIs(t, err, walletfi.ErrDecode)
			r := wiretest.As[*walletfi.ResponseError](t, err)
			require.Contains(t, string(r.Body), `"executionMode": "async"`)
		},
	}, {
		Call: wiretest.By(client, (*swap.Client).GetOrderStatus,
			swap.OrderStatusRequest{Signature: signature, LastValidBlockHeight: new(uint64(1<<64 - 1))}),
		Method: "GET", Target: "/order-status?lastValidBlockHeight=18446744073709551615&signature=" + signature,
		Header: key, File: "GetOrderStatus.json",
		Want: &swap.OrderStatus{
			Status: swap.OrderPendingClose, InAmount: maxAmount,
			Fills: []swap.Fill{
				{Signature: wiretest.Signature(1), InAmount: maxAmount - 1, OutAmount: 3, Timestamp: walletfi.Time{Time: time.Unix(1700000000, 0).UTC()}},
				{Signature: wiretest.Signature(2), InAmount: 1},
			},
			Reverts: []walletfi.Document{
				walletfi.Document(`{"reason": "slippage", "inAmount": "12345678901234567890"}`), walletfi.Document(`"text"`), walletfi.Document(`7`),
			},
		},
	}, {
		Name:   "GetOrderStatus, least and unknown",
		Call:   wiretest.By(client, (*swap.Client).GetOrderStatus, swap.OrderStatusRequest{Signature: signature}),
		Method: "GET", Target: "/order-status?signature=" + signature,
		Reply: `{"status":"resting","inAmount":null,"fills":null}`,
		Want:  &swap.OrderStatus{Status: "resting"},
		Then:  func(t *testing.T, result any) { require.False(t, result.(*swap.OrderStatus).Status.Terminal()) },
	}})
}
