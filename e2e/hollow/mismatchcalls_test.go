package hollow

import (
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/smartaccount"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/webhooks"
)

var instant = time.Date(2027, 1, 1, 12, 30, 0, 500_000_000, time.UTC)

var ordered = swap.OrderRequest{
	Owner: hollowOwner, InputMint: mintIn, OutputMint: mintOut, Amount: 7, Slippage: walletfi.SlippageBps(50),
	PriorityFee: swap.PriorityLamports(12_000),
}

// askers are calls with the optional parts of their requests.
var askers = map[sandbox.Service][]asker{
	sandbox.Lending: {
		ask(`{"mint":"M1","rates":[]}`, (*lending.Client).GetRates, lending.RatesRequest{Mint: "M1"}),
		ask(`{"events":[`+wholeDeposit+`],"total":1}`,
			(*lending.Client).ListHistory, "W1", lending.HistoryRequest{Type: lending.EventDeposit}),
		ask(`{"transaction":"AQID","claimAmount":8}`, (*lending.Client).BuildReferrerClaim, lending.ReferrerClaimRequest{
			Owner: "R1", MinReceive: walletfi.Asset{Mint: mintOut, Amount: 8},
		}),
	},
	sandbox.SmartAccount: {
		ask(`{"transactions":[],"total":9,"offset":3}`,
			(*smartaccount.Client).ListTransactions, "acc_1", smartaccount.TransactionsRequest{Offset: new(3)}),
		ask(`{"id":"sess_1","publicKey":"K1111111111111111111111111111111","status":"active","name":"n","permissions":["swap","transfer"],"expiresAt":"2027-01-01","limits":{"perTransaction":5,"allowedMints":["M1","M2"]}}`,
			(*smartaccount.Client).CreateSession, "acc_1", smartaccount.CreateSessionRequest{
				PublicKey: "K1111111111111111111111111111111", Name: "n", ExpiresAt: instant, Permissions: []smartaccount.Permission{"transfer", "swap"},
				Limits: &smartaccount.SessionLimits{PerTransaction: new(walletfi.Amount(5)), AllowedMints: []string{"M2", "M1"}},
			}),
		ask(`{"id":"pol_1","status":"active","params":{"mint":"So11111111111111111111111111111111111111111","amount":5,"period":"daily"}}`,
			(*smartaccount.Client).CreatePolicy, "acc_1", smartaccount.CreatePolicyRequest{
				Type: smartaccount.PolicySpendingLimit, Name: "n", Params: smartaccount.SpendingLimit{Mint: walletfi.NativeMint, Amount: 5, Period: smartaccount.PeriodDaily},
			}),
		ask(`{"id":"pol_1","status":"active","params":{"to":["M1"]}}`, (*smartaccount.Client).CreatePolicy, "acc_1", smartaccount.CreatePolicyRequest{
			Type: smartaccount.PolicyAllowlist, Name: "n", Params: smartaccount.RawParams(`{"to":["M1"]}`),
		}),
		ask(`{"id":"dd_1","merchant":"m1111111111111111111111111111111","status":"active","mint":"M1111111111111111111111111111111","maxAmount":"5","expiresAt":"2027-01-01T12:30:00.5Z"}`,
			(*smartaccount.Client).CreateDirectDebit, "acc_1", smartaccount.CreateDirectDebitRequest{
				Merchant: "m1111111111111111111111111111111", MerchantName: "shop", Mint: "M1111111111111111111111111111111", MaxAmount: 5, Frequency: "monthly", ExpiresAt: instant,
			}),
		ask(`{"id":"sub_1","merchant":"m1111111111111111111111111111111","amount":"5","frequency":"monthly","status":"active","nextPayment":"2027-01-01T00:00:00Z",
			"startDate":"2027-01-01T00:00:00Z"}`,
			(*smartaccount.Client).CreateSubscription, "acc_1", smartaccount.CreateSubscriptionRequest{
				Merchant: "m1111111111111111111111111111111", MerchantName: "shop", Mint: "M1", Amount: 5, Frequency: "monthly", StartDate: instant,
			}),
	},
	sandbox.Leverage: {
		ask(strings.NewReplacer("LONG", "SHORT", `"Q1111111111111111111111111111111","side"`, `"M2111111111111111111111111111111","side"`).Replace("["+wholeOffer+"]"),
			(*leverage.Client).ListOffers, leverage.OffersRequest{Side: leverage.SideShort, QuoteToken: "M2111111111111111111111111111111"}),
		ask(`{"positions":[`+wholeLeveraged+`,`+strings.Replace(wholeLeveraged, `"status":"EXECUTED",`, ``, 1)+`]}`,
			(*leverage.Client).ListPositions, leverage.PositionsRequest{Owner: "W1", Status: leverage.StatusExecuted}),
		ask(`{"positions":[`+wholeLeveraged+`,`+strings.Replace(wholeLeveraged, `EXECUTED`, `CLOSED`, 1)+`]}`,
			(*leverage.Client).ListPositions, leverage.PositionsRequest{Owner: "W1", Status: leverage.StatusAll}),
		ask(`{"events":[{"owner":"W1","positionAddress":"P1111111111111111111111111111111","eventType":"OPEN"}]}`,
			(*leverage.Client).ListTradeHistory, leverage.TradeHistoryRequest{Owner: "W1", Position: "P1111111111111111111111111111111", EventType: leverage.EventOpen}),
	},
	sandbox.Webhooks: {
		ask(`{"webhookId":"wh_1","destination_url":"https://EXAMPLE.com/","templateArgs":{"addresses":["0xcd","0xab"]}}`,
			(*webhooks.Client).Update, "wh_1", webhooks.UpdateRequest{
				Name: "n", Network: "N", DestinationURL: "https://example.com", Enabled: new(false),
				TemplateArgs: webhooks.WalletFilter{Addresses: []string{"0xAb", "0xCd"}},
			}),
	},
	sandbox.PredictMeta: {
		ask(`{"events":[`+wholeEvent+`],"offset":3}`,
			(*predictmeta.Client).ListEvents, predictmeta.EventsRequest{Status: predictmeta.EventActive, Offset: new(3)}),
		ask(`{"ticker":"T1","interval":"1h","candlesticks":[]}`,
			(*predictmeta.Client).GetEventCandlesticks, "T1", predictmeta.CandlesticksRequest{Interval: "1h"}),
		ask(`{"markets":[`+strings.Replace(wholeMarket, "EV", "T1", 1)+`],"offset":3}`,
			(*predictmeta.Client).ListMarkets, predictmeta.MarketsRequest{EventTicker: "T1", Offset: new(3)}),
		ask(`{"markets":[`+strings.Replace(wholeSummary, "MK", "T1", 1)+`],"not_found":[]}`,
			(*predictmeta.Client).BatchMarkets, predictmeta.BatchMarketsRequest{Tickers: []string{"T1", "T2"}}),
		ask(`{"trades":[`+strings.Replace(wholeTrade, "buy", "sell", 1)+`],"offset":3}`,
			(*predictmeta.Client).ListTrades, predictmeta.TradesRequest{Side: predictmeta.SideSell, Offset: new(3)}),
		ask(`{"trades":[`+strings.Replace(wholeTrade, "buy", "sell", 1)+`],"offset":3}`,
			(*predictmeta.Client).ListTradesByMint, mintIn, predictmeta.TradesRequest{Side: predictmeta.SideSell, Offset: new(3)}),
		ask(`{"results":[{"type":"market","ticker":"T"}]}`,
			(*predictmeta.Client).Search, predictmeta.SearchRequest{Query: "q", Type: predictmeta.SearchMarkets}),
	},
	sandbox.Swap: {
		ask(`{"inputMint":"`+mintIn+`","outputMint":"`+mintOut+`","inAmount":"7","outAmount":"9000","minOutAmount":"8955","otherAmountThreshold":"8955","slippageBps":50,"forBundle":false,
			"priceImpactPct":0,"contextSlot":9,"platformFee":{"amount":1,"feeBps":10},"routePlan":[{"inputMint":"`+mintIn+`","outputMint":"`+mintOut+`"}]}`,
			(*swap.Client).GetQuote, swap.QuoteRequest{
				InputMint: mintIn, OutputMint: mintOut, Amount: 7, Slippage: walletfi.SlippageBps(50), ForBundle: new(false), PlatformFeeBps: new(10),
			}),
		ask(`{"outAmount":"9000","minOutAmount":"8955","priceImpactPct":0,"routePlan":[{"inputMint":"`+mintIn+`","outputMint":"`+mintOut+`"}]}`,
			(*swap.Client).QuoteOrder, ordered),
		ask(`{"outAmount":"9000","minOutAmount":"8955","priceImpactPct":0,"prioritizationFeeLamports":12000,"computeUnitLimit":7,"lastValidBlockHeight":9,"transaction":"AQID","routePlan":[{"inputMint":"`+mintIn+`","outputMint":"`+mintOut+`"}]}`,
			(*swap.Client).BuildOrder, ordered),
		ask(`{"inputMint":"`+mintIn+`","outputMint":"`+mintOut+`","inAmount":"7","slippageBps":50,"lastValidBlockHeight":9,"estimatedOutAmount":"9000","guaranteedOutAmount":"8955","transaction":"AQID"}`,
			(*swap.Client).BuildIntent, swap.IntentRequest{InputMint: mintIn, OutputMint: mintOut, Amount: 7, Slippage: walletfi.SlippageBps(50), Owner: hollowOwner}),
		ask(`{"swapTransaction":"AQID","prioritizationFeeLamports":12000,"computeUnitLimit":7,"lastValidBlockHeight":9}`, (*swap.Client).BuildSwap, swap.BuildRequest{
			Owner: hollowOwner, Quote: hollowQuote(), PriorityFee: swap.PriorityLamports(12_000),
		}),
	},
	sandbox.ProviderSwap: {
		ask(`{"srcAmountIn":"7","destAmountOut":"2000","destAmountOutMin":"1990","priceImpactPct":"0.1","txn":"AQID"}`,
			(*providerswap.Client).BuildSwap, providerswap.BuildRequest{Owner: hollowOwner, QuoteRequest: providerswap.QuoteRequest{
				SrcMint: mintIn, DstMint: mintOut, AmountIn: 7, Slippage: walletfi.SlippageBps(50),
			}}),
	},
	sandbox.AMM: {
		ask(routed("7", "9", "9"),
			(*amm.Client).QuoteBaseIn, amm.QuoteRequest{InputMint: mintIn, OutputMint: mintOut, Amount: 7, Slippage: walletfi.SlippageBps(0)}),
		ask(routed("7", "9", "7"),
			(*amm.Client).QuoteBaseOut, amm.QuoteRequest{InputMint: mintIn, OutputMint: mintOut, Amount: 9, Slippage: walletfi.SlippageBps(0)}),
	},
}

func routed(in, out, threshold string) string {
	return `{"success":true,"data":{"inputMint":"` + mintIn + `","outputMint":"` + mintOut + `","inAmount":"` + in + `","outAmount":"` + out +
		`","otherAmountThreshold":"` + threshold + `","priceImpactPct":"0.1","routePlan":[{"feeAmount":"1","inputMint":"` + mintIn + `","outputMint":"` + mintOut + `"}]}}`
}

// ask makes an asker of one method with what follows its context.
func ask(answer string, method any, args ...any) asker {
	return asker{answer, wiretest.Of(method, args...)}
}
