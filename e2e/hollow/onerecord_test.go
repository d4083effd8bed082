package hollow

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/smartaccount"
	"github.com/walletfi/walletfi-go/socialsearch"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/webhooks"
)

// listCall is a call whose answer is a list of records. The answer has @ where the
// records are.
type listCall struct {
	name   string
	answer string
	record string
	call   func(context.Context, *http.Client) (any, error)
	beside error // what stands beside the record that was asked for last
}

// TestOneRecord puts a record that cannot be read before, between and after two
// others, in the answer of every list call: the two others must come, and the bad
// one be reported with its place and its JSON.
func TestOneRecord(t *testing.T) {
	calls, lost := listCalls(), 0
	for _, c := range calls {
		for _, bad := range c.bad() {
			for place := range 3 {
				records := []string{c.record, c.other(t)}
				records = append(records[:place], append([]string{bad}, records[place:]...)...)
				body := ""
				for i, r := range records {
					body += map[bool]string{true: " , "}[i > 0] + r
				}
				if problem := c.holds(t, body, bad, place); problem != "" {
					t.Errorf("%s, %s at %d: %s", c.name, bad, place, problem)
					lost++
				}
			}
		}
	}
	t.Logf("%d list calls, one bad record each, %d pages lost", len(calls), lost)
}

// bad are records that cannot be read, whatever the others are.
func (c listCall) bad() []string {
	if takesAny[c.name] {
		return []string{`null`}
	}
	bad := []string{`[[7]]`, `null`}
	if c.record[0] == '{' {
		bad = append(bad, `7`)
		if !takesText[c.name] {
			bad = append(bad, `"x"`)
		}
	}
	return bad
}

// takesAny are the lists of records of no documented shape.
var takesAny = map[string]bool{"leverage.SearchTokens": true}

// takesText are the lists of which a record may be a text.
var takesText = map[string]bool{"predictmeta.ListOutcomeMints": true, "predictmeta.FilterOutcomeMints": true}

func (c listCall) holds(t *testing.T, records, bad string, place int) string {
	carrier := &wiretest.Carrier{Answers: []wiretest.Answer{{Status: http.StatusOK, Body: replaced(c.answer, records)}}}
	result, err := c.call(t.Context(), carrier.Client())
	unread, ok := errors.AsType[*walletfi.UnreadError](err)
	switch {
	case !ok || !errors.Is(err, walletfi.ErrDecode):
		return fmt.Sprintf("the error is %v", err)
	case len(unread.Records) != 1 || unread.Records[0].Index != place || unread.Records[0].Raw.String() != bad:
		return fmt.Sprintf("reported as %v", unread)
	case len(carrier.Seen) != 1:
		return fmt.Sprintf("%d requests", len(carrier.Seen))
	}
	if n := longest(reflect.ValueOf(result)); n != 2 {
		return fmt.Sprintf("%d of the 2 others came", n)
	}
	return ""
}

func replaced(answer, records string) string {
	for i := range answer {
		if answer[i] == '@' {
			return answer[:i] + records + answer[i+1:]
		}
	}
	return answer
}

// longest is the length of the first list of a result.
func longest(v reflect.Value) int {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return -1
		}
		v = v.Elem()
	}
	if v.Kind() == reflect.Slice {
		return v.Len()
	}
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice && f.Type().Elem().Kind() != reflect.Uint8 {
			return f.Len()
		}
	}
	return -1
}

// listing makes a row of a method with what follows its context.
func listing(answer, record string, method any, args ...any) listCall {
	call := wiretest.Of(method, args...)
	service, _, _ := strings.Cut(call.Name(), ".")
	return listCall{name: call.Name(), answer: answer, record: record, call: func(ctx context.Context, h *http.Client) (any, error) {
		client, err := clients[sandbox.Service(service)](walletfi.Options{HTTPClient: h})
		if err != nil {
			return nil, err
		}
		return call.Make(ctx, client)
	}}
}

