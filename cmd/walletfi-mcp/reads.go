package main

import (
	"reflect"
	"runtime"
	"strings"

	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/smartaccount"
	"github.com/walletfi/walletfi-go/socialsearch"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/webhooks"
)

// reads are the methods that are tools: each asks a service, and changes nothing there. A test
// has the reason for each method of a client that is not here.
var reads = []any{
	(*amm.Client).GetAutoFee, (*amm.Client).GetMintPrices, (*amm.Client).ListMints, (*amm.Client).ListPools,
	(*amm.Client).ListPoolsByIDs, (*amm.Client).ListPoolsByMints, (*amm.Client).QuoteBaseIn,
	(*amm.Client).QuoteBaseOut,

	(*burnclose.Client).GetTransactionStatus, (*burnclose.Client).PreviewBurn, (*burnclose.Client).PreviewClose,
	(*burnclose.Client).PreviewCloseAll, (*burnclose.Client).SummarizeCloseAll,

	(*lending.Client).GetAccount, (*lending.Client).GetPoolStats, (*lending.Client).GetRates,
	(*lending.Client).GetReferrer, (*lending.Client).ListHistory, (*lending.Client).ListPendingWithdrawals,
	(*lending.Client).ListPools,

	(*leverage.Client).GetBundleTip, (*leverage.Client).ListOffers, (*leverage.Client).ListPositions,
	(*leverage.Client).ListTradeHistory, (*leverage.Client).QuoteAddCollateral, (*leverage.Client).QuoteClose,
	(*leverage.Client).QuoteIncreaseBorrow, (*leverage.Client).QuoteOpen, (*leverage.Client).SearchTokens,

	(*onchaindata.Client).FilterPools, (*onchaindata.Client).GetPool, (*onchaindata.Client).GetPools,
	(*onchaindata.Client).GetToken, (*onchaindata.Client).GetTokenPrices, (*onchaindata.Client).GetTokens,
	(*onchaindata.Client).ListDEXes, (*onchaindata.Client).ListNetworks,
	(*onchaindata.Client).ListNetworkTrendingPools, (*onchaindata.Client).ListNewPools,
	(*onchaindata.Client).ListPoolCandles, (*onchaindata.Client).ListTokenCandles,
	(*onchaindata.Client).ListTopPools, (*onchaindata.Client).ListTrades,
	(*onchaindata.Client).ListTrendingPools, (*onchaindata.Client).SearchPools,

	(*predictmeta.Client).BatchMarkets, (*predictmeta.Client).BatchMilestones,
	(*predictmeta.Client).FilterOutcomeMints, (*predictmeta.Client).GetEvent,
	(*predictmeta.Client).GetEventCandlesticks, (*predictmeta.Client).GetForecast,
	(*predictmeta.Client).GetMarket, (*predictmeta.Client).GetMarketByMint,
	(*predictmeta.Client).GetMarketCandlesticks, (*predictmeta.Client).GetMarketCandlesticksByMint,
	(*predictmeta.Client).GetMilestones, (*predictmeta.Client).GetMilestonesByMint,
	(*predictmeta.Client).GetOrderBook, (*predictmeta.Client).GetOrderBookByMint,
	(*predictmeta.Client).ListCategories, (*predictmeta.Client).ListEvents, (*predictmeta.Client).ListMarkets,
	(*predictmeta.Client).ListOutcomeMints, (*predictmeta.Client).ListSeries, (*predictmeta.Client).ListSports,
	(*predictmeta.Client).ListTrades, (*predictmeta.Client).ListTradesByMint, (*predictmeta.Client).Search,

	(*providerswap.Client).GetQuote, (*providerswap.Client).GetQuoteV1, (*providerswap.Client).ListQuotesV1,

	(*smartaccount.Client).GetAccount, (*smartaccount.Client).GetTransaction,
	(*smartaccount.Client).ListAccounts, (*smartaccount.Client).ListDirectDebits,
	(*smartaccount.Client).ListPolicies, (*smartaccount.Client).ListSessions,
	(*smartaccount.Client).ListTransactions,

	(*socialsearch.Client).GetPost, (*socialsearch.Client).GetUserByUsername,
	(*socialsearch.Client).ListUserPosts, (*socialsearch.Client).SearchRecent,

	(*swap.Client).GetOrderStatus, (*swap.Client).GetQuote, (*swap.Client).ListTokens,
	(*swap.Client).ListTokensWithDecimals, (*swap.Client).ListVenues, (*swap.Client).QuoteOrder,

	(*webhooks.Client).GetWebhook, (*webhooks.Client).ListWebhooks,
}

// read is a method that is a tool.
type read struct {
	service string // of the package, such as "lending"
	method  string
	call    reflect.Value // its first argument is the client, the second a context
	input   input
}

// name is the tool's name: "lending_get_rates".
func (r *read) name() string { return r.service + "_" + snake(r.method) }

// newReads reads the table.
func newReads() (all []*read) {
	for _, method := range reads {
		call := reflect.ValueOf(method)
		service, name := methodOf(call)
		r := &read{service: service, method: name, call: call}
		r.input = inputOf(service+"."+name, call.Type())
		all = append(all, r)
	}
	return all
}

// methodOf takes "path/lending.(*Client).GetRates" apart.
func methodOf(call reflect.Value) (service, method string) {
	full := runtime.FuncForPC(call.Pointer()).Name()
	path, method, _ := strings.Cut(full, ".(*Client).")
	return path[strings.LastIndex(path, "/")+1:], method
}

// spelled are the words of methods that snake would tear apart.
var spelled = strings.NewReplacer("DEXes", "Dexes", "IDs", "Ids")

func snake(name string) string {
	var b strings.Builder
	for i, r := range spelled.Replace(name) {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
