package leverage_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/leverage"
)

var key = map[string]string{"x-api-key": "k-123456", "Authorization": ""}

func TestWireMarket(t *testing.T) {
	sol := &leverage.Token{Symbol: "SOL", Name: "Solana", Decimals: 9, PriceUSD: wiretest.Decimal(t, "150.000000000000000001"), LogoURI: "https://img.test/sol"}
	wiretest.Run(t, []wiretest.Case{{
		Call: wiretest.By(client, (*leverage.Client).ListOffers, leverage.OffersRequest{
			Search: "so l&", Side: leverage.SideShort, QuoteToken: "M2111111111111111111111111111111", Tags: []string{"a", "b"}, IncludeTokens: new(false), Limit: new(2), Offset: new(4),
		}),
		Method: "GET", Target: "/api/v1/offers?includeTokens=false&limit=2&offset=4&quoteToken=M2111111111111111111111111111111&search=so+l%26&side=SHORT&tags=a%2Cb",
		Header: key, File: "ListOffers.json",
		Want: &leverage.OfferPage{Items: []leverage.Offer{{
			Address: "Q1111111111111111111111111111111", BaseTokenAddress: "M1111111111111111111111111111111", QuoteTokenAddress: "M2111111111111111111111111111111", Side: leverage.SideShort,
			MaxLeverage: wiretest.Decimal(t, "7.50"), InterestRate: wiretest.Decimal(t, "0.12"), TotalLiquidity: maxAmount, BaseToken: sol,
		}, {
			Address: "Q2111111111111111111111111111111", BaseTokenAddress: "M3111111111111111111111111111111", QuoteTokenAddress: "M2111111111111111111111111111111", Side: "SIDEWAYS",
			MaxLeverage: wiretest.Decimal(t, "0"), InterestRate: wiretest.Decimal(t, "0"),
		}}},
	}, {
		Name:   "ListOffers, least",
		Call:   wiretest.By(client, (*leverage.Client).ListOffers, leverage.OffersRequest{}),
		Method: "GET", Target: "/api/v1/offers", Header: key, Reply: `[]`, Want: &leverage.OfferPage{Items: []leverage.Offer{}},
	}, {
		Name:   "ListOffers, liquidity that no integer holds",
		Call:   wiretest.By(client, (*leverage.Client).ListOffers, leverage.OffersRequest{}),
		Method: "GET", Target: "/api/v1/offers", Reply: `[{"totalLiquidity":"18446744073709551616"}]`,
		Err: func(t *testing.T, err error) { require.ErrorIs(t, err, walletfi.ErrDecode) },
	}, {
		Call:   wiretest.By(client, (*leverage.Client).SearchTokens, leverage.SearchTokensRequest{Search: "sol"}),
		Method: "GET", Target: "/api/v1/tokens?search=sol", Header: key, File: "SearchTokens.json",
		Then: func(t *testing.T, result any) {
			page := result.(*leverage.TokenPage)
			require.JSONEq(t, wiretest.File(t, "SearchTokens.json"), page.Raw.String())
			require.NotEmpty(t, page.Items)
		},
	}, {
		Name:   "SearchTokens, all",
		Call:   wiretest.By(client, (*leverage.Client).SearchTokens, leverage.SearchTokensRequest{}),
		Method: "GET", Target: "/api/v1/tokens", Reply: `[]`, Want: &leverage.TokenPage{Items: []walletfi.Document{}, Raw: walletfi.Document(`[]`)},
	}, {
		Call:   wiretest.By(client, (*leverage.Client).GetBundleTip),
		Method: "GET", Target: "/api/v1/bundle/tip", Header: key, File: "GetBundleTip.json",
		Want: &leverage.BundleTip{TipLamports: maxAmount},
	}})
}