func listCalls() []listCall {
	all := []listCall{
		listing(`{"totalDeposited":0,"totalInterestEarned":0,"currentApy":0,"positions":[@],"rewards":[]}`, wholePosition,
			(*lending.Client).GetAccount, mintIn),
		listing(`{"pendingWithdrawals":[@]}`, wholePending, (*lending.Client).ListPendingWithdrawals, mintIn),
		listing(`{"pools":[@]}`, wholePool, (*lending.Client).ListPools),
		listing(`{"events":[@],"total":3}`, wholeDeposit,
			(*lending.Client).ListHistory, mintIn, lending.HistoryRequest{}),
		listing(`{"mint":"`+mintIn+`","rates":[@]}`, wholeRate,
			(*lending.Client).GetRates, lending.RatesRequest{Mint: mintIn}),
		listing(`{"accounts":[@],"total":3}`, wholeAccount, (*smartaccount.Client).ListAccounts),
		listing(`{"sessions":[@],"total":3}`, wholeSession, (*smartaccount.Client).ListSessions, "acc_1"),
		listing(`{"policies":[@],"total":3}`, wholePolicy, (*smartaccount.Client).ListPolicies, "acc_1"),
		listing(`{"directDebits":[@],"total":3}`, wholeDebit,
			(*smartaccount.Client).ListDirectDebits, "acc_1"),
		listing(`{"transactions":[@],"total":3}`, wholeExecuted,
			(*smartaccount.Client).ListTransactions, "acc_1", smartaccount.TransactionsRequest{}),
		listing(`[@]`, wholeOffer, (*leverage.Client).ListOffers, leverage.OffersRequest{}),
		listing(`{"tokens":[@]}`, `{"symbol":"S"}`, (*leverage.Client).SearchTokens, leverage.SearchTokensRequest{}),
		listing(`{"positions":[@]}`, wholeLeveraged,
			(*leverage.Client).ListPositions, leverage.PositionsRequest{Owner: mintIn}),
		listing(`[@]`, `{"eventType":"OPEN"}`, (*leverage.Client).ListTradeHistory, leverage.TradeHistoryRequest{Owner: mintIn}),
		listing(`{"tokens":[@]}`, `"`+mintIn+`"`, (*swap.Client).ListTokens),
		listing(`{"tokens":[@]}`, `{"mint":"`+mintIn+`","decimals":6}`, (*swap.Client).ListTokensWithDecimals),
		listing(`{"venues":[@]}`, `{"id":"v","enabled":true}`, (*swap.Client).ListVenues),
		listing(`{"webhooks":[@]}`, `{"id":"wh_1"}`, (*webhooks.Client).ListWebhooks),
		listing(`{"quotes":[@]}`, `{"provider":"p","outAmount":1}`,
			(*providerswap.Client).ListQuotesV1, providerswap.QuotesV1Request{InputMint: mintIn, OutputMint: mintOut, Amount: 1, Slippage: walletfi.SlippageBps(50)}),
		listing(`{"data":[@]}`, `{"id":"1","text":"x"}`,
			(*socialsearch.Client).ListUserPosts, "1", socialsearch.UserPostsRequest{}),
		listing(`{"data":[@],"meta":{"result_count":3}}`, `{"id":"1","text":"x"}`,
			(*socialsearch.Client).SearchRecent, socialsearch.SearchRequest{Query: socialsearch.RawQuery("x")}),
	}
	return append(append(all, listsOfPredictMeta()...), listsOfOnchainData()...)
}

func listsOfPredictMeta() []listCall {
	return []listCall{
		listing(`{"events":[@],"total":3}`, wholeEvent, (*predictmeta.Client).ListEvents, predictmeta.EventsRequest{}),
		listing(`{"markets":[@],"total":3}`, wholeMarket, (*predictmeta.Client).ListMarkets, predictmeta.MarketsRequest{}),
		listing(`{"trades":[@],"total":3}`, wholeTrade,
			(*predictmeta.Client).ListTrades, predictmeta.TradesRequest{}),
		listing(`{"trades":[@],"total":3}`, wholeTrade,
			(*predictmeta.Client).ListTradesByMint, mintIn, predictmeta.TradesRequest{}),
		listing(`{"ticker":"EV","forecasts":[@]}`, wholeForecast,
			(*predictmeta.Client).GetForecast, "EV", predictmeta.ForecastRequest{Interval: predictmeta.Interval1h}),
		listing(`{"ticker":"EV","interval":"1h","candlesticks":[@]}`, wholeCandle,
			(*predictmeta.Client).GetEventCandlesticks, "EV", predictmeta.CandlesticksRequest{}),
		listing(`{"candlesticks":[@]}`, wholeCandle,
			(*predictmeta.Client).GetMarketCandlesticks, "MK", predictmeta.CandlesticksRequest{}),
		listing(`[@]`, wholeCandle,
			(*predictmeta.Client).GetMarketCandlesticksByMint, mintIn, predictmeta.CandlesticksRequest{}),
		listing(`{"markets":[@],"not_found":[]}`, wholeSummary,
			(*predictmeta.Client).BatchMarkets, predictmeta.BatchMarketsRequest{Tickers: []string{"MK", "MK2"}}),
		listing(`{"outcome_mints":[@]}`, wholeOutcome,
			(*predictmeta.Client).ListOutcomeMints, predictmeta.OutcomeMintsRequest{}),
		listing(`{"outcome_mints":[@],"non_outcome_mints":[]}`, wholeOutcome,
			(*predictmeta.Client).FilterOutcomeMints, []string{mintIn, mintOut}),
		listing(`{"ticker":"EV","milestones":[@]}`, wholeMilestone, (*predictmeta.Client).GetMilestones, "EV"),
		listing(`{"milestones":[@]}`, wholeMilestone, (*predictmeta.Client).GetMilestonesByMint, mintIn),
		listing(`[@]`, `{"ticker":"EV","milestones":[`+wholeMilestone+`]}`, (*predictmeta.Client).BatchMilestones, []string{"EV"}),
		listing(`{"series":[@]}`, `{"ticker":"S","title":"t","category":"c","events_count":1}`, (*predictmeta.Client).ListSeries, predictmeta.SeriesRequest{}),
		listing(`{"categories":[@]}`, `{"id":"c","name":"n","events_count":1}`, (*predictmeta.Client).ListCategories),
		listing(`{"sports":[@]}`, `{"id":"s","name":"n"}`, (*predictmeta.Client).ListSports),
		listing(`{"results":[@]}`, `{"type":"market","ticker":"T","title":"t","relevance_score":1}`, (*predictmeta.Client).Search, predictmeta.SearchRequest{Query: "x"}),
	}
}
