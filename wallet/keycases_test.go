package wallet_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/wallet"
)

// quotingServices answers all builders. The amounts are other ones at each quote.
type quotingServices struct {
	quoted      walletfi.Amount
	transaction walletfi.Base64Transaction
	second      walletfi.Base64Transaction // of an answer with two
	rows        map[string]keyCase
}

type object = map[string]any

// answer is the service's answer to a request.
func (s *quotingServices) answer(r wiretest.Request) any {
	q, quoted := r.URL.Query(), 1_000_000*s.quoted
	exact := json.Number(q.Get("amount") + q.Get("amount_in"))
	built := s.built(quoted)
	switch path := r.URL.Path; {
	case path == "/quote":
		return quoteOf(q, exact, quoted)
	case path == "/swap", path == "/swap-instructions":
		built["swapTransaction"] = s.transaction
	case path == "/order":
		built["outAmount"], built["minOutAmount"] = quoted, quoted-1000
		built["executionMode"] = []string{"", "sync", "async"}[s.quoted]
	case path == "/intent":
		built["inputMint"], built["outputMint"], built["inAmount"] = q.Get("inputMint"), q.Get("outputMint"), exact
		built["guaranteedOutAmount"], built["estimatedOutAmount"] = quoted, quoted
		built["slippageBps"] = slippageOf(q)
	case path == "/prediction-market-init":
		built["marketInfo"] = object{"mint": q.Get("marketMint")}
	case path == "/compute/swap-base-in":
		return ammQuote(q, exact, quoted, quoted-1000)
	case path == "/compute/swap-base-out":
		return ammQuote(q, quoted, exact, quoted+1000)
	case strings.HasPrefix(path, "/transaction/"):
		return object{"success": true, "data": []any{object{"transaction": s.transaction}}}
	case path == "/api/v2/quote":
		return object{"srcAmountIn": exact, "destAmountOut": quoted, "destAmountOutMin": quoted - 1000, "priceImpactPct": 0, "txn": s.transaction}
	case strings.HasPrefix(path, "/api/v1/positions"): // base58
		return built
	}
	built["transaction"] = s.transaction
	return built
}

// built has what the builders' answers have in common.
func (s *quotingServices) built(quoted walletfi.Amount) object {
	base58, _ := s.transaction.Base58()
	closing, _ := s.second.Base58()
	instruction := object{"programId": wiretest.Address(1), "accounts": []any{}, "data": "AA=="}
	halves := []string{wiretest.Address(byte(10 * s.quoted)), wiretest.Address(byte(10*s.quoted + 1))}
	return object{
		"transaction": base58, "serializedTransaction": base58, "splitTransaction": base58, "closeTransaction": closing,
		"transactions": []any{base58}, "instructions": []any{instruction}, "newPositionAddresses": halves,
		"lastValidBlockHeight": 100 * s.quoted, "blockhash": wiretest.Address(byte(s.quoted)),
		"reclaimedLamports": quoted, "claimAmount": quoted, "accountsClosed": 1, "priceImpactPct": 0,
		"computeUnitLimit": 7, "prioritizationFeeLamports": 0, "addressLookupTableAddresses": []any{},
	}
}

func quoteOf(q url.Values, in, out any) object {
	quote := object{
		"inputMint": q.Get("inputMint"), "outputMint": q.Get("outputMint"), "inAmount": in, "outAmount": out,
		"minOutAmount": out, "otherAmountThreshold": out, "requestId": fmt.Sprint(out), "routePlan": []any{},
		"priceImpactPct": 0, "contextSlot": 9, "forBundle": q.Get("forBundle") == "true", "slippageBps": slippageOf(q),
	}
	if fee := q.Get("platformFeeBps"); fee != "" {
		quote["platformFee"] = object{"feeBps": json.Number(fee), "amount": out}
	}
	return quote
}

func slippageOf(q url.Values) any {
	if bps := q.Get("slippageBps"); bps != "" && bps != "auto" {
		return json.Number(bps)
	}
	return 0
}

func ammQuote(q url.Values, in, out, threshold any) object {
	quote := quoteOf(q, in, out)
	quote["otherAmountThreshold"] = threshold
	return object{"success": true, "data": quote}
}

// freely lets every call go at once.
type freely struct{}

func (freely) Permit(context.Context, time.Duration) (func(context.Context, bool) error, error) {
	return func(context.Context, bool) error { return nil }, nil
}
func (freely) Hold(context.Context, time.Time) error         { return nil }
func (freely) Tighten(context.Context, int, time.Time) error { return nil }

