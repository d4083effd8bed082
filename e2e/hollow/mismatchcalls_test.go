package hollow

import (
	"context"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/smartaccount"
	"github.com/walletfi/walletfi-go/swap"
)

// askers are calls with the optional parts of their requests.
var askers = map[sandbox.Service][]asker{
	sandbox.Lending: {
		ask(lendingClient, `{"mint":"M1","rates":[]}`, func(c *lending.Client, ctx context.Context, o []walletfi.CallOption) error {
			return errorOf(c.GetRates(ctx, lending.RatesRequest{Mint: "M1"}, o...))
		}),
		ask(lendingClient, `{"events":[{"type":"deposit","amount":1}],"total":1}`, func(c *lending.Client, ctx context.Context, o []walletfi.CallOption) error {
			return errorOf(c.ListHistory(ctx, "W1", lending.HistoryRequest{Type: lending.EventDeposit}, o...))
		}),
	},
	sandbox.SmartAccount: {
		ask(accountClient, `{"transactions":[],"total":9,"offset":3}`, func(c *smartaccount.Client, ctx context.Context, o []walletfi.CallOption) error {
			return errorOf(c.ListTransactions(ctx, "acc_1", smartaccount.TransactionsRequest{Offset: new(3)}, o...))
		}),
	},
	sandbox.Leverage: {
		ask(leverageClient, `[{"totalLiquidity":"1","side":"SHORT","quoteTokenAddress":"M2"}]`, func(c *leverage.Client, ctx context.Context, o []walletfi.CallOption) error {
			return errorOf(c.ListOffers(ctx, leverage.OffersRequest{Side: leverage.SideShort, QuoteToken: "M2"}, o...))
		}),
	},
	sandbox.PredictMeta: {
		ask(metaClient, `{"events":[{"status":"active"}],"offset":3}`, func(c *predictmeta.Client, ctx context.Context, o []walletfi.CallOption) error {
			return errorOf(c.ListEvents(ctx, predictmeta.EventsRequest{Status: predictmeta.EventActive, Offset: new(3)}, o...))
		}),
		ask(metaClient, `{"ticker":"T1","interval":"1h","candlesticks":[]}`, func(c *predictmeta.Client, ctx context.Context, o []walletfi.CallOption) error {
			return errorOf(c.GetEventCandlesticks(ctx, "T1", predictmeta.CandlesticksRequest{Interval: "1h"}, o...))
		}),
		ask(metaClient, `{"markets":[{"event_ticker":"T1"}],"offset":3}`, func(c *predictmeta.Client, ctx context.Context, o []walletfi.CallOption) error {
			return errorOf(c.ListMarkets(ctx, predictmeta.MarketsRequest{EventTicker: "T1", Offset: new(3)}, o...))
		}),
		ask(metaClient, `{"markets":[{"ticker":"T1"}],"not_found":[]}`, func(c *predictmeta.Client, ctx context.Context, o []walletfi.CallOption) error {
			return errorOf(c.BatchMarkets(ctx, predictmeta.BatchMarketsRequest{Tickers: []string{"T1", "T2"}}, o...))
		}),
		ask(metaClient, `{"trades":[{"quantity":1,"side":"sell"}],"offset":3}`, func(c *predictmeta.Client, ctx context.Context, o []walletfi.CallOption) error {
			return errorOf(c.ListTrades(ctx, predictmeta.TradesRequest{Side: predictmeta.SideSell, Offset: new(3)}, o...))
		}),
		ask(metaClient, `{"trades":[{"quantity":1,"side":"sell"}],"offset":3}`, func(c *predictmeta.Client, ctx context.Context, o []walletfi.CallOption) error {
			return errorOf(c.ListTradesByMint(ctx, mintIn, predictmeta.TradesRequest{Side: predictmeta.SideSell, Offset: new(3)}, o...))
		}),
		ask(metaClient, `{"results":[{"type":"market"}]}`, func(c *predictmeta.Client, ctx context.Context, o []walletfi.CallOption) error {
			return errorOf(c.Search(ctx, predictmeta.SearchRequest{Query: "q", Type: predictmeta.SearchMarkets}, o...))
		}),
	},
	sandbox.Swap: {
		ask(swapClient, `{"inputMint":"`+mintIn+`","outputMint":"`+mintOut+`","inAmount":"7","outAmount":"9","minOutAmount":"8","slippageBps":50,"forBundle":false,
			"platformFee":{"feeBps":10},"routePlan":[{"inputMint":"`+mintIn+`","outputMint":"`+mintOut+`"}]}`,
			func(c *swap.Client, ctx context.Context, o []walletfi.CallOption) error {
				return errorOf(c.GetQuote(ctx, swap.QuoteRequest{
					InputMint: mintIn, OutputMint: mintOut, Amount: 7, Slippage: walletfi.SlippageBps(50), ForBundle: new(false), PlatformFeeBps: new(10),
				}, o...))
			}),
		ask(swapClient, `{"outAmount":"9","minOutAmount":"8","routePlan":[{"inputMint":"`+mintIn+`","outputMint":"`+mintOut+`"}]}`,
			func(c *swap.Client, ctx context.Context, o []walletfi.CallOption) error {
				return errorOf(c.QuoteOrder(ctx, swap.OrderRequest{InputMint: mintIn, OutputMint: mintOut, Amount: 7}, o...))
			}),
		ask(swapClient, `{"inputMint":"`+mintIn+`","guaranteedOutAmount":"9","transaction":"AQID"}`, func(c *swap.Client, ctx context.Context, o []walletfi.CallOption) error {
			return errorOf(c.BuildIntent(ctx, swap.IntentRequest{InputMint: mintIn, OutputMint: mintOut, Amount: 7, Slippage: walletfi.SlippageBps(50), Owner: hollowOwner}, o...))
		}),
	},
	sandbox.AMM: {
		ask(ammClient, routed("7", "9"), func(c *amm.Client, ctx context.Context, o []walletfi.CallOption) error {
			return errorOf(c.QuoteBaseIn(ctx, amm.QuoteRequest{InputMint: mintIn, OutputMint: mintOut, Amount: 7, Slippage: walletfi.SlippageBps(0)}, o...))
		}),
		ask(ammClient, routed("7", "9"), func(c *amm.Client, ctx context.Context, o []walletfi.CallOption) error {
			return errorOf(c.QuoteBaseOut(ctx, amm.QuoteRequest{InputMint: mintIn, OutputMint: mintOut, Amount: 9, Slippage: walletfi.SlippageBps(0)}, o...))
		}),
	},
}