func TestWirePreviews(t *testing.T) {
	document := func(name string) func(*testing.T, any) {
		return func(t *testing.T, result any) {
			require.JSONEq(t, wiretest.File(t, name), result.(walletfi.Document).String())
		}
	}
	wiretest.Run(t, []wiretest.Case{{
		Call: wiretest.By(client, (*leverage.Client).QuoteOpen, leverage.QuoteRequest{
			Offer: "Q1111111111111111111111111111111", Owner: "W1", CollateralAmount: maxAmount, Leverage: wiretest.Decimal(t, "2.50"), Slippage: walletfi.SlippageBps(0),
		}),
		Method: "POST", Target: "/api/v1/positions/quote", Header: key,
		Body: `{"offerPublicKey":"Q1111111111111111111111111111111","userPublicKey":"W1","collateralAmount":"18446744073709551615","leverage":2.50,"slippageBps":0}`,
		File: "QuoteOpen.json", Then: document("QuoteOpen.json"),
	}, {
		Call: wiretest.By(client, (*leverage.Client).QuoteClose,
			leverage.CloseQuoteRequest{Position: "P1111111111111111111111111111111", Owner: "W1", Slippage: walletfi.SlippageBps(10_000)}),
		Method: "POST", Target: "/api/v1/positions/close-quote", Header: key,
		Body: `{"positionAddress":"P1111111111111111111111111111111","userPublicKey":"W1","slippageBps":10000}`,
		File: "QuoteClose.json", Then: document("QuoteClose.json"),
	}, {
		Call: wiretest.By(client, (*leverage.Client).QuoteIncreaseBorrow, leverage.IncreaseBorrowRequest{
			Position: "P1111111111111111111111111111111", Owner: "W1", AdditionalBorrowAmount: 1, Mode: leverage.BorrowCompound, Slippage: walletfi.SlippageBps(0),
		}),
		Method: "POST", Target: "/api/v1/positions/increase-borrow-quote", Header: key,
		Body: `{"positionAddress":"P1111111111111111111111111111111","userPublicKey":"W1","additionalBorrowAmount":"1","mode":"compound","slippageBps":0,"relayTipLamports":0}`,
		File: "QuoteIncreaseBorrow.json", Then: document("QuoteIncreaseBorrow.json"),
	}, {
		Call:   wiretest.By(client, (*leverage.Client).QuoteAddCollateral, leverage.AddCollateralRequest{Position: "P1111111111111111111111111111111"}),
		Method: "POST", Target: "/api/v1/positions/add-collateral-quote", Header: key,
		Body: `{"positionAddress":"P1111111111111111111111111111111","userPublicKey":"","collateralAmount":"0","relayTipLamports":0}`,
		File: "QuoteAddCollateral.json", Then: document("QuoteAddCollateral.json"),
	}})
}

// transactionWith checks what a builder answered.
func transactionWith(intent walletfi.Intent) func(*testing.T, any) {
	return func(t *testing.T, result any) {
		intent.Service, intent.Owner = "leverage", "W1"
		wiretest.Built(t, walletfi.Unsigned{
			Transactions:         []walletfi.EncodedTransaction{walletfi.Base58Transaction("2VfUX")},
			Intent:               intent,
			LastValidBlockHeight: 1<<64 - 1,
		}, result.(*leverage.Transaction).Unsigned())
	}
}

