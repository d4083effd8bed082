package leverage_test

import (
	"iter"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/leverage"
)

func TestWireLists(t *testing.T) {
	wiretest.Run(t, []wiretest.Case{{
		Call: wiretest.By(client, (*leverage.Client).ListPositions,
			leverage.PositionsRequest{Owner: "W1", Status: leverage.StatusAll, Limit: new(2), Offset: new(3)}),
		Method: "GET", Target: "/api/v1/positions?limit=2&offset=3&owner=W1&status=ALL", Header: key, File: "ListPositions.json",
		Then: func(t *testing.T, result any) {
			page := result.(*leverage.PositionPage)
			require.JSONEq(t, wiretest.File(t, "ListPositions.json"), page.Raw.String())
			require.Len(t, page.Items, 2)
			first := page.Items[0]
			require.Contains(t, first.Raw.String(), `"openedAt": "2026-01-01"`)
			first.Raw = nil
			require.Equal(t, leverage.Position{
				Address: "P1111111111111111111111111111111", Status: leverage.StatusExecuted,
				UnrealizedPnLUSD: wiretest.Decimal(t, "-12.500000000000000001"), ROIPercent: wiretest.Decimal(t, "-3.1"),
				LiquidationPrice: wiretest.Decimal(t, "98.7"), CurrentLTV: wiretest.Decimal(t, "0.66"), EffectiveLeverage: wiretest.Decimal(t, "3"),
				InterestAccrued: wiretest.Decimal(t, "0"), DailyInterestCost: wiretest.Decimal(t, "0.01"),
				EntryPrice: wiretest.Decimal(t, "150"), CurrentPrice: wiretest.Decimal(t, "149.5"),
				CollateralAmount: wiretest.Decimal(t, "18446744073709551615"), BorrowedAmount: wiretest.Decimal(t, "18446744073709551616"),
				BaseToken: &leverage.Token{Symbol: "SOL", Decimals: 9, PriceUSD: wiretest.Decimal(t, "150.1")},
			}, first)
			second := page.Items[1]
			require.Equal(t, "P2111111111111111111111111111111", second.Address)
			require.Equal(t, leverage.PositionStatus("FROZEN"), second.Status)
			require.Equal(t, "1e-7", second.LiquidationPrice.String())
		},
	}, {
		Name:   "ListPositions, least",
		Call:   wiretest.By(client, (*leverage.Client).ListPositions, leverage.PositionsRequest{Owner: "W1"}),
		Method: "GET", Target: "/api/v1/positions?owner=W1", Reply: "[" + wholePosition + "]",
		Then: func(t *testing.T, result any) {
			page := result.(*leverage.PositionPage)
			require.Equal(t, wholePosition, page.Items[0].Raw.String())
			require.Empty(t, page.Items[0].Address, "its name is not documented")
			require.Equal(t, "["+wholePosition+"]", page.Raw.String())
		},
	}, {
		Call: wiretest.By(client, (*leverage.Client).ListTradeHistory, leverage.TradeHistoryRequest{
			Owner: "W1", Position: "P1111111111111111111111111111111", EventType: leverage.EventOpen, Limit: new(5), Offset: new(1),
		}),
		Method: "GET", Header: key, File: "ListTradeHistory.json",
		Target: "/api/v1/positions/trade-history?eventType=OPEN&limit=5&offset=1&owner=W1&positionAddress=P1111111111111111111111111111111",
		Then: func(t *testing.T, result any) {
			require.Equal(t, []leverage.TradeEvent{
				{EventType: leverage.EventOpen, Position: "P1111111111111111111111111111111", Owner: "W1",
					Raw: walletfi.Document(`{"eventType": "OPEN", "positionAddress": "P1111111111111111111111111111111", "owner": "W1", "price": 1.50}`)},
				{EventType: "REBATE", Raw: walletfi.Document(`{"eventType": "REBATE", "positionAddress": null, "amount": "18446744073709551615"}`)},
			}, result.(*leverage.TradeHistoryPage).Items)
		},
	}})
}

