package e2e

import (
	"context"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/swap"
)

func lendingAt(o walletfi.Options) *lending.Client {
	return flows.Must(lending.New(lending.Config{BaseURL: floorsAt, APIKey: wiretest.Key(), Options: o}))
}

func leverageAt(o walletfi.Options) *leverage.Client {
	return flows.Must(leverage.New(leverage.Config{BaseURL: floorsAt, APIKey: wiretest.Key(), Options: o}))
}

// build makes a row's build of a method of a client and its request.
func build[C, Request any, Built interface{ Unsigned() walletfi.Unsigned }](
	client func(walletfi.Options) C, method func(C, context.Context, Request, ...walletfi.CallOption) (Built, error), req Request,
) func(context.Context, walletfi.Options) (walletfi.Intent, error) {
	return func(ctx context.Context, o walletfi.Options) (walletfi.Intent, error) {
		return floorOf(method(client(o), ctx, req))
	}
}

const (
	base64Built = `{"transaction":"AQID","lastValidBlockHeight":9,"blockhash":"4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM"}`
	base58Built = `{"transaction":"Ldp","lastValidBlockHeight":9}`
)

// positionFloors are the builders of packages lending and leverage that give something back.
func positionFloors() (all []floorRow) {
	for kind, after := range map[lending.DepositType]*time.Duration{
		lending.DepositProtected: nil, lending.DepositRegular: nil, lending.DepositBoosted: new(lending.BoostedCooldown),
	} {
		all = append(all, floorRow{
			name: "lending.BuildWithdraw, " + string(kind), asked: "495 of a mint", receive: least(495), after: after, mute: true,
			answers: []string{base64Built},
			build: build(lendingAt, (*lending.Client).BuildWithdraw, lending.WithdrawRequest{
				Owner: floorOwner, Mint: floorOut, WithdrawType: kind, Amount: 495,
			}),
		})
	}
	on := leverage.CloseQuoteRequest{Position: "P", Owner: floorOwner, Slippage: onePercent}
	return append(all, floorRow{
		name: "lending.BuildReferrerClaim", asked: "the rewards, at least 495 of a mint", receive: least(495),
		answers: []string{`{"transaction":"AQID","claimAmount":500}`},
		lies:    []lie{{`"claimAmount":500`, `"claimAmount":494`}, {`"claimAmount":500`, `"claimAmount":0`}},
		build: build(lendingAt, (*lending.Client).BuildReferrerClaim, lending.ReferrerClaimRequest{
			Owner: floorOwner, MinReceive: least(495)[0],
		}),
	}, floorRow{
		name: "leverage.BuildClose", asked: "the proceeds, at least 495 of a mint", receive: least(495), mute: true,
		answers: []string{base58Built},
		build: build(leverageAt, (*leverage.Client).BuildClose, leverage.CloseRequest{
			CloseQuoteRequest: on, MinReceive: least(495)[0],
		}),
	}, floorRow{
		name: "leverage.BuildPartialSell", asked: "the proceeds of a part, at least 495 of a mint", receive: least(495), mute: true,
		answers: []string{`{"splitTransaction":"Ldp","closeTransaction":"Ldq","newPositionAddresses":["A","B"]}`},
		build: build(leverageAt, (*leverage.Client).BuildPartialSell, leverage.PartialSellRequest{
			Position: "P", Owner: floorOwner, SplitRatioBps: 5000, Slippage: onePercent, MinReceive: least(495)[0],
		}),
	}, floorRow{
		name: "leverage.BuildIncreaseBorrow, withdraw", asked: "a loan of 500 of a mint, at 1 %", receive: least(495), mute: true,
		answers: []string{base58Built},
		build: build(leverageAt, (*leverage.Client).BuildIncreaseBorrow, leverage.IncreaseBorrowRequest{
			Position: "P", Owner: floorOwner, AdditionalBorrowAmount: 500, Mode: leverage.BorrowWithdraw, Slippage: onePercent,
			BorrowMint: floorOut,
		}),
	})
}