func TestWireBuilders(t *testing.T) {
	wiretest.Run(t, []wiretest.Case{{
		Call: wiretest.By(client, (*leverage.Client).BuildOpen, leverage.OpenRequest{
			QuoteRequest: leverage.QuoteRequest{Offer: "Q1111111111111111111111111111111", Owner: "W1", CollateralAmount: 5, Leverage: wiretest.Decimal(t, "3"), Slippage: walletfi.SlippageBps(50)},
			TipLamports:  maxAmount, CollateralMint: "M1111111111111111111111111111111",
		}),
		Method: "POST", Target: "/api/v1/positions/open", Header: key,
		Body: `{"offerPublicKey":"Q1111111111111111111111111111111","userPublicKey":"W1","collateralAmount":"5","leverage":3,"slippageBps":50,"relayTipLamports":18446744073709551615}`,
		File: "BuildOpen.json",
		Then: transactionWith(walletfi.Intent{Spend: []walletfi.Asset{{Mint: "M1111111111111111111111111111111", Amount: 5}}, TipLamports: maxAmount}),
	}, {
		Name: "BuildOpen, of an unnamed mint",
		Call: wiretest.By(client, (*leverage.Client).BuildOpen, leverage.OpenRequest{
			QuoteRequest: leverage.QuoteRequest{Offer: "Q1111111111111111111111111111111", Owner: "W1", CollateralAmount: 5, Leverage: wiretest.Decimal(t, "1e0"), Slippage: walletfi.SlippageBps(0)},
		}),
		Method: "POST", Target: "/api/v1/positions/open",
		Body:  `{"offerPublicKey":"Q1111111111111111111111111111111","userPublicKey":"W1","collateralAmount":"5","leverage":1,"slippageBps":0,"relayTipLamports":0}`,
		Reply: `{"transaction":"2VfUX","lastValidBlockHeight":7}`,
		Then: func(t *testing.T, result any) {
			u := result.(*leverage.Transaction).Unsigned()
			wiretest.Intent(t, walletfi.Intent{Service: "leverage", Owner: "W1"}, u.Intent)
			require.Equal(t, uint64(7), u.LastValidBlockHeight)
		},
	}, {
		Call: wiretest.By(client, (*leverage.Client).BuildClose, leverage.CloseRequest{
			CloseQuoteRequest: leverage.CloseQuoteRequest{Position: "P1111111111111111111111111111111", Owner: "W1", Slippage: walletfi.SlippageBps(100)}, TipLamports: 7,
		}, walletfi.Urgent()),
		Method: "POST", Target: "/api/v1/positions/close", Header: key,
		Body: `{"positionAddress":"P1111111111111111111111111111111","userPublicKey":"W1","slippageBps":100,"relayTipLamports":7}`,
		File: "BuildClose.json", Then: transactionWith(walletfi.Intent{TipLamports: 7}),
	}, {
		Call: wiretest.By(client, (*leverage.Client).BuildSplit,
			leverage.SplitRequest{Position: "P1111111111111111111111111111111", Owner: "W1", SplitRatioBps: 5000}),
		Method: "POST", Target: "/api/v1/positions/split", Header: key,
		Body: `{"positionAddress":"P1111111111111111111111111111111","userPublicKey":"W1","splitRatioBps":5000}`,
		File: "BuildSplit.json", Then: transactionWith(walletfi.Intent{}),
	}, {
		Call: wiretest.By(client, (*leverage.Client).BuildMerge,
			leverage.MergeRequest{First: "P1111111111111111111111111111111", Second: "P2111111111111111111111111111111", Owner: "W1"}),
		Method: "POST", Target: "/api/v1/positions/merge", Header: key,
		Body: `{"firstPositionAddress":"P1111111111111111111111111111111","secondPositionAddress":"P2111111111111111111111111111111","userPublicKey":"W1"}`,
		File: "BuildMerge.json", Then: transactionWith(walletfi.Intent{}),
	}, {
		Call: wiretest.By(client, (*leverage.Client).BuildRepay,
			leverage.RepayRequest{Position: "P1111111111111111111111111111111", Owner: "W1", MaxSpend: []walletfi.Asset{{Mint: "M2111111111111111111111111111111", Amount: 9}}}),
		Method: "POST", Target: "/api/v1/positions/repay", Header: key, Body: `{"positionAddress":"P1111111111111111111111111111111","userPublicKey":"W1"}`,
		File: "BuildRepay.json", Then: transactionWith(walletfi.Intent{Spend: []walletfi.Asset{{Mint: "M2111111111111111111111111111111", Amount: 9}}}),
	}, {
		Call: wiretest.By(client, (*leverage.Client).BuildPartialRepay,
			leverage.PartialRepayRequest{Position: "P1111111111111111111111111111111", Owner: "W1", RepaymentBps: 10_000}),
		Method: "POST", Target: "/api/v1/positions/partial-repay", Header: key,
		Body: `{"positionAddress":"P1111111111111111111111111111111","userPublicKey":"W1","repaymentBps":10000}`,
		File: "BuildPartialRepay.json", Then: transactionWith(walletfi.Intent{}),
	}, {
		Call: wiretest.By(client, (*leverage.Client).BuildIncreaseBorrow, leverage.IncreaseBorrowRequest{
			Position: "P1111111111111111111111111111111", Owner: "W1", AdditionalBorrowAmount: maxAmount, Mode: leverage.BorrowWithdraw, Slippage: walletfi.SlippageBps(1), TipLamports: 2,
		}),
		Method: "POST", Target: "/api/v1/positions/increase-borrow", Header: key,
		Body: `{"positionAddress":"P1111111111111111111111111111111","userPublicKey":"W1","additionalBorrowAmount":"18446744073709551615","mode":"withdraw","slippageBps":1,"relayTipLamports":2}`,
		File: "BuildIncreaseBorrow.json", Then: transactionWith(walletfi.Intent{TipLamports: 2}),
	}, {
		Call: wiretest.By(client, (*leverage.Client).BuildAddCollateral, leverage.AddCollateralRequest{
			Position: "P1111111111111111111111111111111", Owner: "W1", CollateralAmount: maxAmount, CollateralMint: "M1111111111111111111111111111111",
		}),
		Method: "POST", Target: "/api/v1/positions/add-collateral", Header: key,
		Body: `{"positionAddress":"P1111111111111111111111111111111","userPublicKey":"W1","collateralAmount":"18446744073709551615","relayTipLamports":0}`,
		File: "BuildAddCollateral.json", Then: transactionWith(walletfi.Intent{Spend: []walletfi.Asset{{Mint: "M1111111111111111111111111111111", Amount: maxAmount}}}),
	}, {
		Call: wiretest.By(client, (*leverage.Client).BuildPartialSell,
			leverage.PartialSellRequest{Position: "P1111111111111111111111111111111", Owner: "W1", SplitRatioBps: 1, Slippage: walletfi.SlippageBps(0)}),
		Method: "POST", Target: "/api/v1/positions/partial-sell", Header: key,
		Body: `{"positionAddress":"P1111111111111111111111111111111","userPublicKey":"W1","splitRatioBps":1,"slippageBps":0}`,
		File: "BuildPartialSell.json",
		Then: func(t *testing.T, result any) {
			s := result.(*leverage.PartialSell)
			require.Equal(t, leverage.PositionPair{"P2111111111111111111111111111111", "P3111111111111111111111111111111"}, s.NewPositionAddresses)
			wiretest.Built(t, walletfi.Unsigned{
				Transactions: []walletfi.EncodedTransaction{walletfi.Base58Transaction("2VfUX"), walletfi.Base58Transaction("2VfUY")},
				Intent:       walletfi.Intent{Service: "leverage", Owner: "W1", MaxTransactions: 2},
			}, s.Unsigned(), "the split first, and no height")
		},
	}})
}