// wholeOffer is an offer without its tokens.
const wholeOffer = `{"address":"Q1111111111111111111111111111111","baseTokenAddress":"M1111111111111111111111111111111","quoteTokenAddress":"M2111111111111111111111111111111","side":"LONG","maxLeverage":5,` +
	`"interestRate":0.1,"totalLiquidity":"0"}`

// called is the whole position under an address.
func called(address string) string {
	return strings.Replace(wholePosition, `{`, `{"address":"`+address+`",`, 1)
}

// wholePosition has the members that are documented, all and no other.
const wholePosition = `{"unrealizedPnlUsd":"-12.5","roiPercent":"-3.1","liquidationPrice":"98.7","currentLtv":"0.66",` +
	`"effectiveLeverage":"3","interestAccrued":"0","dailyInterestCost":"0.01","entryPrice":"150","currentPrice":"149.5",` +
	`"collateralAmount":"7","borrowedAmount":"5"}`

// TestEnvelopes: a list is found in every likely envelope, and what holds none
// is an error rather than no position.
func TestEnvelopes(t *testing.T) {
	for body, want := range map[string]int{
		`[]`: 0,
		`[{"address":"P1111111111111111111111111111111"}]`:               1,
		` [ {"address":"P1111111111111111111111111111111"},{} ] `:        2,
		`{"positions":[{"address":"P1111111111111111111111111111111"}]}`: 1,
		`{"total":0,"positions":[]}`:                                     0,
		`{"positions":null}`:                                             -1,
		`{"data":[{}]}`:                                                  1,
		`{"data":{"positions":[{},{}]}}`:                                 2,
		`{"data":null}`:                                                  -1,
		`{"items":[{}],"tags":["x"]}`:                                    1,
		`{"results":[{}]}`:                                               1,
		`{"records":[{},{},{}],"page":1}`:                                3,
		`{}`:                                                             -1,
		`null`:                                                           -1,
		``:                                                               -1,
		`{"positions":{"P1111111111111111111111111111111":{}}}`: -1,
		`{"a":[{}],"b":[{}]}`:                    -1,
		`{"total":3}`:                            -1,
		`{"positions":[{"address":{"x":1}}]}`:    -1,
		`{"positions":[{"entryPrice":"soon"}]`:   -1,
		`{"data":{"data":{"positions":[{}]}}}`:   1,
		`{"data":{"data":{"data":{"data":[]}}}}`: -1,
		`7`:                                      -1,
		`"none"`:                                 -1,
	} {
		t.Run(body, func(t *testing.T) {
			if want > 0 {
				body = strings.NewReplacer(`{}`, wholePosition, `{"address":"P1111111111111111111111111111111"}`, wholePosition).Replace(body)
			}
			c, _ := carriedClient(t, ok(body))
			page, err := c.ListPositions(t.Context(), leverage.PositionsRequest{Owner: "W1"}, walletfi.WithoutRetry())
			if want < 0 {
				require.ErrorIs(t, err, walletfi.ErrDecode)
				r := wiretest.As[*walletfi.ResponseError](t, err)
				require.Equal(t, body, string(r.Body))
				return
			}
			require.NoError(t, err)
			require.Len(t, page.Items, want)
		})
	}
	c, _ := carriedClient(t, ok(`{"events":[{"eventType":"MERGE"}],"cursors":["x"]}`))
	history, err := c.ListTradeHistory(t.Context(), leverage.TradeHistoryRequest{Owner: "W1"})
	require.NoError(t, err)
	require.Equal(t, leverage.EventMerge, history.Items[0].EventType)
}

// collect takes what a sequence yields up to its first error.
func collect[T any](seq iter.Seq2[T, error]) (items []T, err error) {
	for item, err := range seq {
		if err != nil {
			return items, err
		}
		items = append(items, item)
	}
	return items, nil
}