// method is a builder's.
type method[R, A any] func(context.Context, R, ...walletfi.CallOption) (A, error)

// intents is a case of a builder whose answer has its intent.
func intents[R, A any](build method[R, A], request R, another object, intent func(A) walletfi.Intent) keyCase {
	return keyCase{request, func(request any) (walletfi.Intent, error) {
		answer, err := build(context.Background(), request.(R))
		if err != nil {
			return walletfi.Intent{}, err
		}
		return intent(answer), nil
	}, another}
}

// builds is a case of a builder of transactions.
func builds[R any, A wallet.Built](build method[R, A], request R, another object) keyCase {
	return intents(build, request, another, func(a A) walletfi.Intent { return a.Unsigned().Intent })
}

// keyCases are those of all services.
func keyCases(t *testing.T) *quotingServices {
	r := newRig(t)
	s := &quotingServices{quoted: 1, transaction: r.transfer(t, 1, 1), second: r.transfer(t, 2, 1), rows: map[string]keyCase{}}
	carrier := &wiretest.Carrier{Reply: func(_ int, r wiretest.Request) wiretest.Answer {
		text, err := json.Marshal(s.answer(r))
		require.NoError(t, err)
		return wiretest.Answer{Status: 200, Body: string(text)}
	}}
	o := walletfi.Options{
		HTTPClient: carrier.Client(), Limiter: func(ratelimit.Scope) ratelimit.Limiter { return freely{} },
	}
	for _, cases := range []map[string]keyCase{
		lendingCases(t, o), burnCases(t, o), leverageCases(t, o), swapCases(t, o), ammCases(t, o), providerCases(t, o),
	} {
		maps.Copy(s.rows, cases)
	}
	return s
}

const servicesAt = "https://service.test"

// The values of the requests.
var (
	me, one, two, three = wiretest.Address(1), wiretest.Address(2), wiretest.Address(3), wiretest.Address(4)

	onePercent = walletfi.SlippageBps(100)
)

func lendingCases(t *testing.T, o walletfi.Options) map[string]keyCase {
	c := wiretest.Client(t, lending.New, lending.Config{BaseURL: servicesAt, APIKey: wiretest.Key(), Options: o})
	another := object{"DepositType": lending.DepositRegular, "WithdrawType": lending.DepositRegular}
	return map[string]keyCase{
		"lending.BuildDeposit": builds(c.BuildDeposit, lending.DepositRequest{
			Owner: me, Mint: one, DepositType: lending.DepositProtected, Amount: 1000,
			ProtectedAmount: new(walletfi.Amount(10)), RegularAmount: new(walletfi.Amount(20)),
		}, another),
		"lending.BuildWithdraw": builds(c.BuildWithdraw, lending.WithdrawRequest{
			Owner: me, Mint: one, WithdrawType: lending.DepositBoosted, Amount: 1000,
		}, another),
		"lending.BuildReferrerClaim": builds(c.BuildReferrerClaim, lending.ReferrerClaimRequest{Owner: me}, object{
			"MinReceive": walletfi.Asset{Mint: one, Amount: 50},
		}),
		"lending.BuildInitializeReferrer": intents(c.BuildInitializeReferrer, lending.InitializeReferrerRequest{
			Owner: me, ReferralCode: "code",
		}, nil, func(a *lending.ReferrerInitialization) walletfi.Intent { u, _ := a.Unsigned(); return u.Intent }),
	}
}

func burnCases(t *testing.T, o walletfi.Options) map[string]keyCase {
	c := wiretest.Client(t, burnclose.New, burnclose.Config{BaseURL: servicesAt, APIKey: wiretest.Key(), Options: o})
	terms := burnclose.Terms{FeePayer: two, PartnerFeeAccount: three, PartnerFeeBps: new(100)}
	burn := burnclose.BurnRequest{Owner: me, AssetID: one, BurnAmount: new(walletfi.Amount(7)), Terms: terms}
	shut := burnclose.CloseRequest{Owner: me, AssetID: one, Terms: terms}
	all := burnclose.CloseAllRequest{Owner: me, Limit: new(5), Terms: terms}
	cases := map[string]keyCase{
		"burnclose.BuildBurn": builds(c.BuildBurn, burn, nil), "burnclose.BuildClose": builds(c.BuildClose, shut, nil),
		"burnclose.BuildCloseAll": builds(c.BuildCloseAll, all, nil),
	}
	// The instructions of the same request are the same wish: another owner's is another.
	burn.Owner, shut.Owner, all.Owner = two, two, two
	intent := func(a *burnclose.Instructions) walletfi.Intent { return a.Intent }
	cases["burnclose.BuildBurnInstructions"] = intents(c.BuildBurnInstructions, burn, nil, intent)
	cases["burnclose.BuildCloseInstructions"] = intents(c.BuildCloseInstructions, shut, nil, intent)
	cases["burnclose.BuildCloseAllInstructions"] = intents(c.BuildCloseAllInstructions, all, nil,
		func(a *burnclose.CloseAllInstructions) walletfi.Intent { return a.Intent })
	for name, plain := range cases {
		cases[name] = keyCase{plain.request, func(request any) (walletfi.Intent, error) {
			return plain.build(withoutPartner(request))
		}, object{"ReferralCode": "friend"}}
	}
	return cases
}

