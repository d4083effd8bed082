package leverage_test

import (
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/leverage"
)

func TestOpenRefused(t *testing.T) {
	c := unreachable(t, "k")
	given := func() leverage.QuoteRequest {
		return leverage.QuoteRequest{Offer: "Q1111111111111111111111111111111", Owner: "W1", CollateralAmount: 1, Leverage: wiretest.Decimal(t, "2"), Slippage: walletfi.SlippageBps(0)}
	}
	wiretest.ChangesRefused(t, given, map[string]func(*leverage.QuoteRequest){
		"everything missing: collateralAmount, leverage, offerPublicKey, slippageBps, userPublicKey": func(r *leverage.QuoteRequest) {
			*r = leverage.QuoteRequest{}
		},
		"a blank offer: offerPublicKey":   func(r *leverage.QuoteRequest) { r.Offer = " " },
		"no user: userPublicKey":          func(r *leverage.QuoteRequest) { r.Owner = "" },
		"collateral 0: collateralAmount":  func(r *leverage.QuoteRequest) { r.CollateralAmount = 0 },
		"leverage 0: leverage":            func(r *leverage.QuoteRequest) { r.Leverage = wiretest.Decimal(t, "0.0") },
		"leverage below 0: leverage":      func(r *leverage.QuoteRequest) { r.Leverage = wiretest.Decimal(t, "-2") },
		"slippage below 0: slippageBps":   func(r *leverage.QuoteRequest) { r.Slippage = walletfi.SlippageBps(-1) },
		"slippage above all: slippageBps": func(r *leverage.QuoteRequest) { r.Slippage = walletfi.SlippageBps(10_001) },
	},
		func(req leverage.QuoteRequest) error { return wiretest.Error(c.QuoteOpen(t.Context(), req)) },
		func(req leverage.QuoteRequest) error {
			return wiretest.Error(c.BuildOpen(t.Context(), leverage.OpenRequest{QuoteRequest: req}))
		})
}

func TestPositionRefused(t *testing.T) {
	c := unreachable(t, "k")
	ctx := t.Context()
	const p, u = "P1111111111111111111111111111111", "W1"
	wiretest.AllRefused(t, map[string]error{
		"close quote, nothing: positionAddress, slippageBps, userPublicKey": wiretest.Error(
			c.QuoteClose(ctx, leverage.CloseQuoteRequest{})),
		"close, slippage: slippageBps": wiretest.Error(
			c.BuildClose(ctx, leverage.CloseRequest{CloseQuoteRequest: leverage.CloseQuoteRequest{Position: p, Owner: u, Slippage: walletfi.SlippageBps(10_001)}})),
		"split, nothing: positionAddress, splitRatioBps, userPublicKey": wiretest.Error(
			c.BuildSplit(ctx, leverage.SplitRequest{})),
		"split, all and more: splitRatioBps": wiretest.Error(
			c.BuildSplit(ctx, leverage.SplitRequest{Position: p, Owner: u, SplitRatioBps: 10_001})),
		"split, all: splitRatioBps": wiretest.Error(
			c.BuildSplit(ctx, leverage.SplitRequest{Position: p, Owner: u, SplitRatioBps: 10_000})),
		"partial sell, all: splitRatioBps": wiretest.Error(
			c.BuildPartialSell(ctx, leverage.PartialSellRequest{Position: p, Owner: u, SplitRatioBps: 10_000, Slippage: walletfi.SlippageBps(1)})),
		"merge, nothing: firstPositionAddress, secondPositionAddress, userPublicKey": wiretest.Error(
			c.BuildMerge(ctx, leverage.MergeRequest{})),
		"merge with itself: secondPositionAddress": wiretest.Error(
			c.BuildMerge(ctx, leverage.MergeRequest{First: p, Second: p, Owner: u})),
		"partial sell, nothing: positionAddress, slippageBps, splitRatioBps, userPublicKey": wiretest.Error(
			c.BuildPartialSell(ctx, leverage.PartialSellRequest{})),
		"partial sell, slippage: slippageBps": wiretest.Error(
			c.BuildPartialSell(ctx, leverage.PartialSellRequest{Position: p, Owner: u, SplitRatioBps: 9_999, Slippage: walletfi.SlippageBps(-1)})),
		"repay, nothing: positionAddress, userPublicKey": wiretest.Error(c.BuildRepay(ctx, leverage.RepayRequest{})),
		"partial repay, nothing: positionAddress, repaymentBps, userPublicKey": wiretest.Error(
			c.BuildPartialRepay(ctx, leverage.PartialRepayRequest{})),
		"partial repay, all and more: repaymentBps": wiretest.Error(
			c.BuildPartialRepay(ctx, leverage.PartialRepayRequest{Position: p, Owner: u, RepaymentBps: 10_001})),
		"increase borrow, nothing: additionalBorrowAmount, mode, positionAddress, slippageBps, userPublicKey": wiretest.Error(
			c.BuildIncreaseBorrow(ctx, leverage.IncreaseBorrowRequest{})),
		"increase borrow, unknown mode and slippage: mode, slippageBps": wiretest.Error(
			c.BuildIncreaseBorrow(ctx, leverage.IncreaseBorrowRequest{Position: p, Owner: u, AdditionalBorrowAmount: 1, Mode: "keep", Slippage: walletfi.SlippageBps(10_001)})),
		"add collateral, nothing: collateralAmount, positionAddress, userPublicKey": wiretest.Error(
			c.BuildAddCollateral(ctx, leverage.AddCollateralRequest{})),
		"increase borrow quote, nothing: positionAddress": wiretest.Error(c.QuoteIncreaseBorrow(ctx, leverage.IncreaseBorrowRequest{})),
		"add collateral quote, nothing: positionAddress":  wiretest.Error(c.QuoteAddCollateral(ctx, leverage.AddCollateralRequest{})),
	})
}

