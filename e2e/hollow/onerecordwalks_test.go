package hollow

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/smartaccount"
	"github.com/walletfi/walletfi-go/socialsearch"
)

// walked holds what an iterator yielded.
type walked struct {
	order   string // r for a record, x for one that could not be read
	unread  []*walletfi.RecordError
	failure error // that ended it
}

func collected[T any](seq iter.Seq2[T, error]) (any, error) {
	w := walked{}
	for _, err := range seq {
		if record, ok := errors.AsType[*walletfi.RecordError](err); ok {
			w.order += "x"
			w.unread = append(w.unread, record)
		} else if err != nil {
			w.failure = err
		} else {
			w.order += "r"
		}
	}
	return w, nil
}

// TestOneRecordWalk puts a record that cannot be read between two others, on the
// first page of each iterator: it is yielded in its place as an error with its
// JSON, and the iterator goes on.
func TestOneRecordWalk(t *testing.T) {
	rows := walks(t)
	for _, c := range rows {
		t.Run(c.name, func(t *testing.T) {
			older := strings.Replace(c.record, "[60,", "[30,", 1) // a candle comes once
			carrier := &wiretest.Carrier{Answers: []wiretest.Answer{
				{Status: http.StatusOK, Body: replaced(c.answer, c.record+`,[[7]],`+older)},
				{Status: http.StatusOK, Body: replaced(c.answer, c.record)},
				{Status: http.StatusOK, Body: replaced(c.answer, ``)},
			}}
			result, err := c.call(t.Context(), carrier.Client())
			require.NoError(t, err)
			w := result.(walked)
			require.NoError(t, w.failure)
			require.Contains(t, []string{"rxr", "rxrr"}, w.order)
			require.Len(t, w.unread, 1)
			require.Equal(t, 1, w.unread[0].Index)
			require.Equal(t, `[[7]]`, w.unread[0].Raw.String())
			if onePage[c.name] == "" {
				require.GreaterOrEqual(t, len(carrier.Seen), 2, "the iterator ended at the record")
			}
		})
	}
	require.Len(t, rows, 21)
}

// onePage are iterators that end at a page which is not full: that their routes have
// pages is not documented.
var onePage = map[string]string{
	"onchaindata.AllNewPools": "PageSize records are a full page",
	"onchaindata.AllNetworks": "PageSize records are a full page",
}

