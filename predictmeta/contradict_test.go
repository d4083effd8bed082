package predictmeta_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// TestOneMintForBothOutcomes: whoever buys no of such a market gets yes.
func TestOneMintForBothOutcomes(t *testing.T) {
	same := strings.NewReplacer("N11111111111111111111111111111111", "Y11111111111111111111111111111111")
	one := same.Replace(called(wholeMarket, "MK-1"))
	require.ErrorIs(t, wiretest.Error(answering(t, one).GetMarket(t.Context(), "MK-1")), walletfi.ErrDecode)
	page, err := answering(t, `{"markets":[`+one+`,`+called(wholeMarket, "MK-2")+`]}`).
		ListMarkets(t.Context(), predictmeta.MarketsRequest{})
	require.ErrorContains(t, err, "Market.no_mint")
	require.Len(t, page.Items, 2)
	batch, err := answering(t, `{"markets":[`+same.Replace(called(wholeSummary, "MK-1"))+`]}`).
		BatchMarkets(t.Context(), predictmeta.BatchMarketsRequest{Tickers: []string{"MK-1"}})
	require.ErrorContains(t, err, "MarketSummary.no_mint")
	require.Len(t, batch.Markets, 1)
}

// TestHighBelowLow: such a candlestick is kept, with the problem beside it.
func TestHighBelowLow(t *testing.T) {
	candles := func(high string) string {
		return `{"ticker":"T","interval":"1m","candlesticks":[{"timestamp":"2026-01-01T00:00:00Z","open":0.5,"high":` + high + `,"low":0.5,"close":0.5,"volume":1}]}`
	}
	for high, ok := range map[string]bool{"0.5": true, "5e-1": true, "0.6": true, "0.4": false} {
		ofEvent, err := answering(t, candles(high)).GetEventCandlesticks(t.Context(), "T", predictmeta.CandlesticksRequest{})
		ofMarket, another := answering(t, candles(high)).GetMarketCandlesticks(t.Context(), "T", predictmeta.CandlesticksRequest{})
		require.Len(t, ofEvent.Candlesticks, 1)
		require.Len(t, ofMarket.Candlesticks, 1)
		for _, err := range []error{err, another} {
			if ok {
				require.NoError(t, err, high)
				continue
			}
			require.ErrorIs(t, err, walletfi.ErrDecode, high)
			require.ErrorContains(t, err, "Candlestick.high")
		}
	}
}

// TestBookWithoutSides: an answer that names no side does not say that there is nothing to trade.
func TestBookWithoutSides(t *testing.T) {
	for body, ok := range map[string]bool{
		`{"bids":[],"asks":[]}`: true, `{"data":{"bids":[],"asks":[]}}`: true, `{"ticker":"T","book":{"bids":[],"asks":[]}}`: true,
		`{}`: false, `[]`: false, `null`: false, `"x"`: false, `{"data":null}`: false, `{"success":true}`: false,
		`{"bids":[]}`: true, `{"asks":[]}`: true, `{"bids":null,"asks":null}`: false, `{"levels":[[0.51,4]]}`: false,
	} {
		book, err := answering(t, body).GetOrderBookByMint(t.Context(), mint(1))
		require.NotNil(t, book, body)
		require.Equal(t, body, book.Raw.String())
		if ok {
			require.NoError(t, err, body)
			continue
		}
		require.ErrorIs(t, err, walletfi.ErrDecode, body)
	}
}

// TestCrossedBook: a snapshot whose best bid is above its best ask is no book.
func TestCrossedBook(t *testing.T) {
	book := func(bid, ask, spread string) string {
		return `{"ticker":"T","timestamp":"2026-01-01T00:00:00Z","bids":[{"price":0.1,"quantity":5},{"price":` + bid + `,"quantity":5}],` +
			`"asks":[{"price":0.9,"quantity":5},{"price":` + ask + `,"quantity":5}],"spread":` + spread + `,"mid_price":0.5}`
	}
	for body, ok := range map[string]bool{
		book("0.4", "0.6", "0.2"): true, book("0.5", "0.5", "0"): true, book("0.5", "5e-1", "0"): true,
		book("0.7", "0.6", "0.1"): false, book("0.4", "0.6", "-0.2"): false,
		strings.Replace(book("0.7", "0.6", "0.1"), `0.7,"quantity":5`, `0.7,"quantity":0`, 1): true,
	} {
		_, byTicker := answering(t, body).GetOrderBook(t.Context(), "T", predictmeta.OrderBookRequest{})
		_, byMint := answering(t, body).GetOrderBookByMint(t.Context(), mint(1))
		for _, err := range []error{byTicker, byMint} {
			if ok {
				require.NoError(t, err, body)
			} else {
				require.ErrorIs(t, err, walletfi.ErrDecode, body)
			}
			require.Equal(t, strings.Contains(body, `0.7,"quantity":5`), errors.Is(err, predictmeta.ErrBookCrossed))
		}
	}
}

// TestMintInAnotherCase: base58 tells letters by their case, so that it is another mint.
func TestMintInAnotherCase(t *testing.T) {
	asked := wiretest.Address(1)
	for said, ok := range map[string]bool{asked: true, strings.ToUpper(asked): false, strings.ToLower(asked): false} {
		for _, body := range []string{
			`{"outcome_mints":[{"mint":"` + said + `","market_ticker":"T","outcome":"yes"}],"non_outcome_mints":[]}`,
			`{"outcome_mints":[],"non_outcome_mints":["` + said + `"]}`,
		} {
			_, err := answering(t, body).FilterOutcomeMints(t.Context(), []string{asked})
			require.Equal(t, !ok, errors.Is(err, walletfi.ErrMismatch), "%s: %v", body, err)
		}
	}
}

// TestCandlesOfAnotherMarket: the ticker may be that of the market, its event or its series.
func TestCandlesOfAnotherMarket(t *testing.T) {
	for said, ok := range map[string]bool{
		"BTC-R6-M1": true, "btc-r6-m1": true, "BTC-R6": true, "BTC": true, "": true, "BTC-R6-M2": false, "ETH": false, "BTC-R6-M": false, "BTC-R6-M10": false,
	} {
		body := `{"ticker":"` + said + `","interval":"1h","candlesticks":[]}`
		got := wiretest.Error(answering(t, body).GetMarketCandlesticks(t.Context(), "BTC-R6-M1", predictmeta.CandlesticksRequest{}))
		require.Equal(t, !ok, errors.Is(got, walletfi.ErrMismatch), "%s: %v", said, got)
		require.NoError(t, wiretest.Error(answering(t, body).GetMarketCandlesticksByMint(t.Context(), mint(1), predictmeta.CandlesticksRequest{})))
	}
}