func TestWireRelays(t *testing.T) {
	signed := string(signedTransaction())
	wiretest.Run(t, []wiretest.Case{{
		Call: wiretest.By(client, (*leverage.Client).SendTransaction,
			leverage.SendRequest{Transaction: signedTransaction(), MEVProtect: new(false)}),
		Method: "POST", Target: "/api/v1/bundle/submit", Header: key, Body: `{"transaction":"` + signed + `","mevProtect":false}`,
		File: "SendTransaction.json",
		Then: func(t *testing.T, result any) {
			sent := result.(*leverage.Sent)
			require.Equal(t, signature, sent.Signature, "of what was signed, whatever the service says")
			require.Empty(t, sent.BundleID)
			require.JSONEq(t, `{"signature":"S9","slot":7}`, sent.Raw.String())
		},
	}, {
		Name:   "SendTransaction, least",
		Call:   wiretest.By(client, (*leverage.Client).SendTransaction, leverage.SendRequest{Transaction: "2VfUX"}),
		Method: "POST", Target: "/api/v1/bundle/submit", Body: `{"transaction":"2VfUX"}`, Reply: `"S8"`,
		Then: func(t *testing.T, result any) { require.Equal(t, "S8", result.(*leverage.Sent).Signature) },
	}, {
		Call:   wiretest.By(client, (*leverage.Client).SendBundle, []walletfi.Base58Transaction{signedTransaction(), "2VfUY"}),
		Method: "POST", Target: "/api/v1/bundle", Header: key, Body: `{"transactions":["` + signed + `","2VfUY"]}`,
		File: "SendBundle.json",
		Then: func(t *testing.T, result any) {
			sent := result.(*leverage.Sent)
			require.Equal(t, signature, sent.Signature)
			require.Equal(t, "b-7", sent.BundleID)
		},
	}})
}