func errorOf[T any](_ T, err error) error { return err }

func routed(in, out string) string {
	return `{"success":true,"data":{"inputMint":"` + mintIn + `","outputMint":"` + mintOut + `","inAmount":"` + in + `","outAmount":"` + out +
		`","routePlan":[{"inputMint":"` + mintIn + `","outputMint":"` + mintOut + `"}]}}`
}

// ask makes an asker of one client's call.
func ask[C any](client func(walletfi.Options) (*C, error), answer string, call func(c *C, ctx context.Context, o []walletfi.CallOption) error) asker {
	return asker{answer, func(ctx context.Context, o walletfi.Options, opts ...walletfi.CallOption) error {
		c, err := client(o)
		if err != nil {
			return err
		}
		return call(c, ctx, opts)
	}}
}

func lendingClient(o walletfi.Options) (*lending.Client, error) {
	return lending.New(lending.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: o})
}

func accountClient(o walletfi.Options) (*smartaccount.Client, error) {
	return smartaccount.New(smartaccount.Config{BaseURL: somewhere + "/api/v1", Token: walletfi.Token{Access: walletfi.NewSecret("at-123456"), Refresh: walletfi.NewSecret("rt-123456")}, Options: o})
}

func leverageClient(o walletfi.Options) (*leverage.Client, error) {
	return leverage.New(leverage.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: o})
}

func metaClient(o walletfi.Options) (*predictmeta.Client, error) {
	return predictmeta.New(predictmeta.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: o})
}

func swapClient(o walletfi.Options) (*swap.Client, error) {
	return swap.New(swap.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: o})
}

func ammClient(o walletfi.Options) (*amm.Client, error) {
	return amm.New(amm.Config{TradeURL: somewhere, DataURL: somewhere, Options: o})
}
