package hollow

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/providerswap"
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
}

// TestOneRecord puts a record that cannot be read before, between and after two
// others, in the answer of every list call: the two others must come, and the bad
// one be reported with its place and its JSON.
func TestOneRecord(t *testing.T) {
	calls, lost := listCalls(t), 0
	for _, c := range calls {
		for _, bad := range c.bad() {
			for place := range 3 {
				records := []string{c.record, c.record}
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

// listed makes the rows of one client.
func listed[C any](t *testing.T, client func(*http.Client) (*C, error), rows map[string]func(context.Context, *C) (any, error), answers map[string][2]string) []listCall {
	var all []listCall
	for name, call := range rows {
		answer, ok := answers[name]
		if !ok {
			t.Fatalf("%s has no answer", name)
		}
		all = append(all, listCall{name, answer[0], answer[1], func(ctx context.Context, h *http.Client) (any, error) {
			c, err := client(h)
			if err != nil {
				return nil, err
			}
			return call(ctx, c)
		}})
	}
	return all
}

func listCalls(t *testing.T) []listCall {
	options := func(h *http.Client) walletfi.Options { return walletfi.Options{HTTPClient: h} }
	var all []listCall

	type le = lending.Client
	all = append(all, listed(t, func(h *http.Client) (*le, error) {
		return lending.New(lending.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: options(h)})
	}, map[string]func(context.Context, *le) (any, error){
		"lending.GetAccount": func(ctx context.Context, c *le) (any, error) { return c.GetAccount(ctx, mintIn) },
		"lending.ListPendingWithdrawals": func(ctx context.Context, c *le) (any, error) {
			return c.ListPendingWithdrawals(ctx, mintIn)
		},
		"lending.ListPools": func(ctx context.Context, c *le) (any, error) { return c.ListPools(ctx) },
		"lending.ListHistory": func(ctx context.Context, c *le) (any, error) {
			return c.ListHistory(ctx, mintIn, lending.HistoryRequest{})
		},
		"lending.GetRates": func(ctx context.Context, c *le) (any, error) {
			return c.GetRates(ctx, lending.RatesRequest{Mint: mintIn})
		},
	}, map[string][2]string{
		"lending.GetAccount":             {`{"totalDeposited":0,"totalInterestEarned":0,"positions":[@]}`, `{"mint":"M","balance":0,"interestEarned":0}`},
		"lending.ListPendingWithdrawals": {`{"pendingWithdrawals":[@]}`, `{"mint":"M","amount":0}`},
		"lending.ListPools":              {`{"pools":[@]}`, `{"mint":"M","totalDeposited":0,"protectedDeposits":0,"boostedDeposits":0,"availableCapacity":0}`},
		"lending.ListHistory":            {`{"events":[@],"total":3}`, `{"type":"deposit","amount":0}`},
		"lending.GetRates":               {`{"mint":"` + mintIn + `","rates":[@]}`, `{"timestamp":5}`},
	})...)

	type sm = smartaccount.Client
	all = append(all, listed(t, func(h *http.Client) (*sm, error) {
		return smartaccount.New(smartaccount.Config{BaseURL: somewhere + "/api/v1", Token: walletfi.Token{Access: wiretest.Key()}, Options: options(h)})
	}, map[string]func(context.Context, *sm) (any, error){
		"smartaccount.ListAccounts":     func(ctx context.Context, c *sm) (any, error) { return c.ListAccounts(ctx) },
		"smartaccount.ListSessions":     func(ctx context.Context, c *sm) (any, error) { return c.ListSessions(ctx, "acc_1") },
		"smartaccount.ListPolicies":     func(ctx context.Context, c *sm) (any, error) { return c.ListPolicies(ctx, "acc_1") },
		"smartaccount.ListDirectDebits": func(ctx context.Context, c *sm) (any, error) { return c.ListDirectDebits(ctx, "acc_1") },
		"smartaccount.ListTransactions": func(ctx context.Context, c *sm) (any, error) {
			return c.ListTransactions(ctx, "acc_1", smartaccount.TransactionsRequest{})
		},
	}, map[string][2]string{
		"smartaccount.ListAccounts":     {`{"accounts":[@],"total":3}`, `{"id":"acc_1"}`},
		"smartaccount.ListSessions":     {`{"sessions":[@],"total":3}`, `{"id":"sess_1"}`},
		"smartaccount.ListPolicies":     {`{"policies":[@],"total":3}`, `{"id":"pol_1"}`},
		"smartaccount.ListDirectDebits": {`{"directDebits":[@],"total":3}`, `{"id":"dd_1","maxAmount":"0"}`},
		"smartaccount.ListTransactions": {`{"transactions":[@],"total":3}`, `{"id":"tx_1"}`},
	})...)

	type lv = leverage.Client
	all = append(all, listed(t, func(h *http.Client) (*lv, error) {
		return leverage.New(leverage.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: options(h)})
	}, map[string]func(context.Context, *lv) (any, error){
		"leverage.ListOffers": func(ctx context.Context, c *lv) (any, error) { return c.ListOffers(ctx, leverage.OffersRequest{}) },
		"leverage.SearchTokens": func(ctx context.Context, c *lv) (any, error) {
			return c.SearchTokens(ctx, leverage.SearchTokensRequest{})
		},
		"leverage.ListPositions": func(ctx context.Context, c *lv) (any, error) {
			return c.ListPositions(ctx, leverage.PositionsRequest{Owner: mintIn})
		},
		"leverage.ListTradeHistory": func(ctx context.Context, c *lv) (any, error) {
			return c.ListTradeHistory(ctx, leverage.TradeHistoryRequest{Owner: mintIn})
		},
	}, map[string][2]string{
		"leverage.ListOffers":       {`[@]`, `{"address":"O","totalLiquidity":"0"}`},
		"leverage.SearchTokens":     {`{"tokens":[@]}`, `{"symbol":"S"}`},
		"leverage.ListPositions":    {`{"positions":[@]}`, `{"address":"P"}`},
		"leverage.ListTradeHistory": {`[@]`, `{"eventType":"OPEN"}`},
	})...)

	type sw = swap.Client
	all = append(all, listed(t, func(h *http.Client) (*sw, error) {
		return swap.New(swap.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: options(h)})
	}, map[string]func(context.Context, *sw) (any, error){
		"swap.ListTokens":             func(ctx context.Context, c *sw) (any, error) { return c.ListTokens(ctx) },
		"swap.ListTokensWithDecimals": func(ctx context.Context, c *sw) (any, error) { return c.ListTokensWithDecimals(ctx) },
		"swap.ListVenues":             func(ctx context.Context, c *sw) (any, error) { return c.ListVenues(ctx) },
	}, map[string][2]string{
		"swap.ListTokens":             {`{"tokens":[@]}`, `"M"`},
		"swap.ListTokensWithDecimals": {`{"tokens":[@]}`, `{"mint":"M","decimals":6}`},
		"swap.ListVenues":             {`{"venues":[@]}`, `{"id":"v"}`},
	})...)

	type wh = webhooks.Client
	all = append(all, listed(t, func(h *http.Client) (*wh, error) {
		return webhooks.New(webhooks.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: options(h)})
	}, map[string]func(context.Context, *wh) (any, error){
		"webhooks.List": func(ctx context.Context, c *wh) (any, error) { return c.List(ctx) },
	}, map[string][2]string{"webhooks.List": {`{"webhooks":[@]}`, `{"id":"wh_1"}`}})...)

	type ps = providerswap.Client
	all = append(all, listed(t, func(h *http.Client) (*ps, error) {
		return providerswap.New(providerswap.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: options(h)})
	}, map[string]func(context.Context, *ps) (any, error){
		"providerswap.ListQuotesV1": func(ctx context.Context, c *ps) (any, error) {
			return c.ListQuotesV1(ctx, providerswap.QuotesV1Request{FromMint: mintIn, ToMint: mintOut, Amount: 1, Slippage: walletfi.SlippageBps(50)})
		},
	}, map[string][2]string{"providerswap.ListQuotesV1": {`{"quotes":[@]}`, `{"provider":"p","outAmount":1}`}})...)

	type so = socialsearch.Client
	all = append(all, listed(t, func(h *http.Client) (*so, error) {
		return socialsearch.New(socialsearch.Config{BaseURL: somewhere, BearerToken: wiretest.Key(), Options: options(h)})
	}, map[string]func(context.Context, *so) (any, error){
		"socialsearch.ListUserPosts": func(ctx context.Context, c *so) (any, error) {
			return c.ListUserPosts(ctx, "1", socialsearch.UserPostsRequest{})
		},
		"socialsearch.SearchRecent": func(ctx context.Context, c *so) (any, error) {
			return c.SearchRecent(ctx, socialsearch.SearchRequest{Query: socialsearch.RawQuery("x")})
		},
	}, map[string][2]string{"socialsearch.ListUserPosts": {`{"data":[@]}`, `{"id":"1","text":"x"}`}, "socialsearch.SearchRecent": {`{"data":[@],"meta":{"result_count":3}}`, `{"id":"1","text":"x"}`}})...)

	return append(append(all, listsOfPredictMeta(t)...), listsOfOnchainData(t)...)
}