func targets(wire *wiretest.Carrier) []string {
	var all []string
	for _, r := range wire.Seen {
		all = append(all, r.Target)
	}
	return all
}

func TestAllOffers(t *testing.T) {
	of := func(digit string) string { return strings.Replace(wholeOffer, `"Q1`, `"Q`+digit, 1) }
	c, wire := carriedClient(t, ok("["+wholeOffer+","+of("2")+"]"), ok("["+of("3")+"]"), ok(`[]`))
	req := leverage.OffersRequest{Limit: new(2), Offset: new(1), Side: leverage.SideLong}
	offers, err := collect(c.AllOffers(t.Context(), req))
	require.NoError(t, err)
	require.Len(t, offers, 3)
	require.Equal(t, []string{
		"/api/v1/offers?limit=2&offset=1&side=LONG", "/api/v1/offers?limit=2&offset=3&side=LONG", "/api/v1/offers?limit=2&offset=4&side=LONG",
	}, targets(wire))
	require.Equal(t, new(1), req.Offset, "the caller's request stays as it is")
}

func TestAllPositions(t *testing.T) {
	closed := func(address string) string { return strings.Replace(called(address), `{`, `{"status":"CLOSED",`, 1) }
	c, wire := carriedClient(t, ok("["+closed("P1111111111111111111111111111111")+"]"),
		ok(`{"positions":[`+closed("P2111111111111111111111111111111")+`]}`), ok(`{"positions":[]}`))
	positions, err := collect(c.AllPositions(t.Context(), leverage.PositionsRequest{Owner: "W1", Status: leverage.StatusClosed}))
	require.NoError(t, err)
	require.Equal(t, "P1111111111111111111111111111111", positions[0].Address)
	require.Equal(t, "P2111111111111111111111111111111", positions[1].Address)
	require.Len(t, positions, 2)
	require.Equal(t, []string{
		"/api/v1/positions?owner=W1&status=CLOSED", "/api/v1/positions?offset=1&owner=W1&status=CLOSED", "/api/v1/positions?offset=2&owner=W1&status=CLOSED",
	}, targets(wire))
}

func TestAllTradeHistory(t *testing.T) {
	c, wire := carriedClient(t, ok(`{"data":[{"eventType":"OPEN"},{"eventType":"CLOSE"}]}`), answer{Status: 404})
	events, err := collect(c.AllTradeHistory(t.Context(), leverage.TradeHistoryRequest{Owner: "W1", Limit: new(2)}))
	require.ErrorIs(t, err, walletfi.ErrNotFound)
	require.Len(t, events, 2, "what came before the error")
	require.Equal(t, []string{
		"/api/v1/positions/trade-history?limit=2&owner=W1", "/api/v1/positions/trade-history?limit=2&offset=2&owner=W1",
	}, targets(wire))
}

// TestIteratorsEnd: a caller who has enough causes no further request, and one
// whose request is refused gets that as the first error.
func TestIteratorsEnd(t *testing.T) {
	c, wire := carriedClient(t, ok("["+called("P1111111111111111111111111111111")+","+called("P2111111111111111111111111111111")+"]"))
	for p, err := range wiretest.Some(t, c.AllPositions(t.Context(), leverage.PositionsRequest{Owner: "W1"})) {
		require.NoError(t, err)
		require.Equal(t, "P1111111111111111111111111111111", p.Address)
		break
	}
	require.Len(t, wire.Seen, 1)

	_, positions := collect(c.AllPositions(t.Context(), leverage.PositionsRequest{}))
	_, offers := collect(c.AllOffers(t.Context(), leverage.OffersRequest{Offset: new(-1)}))
	_, events := collect(c.AllTradeHistory(t.Context(), leverage.TradeHistoryRequest{Owner: "W1", EventType: "x"}))
	wiretest.Refused(t, positions, "owner")
	wiretest.Refused(t, offers, "offset")
	wiretest.Refused(t, events, "eventType")
	require.Len(t, wire.Seen, 1)
}
