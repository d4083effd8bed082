package leverage_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/leverage"
)

// TestTokensSaySomething: the shape of the tokens is not documented, and an answer that says
// nothing is none.
func TestTokensSaySomething(t *testing.T) {
	for body, want := range map[string]error{
		`[]`: nil, `{"tokens":[]}`: nil, `{"count":0}`: nil, `{"M1":{"symbol":"S"}}`: nil,
		`{}`: walletfi.ErrDecode, `null`: walletfi.ErrDecode, `"x"`: walletfi.ErrDecode, `5`: walletfi.ErrDecode,
		`{"data":null}`: walletfi.ErrDecode, `{"success":true}`: walletfi.ErrDecode,
	} {
		c, _ := carriedClient(t, ok(body))
		require.ErrorIs(t, wiretest.Error(c.SearchTokens(t.Context(), leverage.SearchTokensRequest{})), want, body)
	}
}

// TestSideInAnyCase: a documented side is the constant, in whatever case it comes.
func TestSideInAnyCase(t *testing.T) {
	c, _ := carriedClient(t, ok(`[`+strings.Replace(wholeOffer, `"LONG"`, `"Long"`, 1)+`]`))
	page, err := c.ListOffers(t.Context(), leverage.OffersRequest{Side: leverage.SideLong})
	require.NoError(t, err)
	require.Equal(t, leverage.SideLong, page.Items[0].Side)
}

// TestEventsOfAType: an event that does not say its type passes no filter unseen. Those that could
// not be read keep their places.
func TestEventsOfAType(t *testing.T) {
	c, _ := carriedClient(t, ok(`{"events":[7,{"eventType":"OPEN"},{"a":1},{"type":"OPEN"},{"eventType":null}]}`))
	page, err := c.ListTradeHistory(t.Context(), leverage.TradeHistoryRequest{Owner: "W1", EventType: leverage.EventOpen})
	require.Len(t, page.Items, 4)
	unread := wiretest.As[*walletfi.UnreadError](t, err)
	require.Len(t, unread.Records, 3)
	for i, index := range []int{0, 2, 4} {
		require.Equal(t, index, unread.Records[i].Index)
		require.Equal(t, index > 0, unread.Records[i].Kept)
	}
	require.Equal(t, `{"a":1}`, unread.Records[1].Raw.String())
	c, _ = carriedClient(t, ok(`{"events":[{"a":1}]}`))
	require.NoError(t, wiretest.Error(c.ListTradeHistory(t.Context(), leverage.TradeHistoryRequest{Owner: "W1"})))
}