func TestListsRefused(t *testing.T) {
	c := unreachable(t, "k")
	_, err := c.ListOffers(t.Context(), leverage.OffersRequest{Side: "BOTH", Tags: []string{"a", "b,c"}, Limit: new(-1), Offset: new(-1)})
	wiretest.Refused(t, err, "limit", "offset", "side", "tags[1]")
	_, err = c.ListOffers(t.Context(), leverage.OffersRequest{Tags: []string{""}})
	wiretest.Refused(t, err, "tags[0]")
	_, err = c.ListPositions(t.Context(), leverage.PositionsRequest{Status: "OPEN", Limit: new(-1), Offset: new(-1)})
	wiretest.Refused(t, err, "limit", "offset", "owner", "status")
	_, err = c.ListTradeHistory(t.Context(), leverage.TradeHistoryRequest{EventType: "open", Limit: new(-1), Offset: new(-1)})
	wiretest.Refused(t, err, "eventType", "limit", "offset", "owner")
}

func TestRelaysRefused(t *testing.T) {
	c := unreachable(t, "k")
	_, err := c.SendTransaction(t.Context(), leverage.SendRequest{})
	wiretest.Refused(t, err, "transaction")
	_, err = c.SendBundle(t.Context(), nil)
	wiretest.Refused(t, err, "transactions")
	_, err = c.SendBundle(t.Context(), []walletfi.Base58Transaction{"2VfUX", ""})
	wiretest.Refused(t, err, "transactions[1]")
	_, err = c.Submit(t.Context(), walletfi.Signed{Transaction: "no base64"})
	require.ErrorContains(t, err, "base64 characters")
	require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
	_, err = c.SubmitBundle(t.Context(), []walletfi.Signed{{Transaction: "AQID"}, {Transaction: "no base64"}})
	require.ErrorContains(t, err, "base64 characters")
}

// TestRelaysUnsigned: what a builder returned is not sent before it is signed.
func TestRelaysUnsigned(t *testing.T) {
	sponsor, owner := wiretest.Address(1), wiretest.Address(2)
	tx := func(paid, signed byte) walletfi.Base58Transaction {
		return walletfi.Base58Transaction(base58.Encode(wiretest.Pair(1, 2, paid, signed)))
	}
	for name, row := range map[string]struct {
		tx   walletfi.Base58Transaction
		late []string
		lack string // what is missing, "" if nothing is
	}{
		"as it was built":               {transactionSigned(0), nil, "lacks the signature of"},
		"as it was built for a sponsor": {tx(0, 0), []string{sponsor}, "lacks the signature of " + owner},
		"the sponsor is not named":      {tx(0, 7), nil, "lacks the signature of " + sponsor},
		"the sponsor is named":          {tx(0, 7), []string{sponsor}, ""},
		"all have signed":               {tx(8, 7), nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c, wire := carriedClient(t, ok(`{}`))
			late := walletfi.WithLateSigners(row.late...)
			_, one := c.SendTransaction(t.Context(), leverage.SendRequest{Transaction: row.tx}, late)
			_, several := c.SendBundle(t.Context(), []walletfi.Base58Transaction{signedTransaction(), row.tx}, late)
			if row.lack == "" {
				require.NoError(t, one)
				require.NoError(t, several)
				require.Len(t, wire.Seen, 2)
				return
			}
			wiretest.Refused(t, one, "transaction")
			require.ErrorContains(t, one, row.lack)
			wiretest.Refused(t, several, "transactions[1]")
			require.ErrorContains(t, several, row.lack)
			require.Empty(t, wire.Seen)
		})
	}
	unsigned, err := tx(0, 0).Base64()
	require.NoError(t, err)
	c := unreachable(t, "k")
	for _, of := range []string{owner, ""} {
		_, err = c.Submit(t.Context(), walletfi.Signed{Transaction: unsigned, Owner: of})
		wiretest.Refused(t, err, "transaction")
		_, err = c.SubmitBundle(t.Context(), []walletfi.Signed{{Transaction: unsigned, Owner: of}})
		wiretest.Refused(t, err, "transactions[0]")
	}
}