func listsOfPredictMeta(t *testing.T) []listCall {
	type pm = predictmeta.Client
	return listed(t, func(h *http.Client) (*pm, error) {
		return predictmeta.New(predictmeta.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: walletfi.Options{HTTPClient: h}})
	}, map[string]func(context.Context, *pm) (any, error){
		"predictmeta.ListEvents": func(ctx context.Context, c *pm) (any, error) {
			return c.ListEvents(ctx, predictmeta.EventsRequest{})
		},
		"predictmeta.ListMarkets": func(ctx context.Context, c *pm) (any, error) {
			return c.ListMarkets(ctx, predictmeta.MarketsRequest{})
		},
		"predictmeta.ListTrades": func(ctx context.Context, c *pm) (any, error) {
			return c.ListTrades(ctx, predictmeta.TradesRequest{})
		},
		"predictmeta.ListTradesByMint": func(ctx context.Context, c *pm) (any, error) {
			return c.ListTradesByMint(ctx, mintIn, predictmeta.TradesRequest{})
		},
		"predictmeta.GetForecast": func(ctx context.Context, c *pm) (any, error) {
			return c.GetForecast(ctx, "EV", predictmeta.ForecastRequest{Interval: predictmeta.Interval1h})
		},
		"predictmeta.GetEventCandlesticks": func(ctx context.Context, c *pm) (any, error) {
			return c.GetEventCandlesticks(ctx, "EV", predictmeta.CandlesticksRequest{})
		},
		"predictmeta.GetMarketCandlesticks": func(ctx context.Context, c *pm) (any, error) {
			return c.GetMarketCandlesticks(ctx, "MK", predictmeta.CandlesticksRequest{})
		},
		"predictmeta.GetMarketCandlesticksByMint": func(ctx context.Context, c *pm) (any, error) {
			return c.GetMarketCandlesticksByMint(ctx, mintIn, predictmeta.CandlesticksRequest{})
		},
		"predictmeta.BatchMarkets": func(ctx context.Context, c *pm) (any, error) {
			return c.BatchMarkets(ctx, predictmeta.BatchMarketsRequest{Tickers: []string{"MK"}})
		},
		"predictmeta.ListOutcomeMints": func(ctx context.Context, c *pm) (any, error) {
			return c.ListOutcomeMints(ctx, predictmeta.OutcomeMintsRequest{})
		},
		"predictmeta.FilterOutcomeMints": func(ctx context.Context, c *pm) (any, error) {
			return c.FilterOutcomeMints(ctx, []string{mintIn})
		},
		"predictmeta.GetMilestones":       func(ctx context.Context, c *pm) (any, error) { return c.GetMilestones(ctx, "EV") },
		"predictmeta.GetMilestonesByMint": func(ctx context.Context, c *pm) (any, error) { return c.GetMilestonesByMint(ctx, mintIn) },
		"predictmeta.BatchMilestones": func(ctx context.Context, c *pm) (any, error) {
			return c.BatchMilestones(ctx, []string{"EV"})
		},
		"predictmeta.ListSeries":     func(ctx context.Context, c *pm) (any, error) { return c.ListSeries(ctx, predictmeta.SeriesRequest{}) },
		"predictmeta.ListCategories": func(ctx context.Context, c *pm) (any, error) { return c.ListCategories(ctx) },
		"predictmeta.ListSports":     func(ctx context.Context, c *pm) (any, error) { return c.ListSports(ctx) },
		"predictmeta.Search": func(ctx context.Context, c *pm) (any, error) {
			return c.Search(ctx, predictmeta.SearchRequest{Query: "x"})
		},
	}, map[string][2]string{
		"predictmeta.ListEvents":                  {`{"events":[@],"total":3}`, `{"ticker":"EV"}`},
		"predictmeta.ListMarkets":                 {`{"markets":[@],"total":3}`, `{"ticker":"MK"}`},
		"predictmeta.ListTrades":                  {`{"trades":[@],"total":3}`, `{"id":"1","quantity":0}`},
		"predictmeta.ListTradesByMint":            {`{"trades":[@],"total":3}`, `{"id":"1","quantity":0}`},
		"predictmeta.GetForecast":                 {`{"ticker":"EV","forecasts":[@]}`, `{"volume":1}`},
		"predictmeta.GetEventCandlesticks":        {`{"ticker":"EV","candlesticks":[@]}`, `{"volume":1}`},
		"predictmeta.GetMarketCandlesticks":       {`{"candlesticks":[@]}`, `{"volume":1}`},
		"predictmeta.GetMarketCandlesticksByMint": {`[@]`, `{"volume":1}`},
		"predictmeta.BatchMarkets":                {`{"markets":[@],"not_found":[]}`, `{"ticker":"MK"}`},
		"predictmeta.ListOutcomeMints":            {`{"outcome_mints":[@]}`, `{"mint":"M"}`},
		"predictmeta.FilterOutcomeMints":          {`{"outcome_mints":[@],"non_outcome_mints":[]}`, `{"mint":"` + mintIn + `"}`},
		"predictmeta.GetMilestones":               {`{"ticker":"EV","milestones":[@]}`, `{"name":"n"}`},
		"predictmeta.GetMilestonesByMint":         {`{"milestones":[@]}`, `{"name":"n"}`},
		"predictmeta.BatchMilestones":             {`[@]`, `{"ticker":"EV","milestones":[{"name":"n"}]}`},
		"predictmeta.ListSeries":                  {`{"series":[@]}`, `{"ticker":"S"}`},
		"predictmeta.ListCategories":              {`{"categories":[@]}`, `{"id":"c"}`},
		"predictmeta.ListSports":                  {`{"sports":[@]}`, `{"id":"s"}`},
		"predictmeta.Search":                      {`{"results":[@]}`, `{"ticker":"T"}`},
	})
}