// noFloors are the builders of which nothing comes back.
func noFloors() []floorRow {
	const (
		own    = "it closes token accounts, \"reclaiming account deposits\": those are the owner's before and after, and may not leave"
		change = "a change of a position: this one takes nothing out, and the answer is a transaction and a block height"
	)
	rows := []floorRow{{
		name: "lending.BuildDeposit", nature: "\"funds\" go in, and the answer is a transaction, a block height and a blockhash",
		answers: []string{base64Built},
		build: build(lendingAt, (*lending.Client).BuildDeposit, lending.DepositRequest{
			Owner: floorOwner, Mint: floorIn, DepositType: lending.DepositBoosted, Amount: 7,
		}),
	}, {
		name: "lending.BuildInitializeReferrer", nature: "\"referrer setup\"", answers: []string{base64Built},
		build: func(ctx context.Context, o walletfi.Options) (walletfi.Intent, error) {
			made, err := lendingAt(o).BuildInitializeReferrer(ctx, lending.InitializeReferrerRequest{Owner: floorOwner})
			if err != nil {
				return walletfi.Intent{}, err
			}
			u, _ := made.Unsigned()
			return u.Intent, nil
		},
	}, {
		name: "swap.BuildPredictionMarketInit", nature: "it \"initializes prediction-market tokens\"",
		answers: []string{`{"transaction":"AQID","marketInfo":{"mint":"` + floorOut + `"}}`},
		build: build(swapAt, (*swap.Client).BuildPredictionMarketInit, swap.PredictionMarketInitRequest{
			MarketMint: floorOut, Owner: floorOwner,
		}),
	}, {
		name: "providerswap.BuildFeeTransfer", nature: "\"custom fee transfers\" pay another", answers: []string{builtV1()},
		build: build(providerAt, (*providerswap.Client).BuildFeeTransfer, providerswap.FeeTransferRequest{
			Owner: floorOwner, Receiver: floorOut, Lamports: 7,
		}),
	}}
	for name, build := range map[string]func(context.Context, walletfi.Options) (walletfi.Intent, error){
		"Open": build(leverageAt, (*leverage.Client).BuildOpen, leverage.OpenRequest{QuoteRequest: leverage.QuoteRequest{
			Offer: "O", Owner: floorOwner, CollateralAmount: 7, Leverage: walletfi.MustDecimal("2"), Slippage: onePercent,
		}}),
		"AddCollateral": build(leverageAt, (*leverage.Client).BuildAddCollateral, leverage.AddCollateralRequest{
			Position: "P", Owner: floorOwner, CollateralAmount: 7,
		}),
		"IncreaseBorrow, compound": build(leverageAt, (*leverage.Client).BuildIncreaseBorrow, leverage.IncreaseBorrowRequest{
			Position: "P", Owner: floorOwner, AdditionalBorrowAmount: 500, Mode: leverage.BorrowCompound, Slippage: onePercent,
			BorrowMint: floorOut,
		}),
		"Split": build(leverageAt, (*leverage.Client).BuildSplit, leverage.SplitRequest{Position: "P", Owner: floorOwner, SplitRatioBps: 1}),
		"Merge": build(leverageAt, (*leverage.Client).BuildMerge, leverage.MergeRequest{First: "P", Second: "Q", Owner: floorOwner}),
		"Repay": build(leverageAt, (*leverage.Client).BuildRepay, leverage.RepayRequest{Position: "P", Owner: floorOwner}),
		"PartialRepay": build(leverageAt, (*leverage.Client).BuildPartialRepay, leverage.PartialRepayRequest{
			Position: "P", Owner: floorOwner, RepaymentBps: 1,
		}),
	} {
		rows = append(rows, floorRow{name: "leverage.Build" + name, nature: change, answers: []string{base58Built}, build: build})
	}
	for name, intent := range closing() {
		rows = append(rows, floorRow{
			name: "burnclose.Build" + name, nature: own, build: intent,
			answers: []string{`{"serializedTransaction":"Ldp","transactions":["Ldp"],"accountsClosed":1,"reclaimedLamports":2039280,` +
				`"instructions":[{"programId":"` + floorOwner + `","accounts":[],"data":""}]}`},
		})
	}
	return rows
}

// closing are the builders of package burnclose.
func closing() map[string]func(context.Context, walletfi.Options) (walletfi.Intent, error) {
	at := func(o walletfi.Options) *burnclose.Client {
		return flows.Must(burnclose.New(burnclose.Config{BaseURL: floorsAt, APIKey: wiretest.Key(), Options: o}))
	}
	burn := burnclose.BurnRequest{Owner: floorOwner, AssetID: floorIn}
	one, all := burnclose.CloseRequest{Owner: floorOwner, AssetID: floorIn}, burnclose.CloseAllRequest{Owner: floorOwner}
	parts := func(built *burnclose.Instructions, err error) (walletfi.Intent, error) {
		if err != nil {
			return walletfi.Intent{}, fmt.Errorf("instructions: %w", err)
		}
		return built.Intent, nil
	}
	return map[string]func(context.Context, walletfi.Options) (walletfi.Intent, error){
		"Burn":     build(at, (*burnclose.Client).BuildBurn, burn),
		"Close":    build(at, (*burnclose.Client).BuildClose, one),
		"CloseAll": build(at, (*burnclose.Client).BuildCloseAll, all),
		"BurnInstructions": func(ctx context.Context, o walletfi.Options) (walletfi.Intent, error) {
			return parts(at(o).BuildBurnInstructions(ctx, burn))
		},
		"CloseInstructions": func(ctx context.Context, o walletfi.Options) (walletfi.Intent, error) {
			return parts(at(o).BuildCloseInstructions(ctx, one))
		},
		"CloseAllInstructions": func(ctx context.Context, o walletfi.Options) (walletfi.Intent, error) {
			built, err := at(o).BuildCloseAllInstructions(ctx, all)
			if err != nil {
				return walletfi.Intent{}, err
			}
			return built.Intent, nil
		},
	}
}