// TestKeyless: the routes that require a key say so before anything is sent,
// and the others work.
func TestKeyless(t *testing.T) {
	c := unreachable(t, "")
	ctx := t.Context()
	on := leverage.CloseQuoteRequest{Position: "P1111111111111111111111111111111", Owner: "W1", Slippage: walletfi.SlippageBps(0)}
	for name, call := range map[string]func() error{
		"open": func() error {
			_, err := c.BuildOpen(ctx, leverage.OpenRequest{QuoteRequest: leverage.QuoteRequest{Offer: "O", Owner: "W", CollateralAmount: 1, Leverage: wiretest.Decimal(t, "2"), Slippage: walletfi.SlippageBps(0)}})
			return err
		},
		"close": func() error { _, err := c.BuildClose(ctx, leverage.CloseRequest{CloseQuoteRequest: on}); return err },
		"split": func() error {
			_, err := c.BuildSplit(ctx, leverage.SplitRequest{Position: "P", Owner: "W", SplitRatioBps: 1})
			return err
		},
		"merge": func() error {
			_, err := c.BuildMerge(ctx, leverage.MergeRequest{First: "P", Second: "Q", Owner: "W"})
			return err
		},
		"sell": func() error {
			_, err := c.BuildPartialSell(ctx, leverage.PartialSellRequest{Position: "P", Owner: "W", SplitRatioBps: 1, Slippage: walletfi.SlippageBps(0)})
			return err
		},
		"repay": func() error {
			_, err := c.BuildRepay(ctx, leverage.RepayRequest{Position: "P", Owner: "W"})
			return err
		},
		"repay part": func() error {
			_, err := c.BuildPartialRepay(ctx, leverage.PartialRepayRequest{Position: "P", Owner: "W", RepaymentBps: 1})
			return err
		},
		"borrow": func() error {
			_, err := c.BuildIncreaseBorrow(ctx, leverage.IncreaseBorrowRequest{Position: "P", Owner: "W", AdditionalBorrowAmount: 1, Mode: leverage.BorrowCompound, Slippage: walletfi.SlippageBps(0)})
			return err
		},
		"borrow quote": func() error {
			_, err := c.QuoteIncreaseBorrow(ctx, leverage.IncreaseBorrowRequest{Position: on.Position})
			return err
		},
		"collateral": func() error {
			_, err := c.BuildAddCollateral(ctx, leverage.AddCollateralRequest{Position: "P", Owner: "W", CollateralAmount: 1})
			return err
		},
		"collateral quote": func() error {
			_, err := c.QuoteAddCollateral(ctx, leverage.AddCollateralRequest{Position: on.Position})
			return err
		},
		"positions": func() error { _, err := c.ListPositions(ctx, leverage.PositionsRequest{Owner: "W"}); return err },
		"history":   func() error { _, err := c.ListTradeHistory(ctx, leverage.TradeHistoryRequest{Owner: "W"}); return err },
	} {
		t.Run(name, func(t *testing.T) { wiretest.Refused(t, call(), "apiKey") })
	}
}

func TestConfigRefused(t *testing.T) {
	_, err := leverage.New(leverage.Config{})
	wiretest.Refused(t, err, "baseURL")
	_, err = leverage.New(leverage.Config{BaseURL: "http://leverage.test"})
	wiretest.Refused(t, err, "baseURL")
	_, err = leverage.New(leverage.Config{BaseURL: "https://leverage.test", APIKey: walletfi.NewSecret(" k")})
	wiretest.Refused(t, err, "apiKey")
}
