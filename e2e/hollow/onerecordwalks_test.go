package hollow

import (
	"errors"
	"net/http"
	"reflect"
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

// collect ranges over an iterator.
func collect(seq any) walked {
	w := walked{}
	for _, v := range reflect.ValueOf(seq).Seq2() {
		err, _ := v.Interface().(error)
		if record, ok := errors.AsType[*walletfi.RecordError](err); ok {
			w.order += "x"
			w.unread = append(w.unread, record)
		} else if err != nil {
			w.failure = err
		} else {
			w.order += "r"
		}
	}
	return w
}

// TestOneRecordWalk puts a record that cannot be read between two others, on the
// first page of each iterator: it is yielded in its place as an error with its
// JSON, and the iterator goes on.
func TestOneRecordWalk(t *testing.T) {
	rows := walks(t)
	for _, c := range rows {
		t.Run(c.name, func(t *testing.T) {
			carrier := &wiretest.Carrier{Answers: []wiretest.Answer{
				{Status: http.StatusOK, Body: replaced(c.answer, c.record+`,[[7]],`+c.other(t))},
				{Status: http.StatusOK, Body: replaced(c.answer, c.record)},
				{Status: http.StatusOK, Body: replaced(c.answer, ``)},
			}}
			result, err := c.call(t.Context(), carrier.Client())
			require.NoError(t, err)
			w := collect(result)
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
	lists := map[string]listCall{}
	for _, c := range listCalls() {
		lists[c.name] = c
	}
	of := func(list string, method any, args ...any) listCall {
		t.Helper()
		require.Contains(t, lists, list)
		return listing(lists[list].answer, lists[list].record, method, args...)
	}
	const posts, post = `{"data":[@],"meta":{"next_token":"t"}}`, `{"id":"1","text":"x"}`
	minute := onchaindata.CandlesRequest{Timeframe: onchaindata.TimeframeMinute}
	return []listCall{
		listing(`{"events":[@],"total":9}`, wholeDeposit,
			(*lending.Client).AllHistory, mintIn, lending.HistoryRequest{}),
		listing(`{"transactions":[@],"total":9}`, wholeExecuted,
			(*smartaccount.Client).AllTransactions, "acc_1", smartaccount.TransactionsRequest{}),
		of("leverage.ListOffers", (*leverage.Client).AllOffers, leverage.OffersRequest{}),
		of("leverage.ListPositions", (*leverage.Client).AllPositions, leverage.PositionsRequest{Owner: mintIn}),
		of("leverage.ListTradeHistory", (*leverage.Client).AllTradeHistory, leverage.TradeHistoryRequest{Owner: mintIn}),
		listing(`{"events":[@],"total":9}`, wholeEvent, (*predictmeta.Client).AllEvents, predictmeta.EventsRequest{}),
		listing(`{"markets":[@],"total":9}`, wholeMarket, (*predictmeta.Client).AllMarkets, predictmeta.MarketsRequest{}),
		listing(`{"trades":[@],"total":9}`, wholeTrade,
			(*predictmeta.Client).AllTrades, predictmeta.TradesRequest{}),
		listing(`{"trades":[@],"total":9}`, wholeTrade,
			(*predictmeta.Client).AllTradesByMint, mintIn, predictmeta.TradesRequest{}),
		listing(posts, post,
			(*socialsearch.Client).AllSearchRecent, socialsearch.SearchRequest{Query: socialsearch.RawQuery("x")}),
		listing(posts, post, (*socialsearch.Client).AllUserPosts, "1", socialsearch.UserPostsRequest{}),
		of("onchaindata.ListTopPools", (*onchaindata.Client).AllTopPools, "n", onchaindata.TopPoolsRequest{}),
		of("onchaindata.ListTrendingPools", (*onchaindata.Client).AllTrendingPools, onchaindata.TrendingPoolsRequest{}),
		of("onchaindata.ListNetworkTrendingPools",
			(*onchaindata.Client).AllNetworkTrendingPools, "n", onchaindata.TrendingPoolsRequest{}),
		of("onchaindata.ListNewPools", (*onchaindata.Client).AllNewPools, "n", onchaindata.NewPoolsRequest{}),
		of("onchaindata.SearchPools", (*onchaindata.Client).AllSearchPools, onchaindata.SearchPoolsRequest{}),
		of("onchaindata.FilterPools", (*onchaindata.Client).AllFilterPools, onchaindata.FilterPoolsRequest{}),
		of("onchaindata.ListPoolCandles", (*onchaindata.Client).AllPoolCandles, "n", "A", minute),
		of("onchaindata.ListTokenCandles", (*onchaindata.Client).AllTokenCandles, "n", "A", minute),
		of("onchaindata.ListNetworks", (*onchaindata.Client).AllNetworks, onchaindata.NetworksRequest{}),
		of("onchaindata.ListDEXes", (*onchaindata.Client).AllDEXes, "n", onchaindata.DEXesRequest{}),
	}
}
