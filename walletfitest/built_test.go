package walletfitest_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/internal/faking"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/wallet"
	"github.com/walletfi/walletfi-go/walletfitest"
)

const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"

// built is the Unsigned of an answer that is made.
func built[R any, A any, P interface {
	*A
	wallet.Built
}](request R, answer A) func(*testing.T) walletfi.Unsigned {
	return func(t *testing.T) walletfi.Unsigned { return P(walletfitest.Built(t, request, &answer)).Unsigned() }
}

// TestBuilt: the guard signs what is made for each builder, and it has the intent of the request.
func TestBuilt(t *testing.T) {
	key := signingtest.Key("owner")
	owner, other, sponsor := key.PublicKey().String(), signingtest.Key("other").PublicKey().String(), signingtest.Key("sponsor")
	some := walletfi.Asset{Mint: usdc, Amount: 7}
	cases := map[string]func(*testing.T) walletfi.Unsigned{
		"lending deposit":  built(lending.DepositRequest{Owner: owner, Mint: usdc, Amount: 5}, lending.DepositTransaction{}),
		"lending withdraw": built(lending.WithdrawRequest{Owner: owner, Mint: usdc, Amount: 5}, lending.WithdrawTransaction{}),
		"lending initialize": func(t *testing.T) walletfi.Unsigned {
			answer := walletfitest.Built(t, lending.InitializeReferrerRequest{Owner: owner}, &lending.ReferrerInitialization{})
			u, ok := answer.Unsigned()
			require.True(t, ok)
			return u
		},
		"lending claim":           built(lending.ReferrerClaimRequest{Owner: owner}, lending.ReferrerClaim{}),
		"leverage open":           built(leverage.OpenRequest{QuoteRequest: leverage.QuoteRequest{Owner: owner, CollateralAmount: 5}, CollateralMint: usdc}, leverage.Transaction{}),
		"leverage close":          built(leverage.CloseRequest{CloseQuoteRequest: leverage.CloseQuoteRequest{Owner: owner}}, leverage.Transaction{}),
		"leverage add collateral": built(leverage.AddCollateralRequest{Owner: owner}, leverage.Transaction{}),
		"leverage borrow":         built(leverage.IncreaseBorrowRequest{Owner: owner}, leverage.Transaction{}),
		"leverage repay":          built(leverage.RepayRequest{Owner: owner, MaxSpend: []walletfi.Asset{some}}, leverage.Transaction{}),
		"leverage partial repay":  built(leverage.PartialRepayRequest{Owner: owner}, leverage.Transaction{}),
		"leverage split":          built(leverage.SplitRequest{Owner: owner}, leverage.Transaction{}),
		"leverage merge":          built(leverage.MergeRequest{Owner: owner}, leverage.Transaction{}),
		"leverage partial sell":   built(leverage.PartialSellRequest{Owner: owner, MinReceive: some}, leverage.PartialSell{}),
		"swap": built(swap.BuildRequest{Owner: owner, Quote: &swap.Quote{
			InputMint: usdc, InAmount: 5, OutputMint: walletfi.NativeMint, OutAmount: 9, MinOutAmount: 8,
		}}, swap.Transaction{}),
		"swap order": built(swap.OrderRequest{Owner: owner, InputMint: usdc, Amount: 5, OutputMint: walletfi.NativeMint},
			swap.Order{OrderQuote: swap.OrderQuote{OutAmount: 9, MinOutAmount: 8}}),
		"swap intent": built(swap.IntentRequest{Owner: owner, InputMint: usdc, Amount: 5, OutputMint: walletfi.NativeMint},
			swap.BuiltIntent{GuaranteedOutAmount: 8}),
		"swap market init": built(swap.PredictionMarketInitRequest{Owner: owner, MarketMint: usdc}, swap.PredictionMarketInit{}),
		"amm": built(amm.BuildRequest{Owner: owner, Quote: &amm.Quote{
			InputMint: usdc, InAmount: 5, OutputMint: walletfi.NativeMint, OutAmount: 9, OtherAmountThreshold: 8,
		}}, amm.Transaction{}),
		"providerswap": built(providerswap.BuildRequest{Owner: owner, QuoteRequest: providerswap.QuoteRequest{
			InputMint: usdc, Amount: 5, OutputMint: walletfi.NativeMint,
		}}, providerswap.Transaction{Quote: providerswap.Quote{OutAmount: 9, MinOutAmount: 8}}),
		"providerswap v1": built(providerswap.BuildV1Request{Owner: owner, QuoteV1Request: providerswap.QuoteV1Request{QuotesV1Request: providerswap.QuotesV1Request{
			InputMint: usdc, Amount: 5, OutputMint: walletfi.NativeMint,
		}}, MinReceive: 8}, providerswap.TransactionV1{}),
		"providerswap fee":    built(providerswap.FeeTransferRequest{Owner: owner, Receiver: other, Lamports: 5}, providerswap.TransactionV1{}),
		"burnclose burn":      built(burnclose.BurnRequest{Owner: owner, AssetID: usdc}, burnclose.Transaction{}),
		"burnclose close":     built(burnclose.CloseRequest{Owner: owner, AssetID: usdc, Terms: burnclose.Terms{FeePayer: sponsor.PublicKey().String()}}, burnclose.Transaction{}),
		"burnclose close all": built(burnclose.CloseAllRequest{Owner: owner}, burnclose.CloseAllTransactions{}),
	}
	require.Len(t, cases, faking.Len())
	policy := walletfitest.Policy("lending", "leverage", "swap", "amm", "providerswap", "burnclose")
	policy.Sponsors = []signing.PublicKey{sponsor.PublicKey()}
	guard := signing.NewGuard(policy)
	for name, answer := range cases {
		t.Run(name, func(t *testing.T) {
			u := answer(t)
			require.Equal(t, owner, u.Intent.Owner)
			require.NotEmpty(t, u.Intent.Asked)
			txs, report, err := guard.SignSet(context.Background(), u, key)
			require.NoError(t, err, "%v", report)
			require.Len(t, txs, len(u.Transactions))
			u.Intent.Service = "another"
			_, _, err = guard.SignSet(context.Background(), u, key)
			require.ErrorIs(t, err, signing.ErrRefused, "the program is of that service alone")
		})
	}
}

// TestBuiltKeeps: what a test states stays, and the rest is made.
func TestBuiltKeeps(t *testing.T) {
	owner := signingtest.Key("owner").PublicKey().String()
	answer := walletfitest.Built(t, lending.DepositRequest{Owner: owner, Mint: usdc, Amount: 5},
		&lending.DepositTransaction{LastValidBlockHeight: 77})
	require.Equal(t, uint64(77), answer.LastValidBlockHeight)
	require.Equal(t, signingtest.Blockhash, answer.Blockhash)
	require.Equal(t, []walletfi.Asset{{Mint: usdc, Amount: 5}}, answer.Unsigned().Intent.Spend)
	sell := walletfitest.Built(t, leverage.PartialSellRequest{Owner: owner}, &leverage.PartialSell{}).Unsigned()
	require.NotEqual(t, sell.Transactions[0], sell.Transactions[1])
}