// withoutPartner leaves the partner's fee out if there is a referral code, which excludes it.
func withoutPartner(request any) any {
	v := reflect.New(reflect.TypeOf(request)).Elem()
	v.Set(reflect.ValueOf(request))
	if v.FieldByName("ReferralCode").String() != "" {
		v.FieldByName("PartnerFeeAccount").SetZero()
		v.FieldByName("PartnerFeeBps").SetZero()
	}
	return v.Interface()
}

func leverageCases(t *testing.T, o walletfi.Options) map[string]keyCase {
	c := wiretest.Client(t, leverage.New, leverage.Config{BaseURL: servicesAt, APIKey: wiretest.Key(), Options: o})
	spend := []walletfi.Asset{{Mint: one, Amount: 5}}
	other := []walletfi.Asset{{Mint: one, Amount: 50}}
	more := object{"MaxSpend": other, "MinReceive": other[0], "Mode": leverage.BorrowCompound}
	return map[string]keyCase{
		"leverage.BuildOpen": builds(c.BuildOpen, leverage.OpenRequest{
			QuoteRequest: leverage.QuoteRequest{
				Offer: two, Owner: me, CollateralAmount: 1000, Leverage: wiretest.Decimal(t, "2"), Slippage: onePercent,
			},
			CollateralMint: one,
		}, nil),
		"leverage.BuildAddCollateral": builds(c.BuildAddCollateral, leverage.AddCollateralRequest{
			Position: two, Owner: me, CollateralAmount: 1000,
		}, nil),
		"leverage.BuildIncreaseBorrow": builds(c.BuildIncreaseBorrow, leverage.IncreaseBorrowRequest{
			Position: two, Owner: me, AdditionalBorrowAmount: 1000, Mode: leverage.BorrowWithdraw, Slippage: onePercent,
		}, more),
		"leverage.BuildSplit": builds(c.BuildSplit, leverage.SplitRequest{
			Position: two, Owner: me, SplitRatioBps: 5000,
		}, nil),
		"leverage.BuildMerge": builds(c.BuildMerge, leverage.MergeRequest{First: two, Second: one, Owner: me}, nil),
		"leverage.BuildPartialRepay": builds(c.BuildPartialRepay, leverage.PartialRepayRequest{
			Position: two, Owner: me, RepaymentBps: 5000, MaxSpend: spend,
		}, more),
		"leverage.BuildRepay": builds(c.BuildRepay, leverage.RepayRequest{Position: two, Owner: me, MaxSpend: spend}, more),
		"leverage.BuildClose": builds(c.BuildClose, leverage.CloseRequest{CloseQuoteRequest: leverage.CloseQuoteRequest{
			Position: two, Owner: me, Slippage: onePercent,
		}}, more),
		"leverage.BuildPartialSell": builds(c.BuildPartialSell, leverage.PartialSellRequest{
			Position: two, Owner: me, SplitRatioBps: 5000, Slippage: onePercent,
		}, more),
	}
}

// swapOfQuote and ammOfQuote: what is built from a quote asks for what the quote was asked
// for.
type swapOfQuote struct {
	swap.BuildRequest
	Quote swap.QuoteRequest
}

type ammOfQuote struct {
	amm.BuildRequest
	Quote struct {
		amm.QuoteRequest
		Kind amm.Kind
	}
}