func walks(t *testing.T) []listCall {
	options := func(h *http.Client) walletfi.Options { return walletfi.Options{HTTPClient: h} }
	answers := map[string][2]string{}
	for _, c := range listCalls(t) {
		answers[c.name] = [2]string{c.answer, c.record}
	}
	of := func(list string) [2]string {
		t.Helper()
		require.Contains(t, answers, list)
		return answers[list]
	}
	var all []listCall

	type le = lending.Client
	all = append(all, listed(t, func(h *http.Client) (*le, error) {
		return lending.New(lending.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: options(h)})
	}, map[string]func(context.Context, *le) (any, error){
		"lending.AllHistory": func(ctx context.Context, c *le) (any, error) {
			return collected(c.AllHistory(ctx, mintIn, lending.HistoryRequest{}))
		},
	}, map[string][2]string{"lending.AllHistory": {`{"events":[@],"total":9}`, `{"type":"deposit","amount":0}`}})...)

	type sm = smartaccount.Client
	all = append(all, listed(t, func(h *http.Client) (*sm, error) {
		return smartaccount.New(smartaccount.Config{BaseURL: somewhere + "/api/v1", Token: walletfi.Token{Access: wiretest.Key()}, Options: options(h)})
	}, map[string]func(context.Context, *sm) (any, error){
		"smartaccount.AllTransactions": func(ctx context.Context, c *sm) (any, error) {
			return collected(c.AllTransactions(ctx, "acc_1", smartaccount.TransactionsRequest{}))
		},
	}, map[string][2]string{"smartaccount.AllTransactions": {`{"transactions":[@],"total":9}`, `{"id":"tx_1"}`}})...)

	type lv = leverage.Client
	all = append(all, listed(t, func(h *http.Client) (*lv, error) {
		return leverage.New(leverage.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: options(h)})
	}, map[string]func(context.Context, *lv) (any, error){
		"leverage.AllOffers": func(ctx context.Context, c *lv) (any, error) {
			return collected(c.AllOffers(ctx, leverage.OffersRequest{}))
		},
		"leverage.AllPositions": func(ctx context.Context, c *lv) (any, error) {
			return collected(c.AllPositions(ctx, leverage.PositionsRequest{Owner: mintIn}))
		},
		"leverage.AllTradeHistory": func(ctx context.Context, c *lv) (any, error) {
			return collected(c.AllTradeHistory(ctx, leverage.TradeHistoryRequest{Owner: mintIn}))
		},
	}, map[string][2]string{
		"leverage.AllOffers": of("leverage.ListOffers"), "leverage.AllPositions": of("leverage.ListPositions"), "leverage.AllTradeHistory": of("leverage.ListTradeHistory"),
	})...)

	type pm = predictmeta.Client
	all = append(all, listed(t, func(h *http.Client) (*pm, error) {
		return predictmeta.New(predictmeta.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: options(h)})
	}, map[string]func(context.Context, *pm) (any, error){
		"predictmeta.AllEvents": func(ctx context.Context, c *pm) (any, error) {
			return collected(c.AllEvents(ctx, predictmeta.EventsRequest{}))
		},
		"predictmeta.AllMarkets": func(ctx context.Context, c *pm) (any, error) {
			return collected(c.AllMarkets(ctx, predictmeta.MarketsRequest{}))
		},
		"predictmeta.AllTrades": func(ctx context.Context, c *pm) (any, error) {
			return collected(c.AllTrades(ctx, predictmeta.TradesRequest{}))
		},
		"predictmeta.AllTradesByMint": func(ctx context.Context, c *pm) (any, error) {
			return collected(c.AllTradesByMint(ctx, mintIn, predictmeta.TradesRequest{}))
		},
	}, map[string][2]string{
		"predictmeta.AllEvents": {`{"events":[@],"total":9}`, `{"ticker":"EV"}`}, "predictmeta.AllMarkets": {`{"markets":[@],"total":9}`, `{"ticker":"MK"}`},
		"predictmeta.AllTrades": {`{"trades":[@],"total":9}`, `{"id":"1","quantity":0}`}, "predictmeta.AllTradesByMint": {`{"trades":[@],"total":9}`, `{"id":"1","quantity":0}`},
	})...)

	type so = socialsearch.Client
	posts := [2]string{`{"data":[@],"meta":{"next_token":"t"}}`, `{"id":"1","text":"x"}`}
	all = append(all, listed(t, func(h *http.Client) (*so, error) {
		return socialsearch.New(socialsearch.Config{BaseURL: somewhere, BearerToken: wiretest.Key(), Options: options(h)})
	}, map[string]func(context.Context, *so) (any, error){
		"socialsearch.AllSearchRecent": func(ctx context.Context, c *so) (any, error) {
			return collected(c.AllSearchRecent(ctx, socialsearch.SearchRequest{Query: socialsearch.RawQuery("x")}))
		},
		"socialsearch.AllUserPosts": func(ctx context.Context, c *so) (any, error) {
			return collected(c.AllUserPosts(ctx, "1", socialsearch.UserPostsRequest{}))
		},
	}, map[string][2]string{"socialsearch.AllSearchRecent": posts, "socialsearch.AllUserPosts": posts})...)

	type oc = onchaindata.Client
	minute := onchaindata.CandlesRequest{Timeframe: onchaindata.TimeframeMinute}
	return append(all, listed(t, func(h *http.Client) (*oc, error) {
		return onchaindata.New(onchaindata.Config{DemoBaseURL: somewhere + "/api/v3/onchain", APIKey: wiretest.Key(), Options: options(h)})
	}, map[string]func(context.Context, *oc) (any, error){
		"onchaindata.AllTopPools": func(ctx context.Context, c *oc) (any, error) {
			return collected(c.AllTopPools(ctx, "n", onchaindata.TopPoolsRequest{}))
		},
		"onchaindata.AllTrendingPools": func(ctx context.Context, c *oc) (any, error) {
			return collected(c.AllTrendingPools(ctx, onchaindata.TrendingPoolsRequest{}))
		},
		"onchaindata.AllNetworkTrendingPools": func(ctx context.Context, c *oc) (any, error) {
			return collected(c.AllNetworkTrendingPools(ctx, "n", onchaindata.TrendingPoolsRequest{}))
		},
		"onchaindata.AllNewPools": func(ctx context.Context, c *oc) (any, error) {
			return collected(c.AllNewPools(ctx, "n", onchaindata.NewPoolsRequest{}))
		},
		"onchaindata.AllSearchPools": func(ctx context.Context, c *oc) (any, error) {
			return collected(c.AllSearchPools(ctx, onchaindata.SearchPoolsRequest{}))
		},
		"onchaindata.AllFilterPools": func(ctx context.Context, c *oc) (any, error) {
			return collected(c.AllFilterPools(ctx, onchaindata.FilterPoolsRequest{}))
		},
		"onchaindata.AllPoolCandles": func(ctx context.Context, c *oc) (any, error) {
			return collected(c.AllPoolCandles(ctx, "n", "A", minute))
		},
		"onchaindata.AllTokenCandles": func(ctx context.Context, c *oc) (any, error) {
			return collected(c.AllTokenCandles(ctx, "n", "A", minute))
		},
		"onchaindata.AllNetworks": func(ctx context.Context, c *oc) (any, error) {
			return collected(c.AllNetworks(ctx, onchaindata.NetworksRequest{}))
		},
		"onchaindata.AllDEXes": func(ctx context.Context, c *oc) (any, error) {
			return collected(c.AllDEXes(ctx, "n", onchaindata.DEXesRequest{}))
		},
	}, map[string][2]string{
		"onchaindata.AllTopPools": of("onchaindata.ListTopPools"), "onchaindata.AllTrendingPools": of("onchaindata.ListTrendingPools"),
		"onchaindata.AllNetworkTrendingPools": of("onchaindata.ListNetworkTrendingPools"), "onchaindata.AllNewPools": of("onchaindata.ListNewPools"),
		"onchaindata.AllSearchPools": of("onchaindata.SearchPools"), "onchaindata.AllFilterPools": of("onchaindata.FilterPools"),
		"onchaindata.AllPoolCandles": of("onchaindata.ListPoolCandles"), "onchaindata.AllTokenCandles": of("onchaindata.ListTokenCandles"),
		"onchaindata.AllNetworks": of("onchaindata.ListNetworks"), "onchaindata.AllDEXes": of("onchaindata.ListDEXes"),
	})...)
}
