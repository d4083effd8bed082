package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/socialsearch"
)

// candleLength is four hours, in which most tokens are mentioned.
const candleLength = 4 * time.Hour

// readCandles returns the token's candles from since on, oldest first.
func (s *services) readCandles(ctx context.Context, q question, since time.Time) ([]onchaindata.Candle, error) {
	var list []onchaindata.Candle
	request := onchaindata.CandlesRequest{
		Timeframe: onchaindata.TimeframeHour, Aggregate: new(int(candleLength / time.Hour)),
		Limit: new(q.hours/4 + 2), Currency: onchaindata.CurrencyUSD,
	}
	for candle, err := range s.market.AllTokenCandles(ctx, q.network, q.mint, request) {
		if err != nil {
			return nil, err
		}
		if candle.Timestamp.Before(since) {
			break
		}
		list = append(list, candle)
	}
	slices.Reverse(list)
	return list, nil
}

// readPosts returns the posts about the token from since on, newest first, and
// whether the budget ended the search.
func (s *services) readPosts(
	ctx context.Context, q question, since time.Time,
) (list []socialsearch.Post, cut bool, err error) {
	request := socialsearch.SearchRequest{
		Query: socialsearch.NewQuery(socialsearch.Cashtag(q.ticker), socialsearch.IsRepost().Not()),
		Limit: new(pageSize(q.budget)), SortOrder: socialsearch.SortRecency, Start: since,
		PostFields: []socialsearch.PostField{
			socialsearch.PostCreatedAt, socialsearch.PostPublicMetrics, socialsearch.PostAuthorID,
		},
		UserFields: []socialsearch.UserField{socialsearch.UserUsername},
		Expansions: []socialsearch.Expansion{socialsearch.ExpandAuthor},
	}
	for post, err := range s.posts.AllSearchRecent(ctx, request) {
		if errors.Is(err, socialsearch.ErrSpendBudget) {
			return list, true, nil
		}
		if err != nil {
			return nil, false, err
		}
		list = append(list, post)
	}
	return list, false, nil
}

// pageSize returns the largest page that the budget allows: a full page is
// reserved before the number of posts is known.
func pageSize(budget socialsearch.Cost) int {
	return int(min(100, max(10, budget/socialsearch.CostPostRead)))
}