func swapCases(t *testing.T, o walletfi.Options) map[string]keyCase {
	c := wiretest.Client(t, swap.New, swap.Config{BaseURL: servicesAt, APIKey: wiretest.Key(), Options: o})
	another := object{
		"PrioritizationFee": swap.PriorityBundleTip(10_000), "Freshness": new(swap.Freshness{MaxAge: time.Hour}),
		"PositiveSlippage.Mode": swap.PositiveSlippageMode("all"), "Quote.PlatformFeeMode": swap.FeeInInputMint,
	}
	request := swapOfQuote{swap.BuildRequest{
		Owner: me, DestinationTokenAccount: &swap.DestinationTokenAccount{Address: three},
		PositiveSlippage: &swap.PositiveSlippage{Mode: swap.PositiveSlippageSplit, Bps: 10},
	}, swap.QuoteRequest{InputMint: one, OutputMint: two, Amount: 1000, Slippage: onePercent, PlatformFeeBps: new(10)}}
	anothers := request
	anothers.Owner = two
	return map[string]keyCase{
		"swap.BuildIntent": builds(c.BuildIntent, swap.IntentRequest{
			InputMint: one, OutputMint: two, Amount: 1000, Slippage: onePercent, Owner: me,
		}, nil),
		"swap.BuildOrder": builds(c.BuildOrder, swap.OrderRequest{
			InputMint: one, OutputMint: two, Amount: 1000, Slippage: onePercent, Owner: me,
		}, another),
		"swap.BuildPredictionMarketInit": builds(c.BuildPredictionMarketInit, swap.PredictionMarketInitRequest{
			MarketMint: one, Owner: me,
		}, nil),
		"swap.BuildSwap": builds(ofQuote(c, c.BuildSwap), request, another),
		"swap.BuildSwapInstructions": intents(ofQuote(c, c.BuildSwapInstructions), anothers, another,
			(*swap.Instructions).Intent),
	}
}

// ofQuote quotes, and then builds.
func ofQuote[A any](c *swap.Client, build method[swap.BuildRequest, A]) method[swapOfQuote, A] {
	return func(ctx context.Context, r swapOfQuote, _ ...walletfi.CallOption) (built A, err error) {
		if r.BuildRequest.Quote, err = c.GetQuote(ctx, r.Quote); err != nil {
			return built, err
		}
		return build(ctx, r.BuildRequest)
	}
}

func ammCases(t *testing.T, o walletfi.Options) map[string]keyCase {
	c := wiretest.Client(t, amm.New, amm.Config{
		TradeURL: servicesAt, DataURL: servicesAt, Pause: new(time.Duration(0)), Options: o,
	})
	request := ammOfQuote{BuildRequest: amm.BuildRequest{Owner: me, MaxSpend: 5_000_000, OutputAccount: three}}
	request.Quote.Kind, request.Quote.QuoteRequest = amm.BaseOut, amm.QuoteRequest{
		InputMint: one, OutputMint: two, Amount: 1000, Slippage: onePercent, TxVersion: amm.TxVersionV0,
	}
	build := func(ctx context.Context, r ammOfQuote, _ ...walletfi.CallOption) (_ *amm.Transaction, err error) {
		quote := c.QuoteBaseOut
		if r.Quote.Kind == amm.BaseIn {
			quote = c.QuoteBaseIn
		}
		if r.BuildRequest.Quote, err = quote(ctx, r.Quote.QuoteRequest); err != nil {
			return nil, err
		}
		return c.BuildSwap(ctx, r.BuildRequest)
	}
	return map[string]keyCase{"amm.BuildSwap": builds(build, request, object{
		"Quote.Kind": amm.BaseIn, "Quote.TxVersion": amm.TxVersionLegacy,
	})}
}

func providerCases(t *testing.T, o walletfi.Options) map[string]keyCase {
	c := wiretest.Client(t, providerswap.New, providerswap.Config{
		BaseURL: servicesAt + "/api/v2", APIKey: wiretest.Key(), Options: o,
	})
	v1 := providerswap.BuildV1Request{
		Owner: me, FeeLamports: new(walletfi.Amount(10)), FeeReceiver: three, MinReceive: 1,
		Quote: &providerswap.QuoteV1{OutAmount: new(walletfi.Amount(1_000_000))},
	}
	v1.Provider, v1.InputMint, v1.OutputMint, v1.Amount, v1.Slippage = "one", one, walletfi.NativeMint, 1000, onePercent
	return map[string]keyCase{
		"providerswap.BuildFeeTransfer": builds(c.BuildFeeTransfer, providerswap.FeeTransferRequest{
			Owner: me, Receiver: two, Lamports: 1000,
		}, nil),
		"providerswap.BuildSwap": builds(c.BuildSwap, providerswap.BuildRequest{
			Owner: me, QuoteRequest: providerswap.QuoteRequest{InputMint: one, OutputMint: two, Amount: 1000, Slippage: onePercent},
		}, nil),
		"providerswap.BuildSwapV1": builds(c.BuildSwapV1, v1, object{
			"Provider": providerswap.Provider("two"), "Quote": &providerswap.QuoteV1{OutAmount: new(walletfi.Amount(2_000_000))},
		}),
	}
}
