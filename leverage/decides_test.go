package leverage_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/leverage"
)

// TestDecides: the risk of a position is said, or its record says that it is not.
func TestDecides(t *testing.T) {
	for now, fault := range map[string]string{
		``: `missing (wire:"said")`, `"liquidationPrice":null,`: `missing (wire:"said")`,
		`"liquidationPrice":"",`:    `missing (wire:"said")`,
		`"liquidationPrice":"50%",`: "of another kind", `"liquidationPrice":"NaN",`: "of another kind",
		`"liquidationPrice":"Infinity",`: "of another kind", `"liquidationPrice":{},`: "of another kind",
		`"liquidationPrice":-1,`: "out of range", `"liquidationPrice":1e999,`: "out of range",
		`"liquidationPrice":9,"liquidationPrice":8,`: "repeated",
	} {
		body := "[" + strings.Replace(wholePosition, `"liquidationPrice":"98.7",`, now, 1) + "]"
		c, _ := carriedClient(t, ok(body))
		page, err := c.ListPositions(t.Context(), leverage.PositionsRequest{Owner: "W1"})
		unread := wiretest.As[*walletfi.UnreadError](t, err)
		require.True(t, unread.Records[0].Kept)
		require.EqualError(t, unread.Records[0].Err, "field liquidationPrice: Position.liquidationPrice decides, and is "+fault)
		require.Len(t, page.Items, 1)
		require.Equal(t, fault == "out of range" && now != `"liquidationPrice":1e999,` || fault == "repeated",
			page.Items[0].LiquidationPrice.Valid(), now)
	}
	for _, height := range []string{``, `,"lastValidBlockHeight":null`, `,"lastValidBlockHeight":0`} {
		c, _ := carriedClient(t, ok(`{"transaction":"2VfUX"`+height+`}`))
		_, err := c.BuildRepay(t.Context(), leverage.RepayRequest{Position: "P1111111111111111111111111111111", Owner: "W1"})
		require.ErrorIs(t, err, walletfi.ErrDecode, height)
	}
}

// TestRisksOfClosed: what a position risked is no longer known once it is over. It is said all the
// same, and of one that is open, or does not say so, it is known.
func TestRisksOfClosed(t *testing.T) {
	risks := []string{"liquidationPrice", "currentLtv", "effectiveLeverage", "dailyInterestCost"}
	list := func(status, name, value string) (leverage.Position, error) {
		from := regexp.MustCompile(`"` + name + `":[^,]*,`)
		require.Regexp(t, from, wholePosition)
		body := from.ReplaceAllString(wholePosition, value)
		c, _ := carriedClient(t, ok("["+strings.Replace(body, `{`, `{`+status, 1)+"]"))
		page, err := c.ListPositions(t.Context(), leverage.PositionsRequest{Owner: "W1"})
		require.Len(t, page.Items, 1, body)
		return page.Items[0], err
	}
	for _, name := range risks {
		null := `"` + name + `":null,`
		for _, over := range []string{`"status":"CLOSED",`, `"status":"LIQUIDATED",`, `"status":"closed",`} {
			p, err := list(over, name, null)
			require.NoError(t, err, over+null)
			require.Contains(t, p.Raw.String(), null)
			for _, lie := range []string{``, `"` + name + `":"",`, `"` + name + `":"six",`, null + null} {
				require.ErrorContains(t, wiretest.Error(list(over, name, lie)), "Position."+name+" decides", over+lie)
			}
		}
		for _, open := range []string{``, `"status":"EXECUTED",`, `"status":null,`, `"status":"PENDING",`} {
			p, err := list(open, name, null)
			unread := wiretest.As[*walletfi.UnreadError](t, err, open+null)
			require.EqualError(t, unread.Records[0].Err, "field "+name+": Position."+name+" decides, and is missing (wire:\"said\")")
			require.Contains(t, p.Raw.String(), null)
		}
	}
	require.ErrorContains(t, wiretest.Error(list(`"status":"CLOSED",`, "entryPrice", `"entryPrice":null,`)), "entryPrice decides")
}

// TestOpaqueAddresses: an address that is no identifier is kept, and said beside its record; not
// again when the record was stored.
func TestOpaqueAddresses(t *testing.T) {
	odd := strings.Replace(wholePosition, `{`, `{"address":"pos 1",`, 1)
	c, _ := carriedClient(t, ok(`[`+strings.Replace(odd, "address", "positionAddress", 1)+`]`))
	page, err := c.ListPositions(t.Context(), leverage.PositionsRequest{Owner: "W1"})
	require.ErrorContains(t, err, "Position.positionAddress decides, and is no identifier")
	require.Equal(t, "pos 1", page.Items[0].Address)
	for _, body := range []string{`[` + odd + `]`, `{"positions":[` + odd + `]}`, `{"data":[` + odd + `]}`} {
		c, _ := carriedClient(t, ok(body))
		page, err := c.ListPositions(t.Context(), leverage.PositionsRequest{Owner: "W1"})
		unread := wiretest.As[*walletfi.UnreadError](t, err)
		require.True(t, unread.Records[0].Kept)
		require.EqualError(t, unread.Records[0].Err, "field address: Position.address decides, and is no identifier")
		require.Equal(t, "pos 1", page.Items[0].Address)

		var stored leverage.Position
		require.NoError(t, json.Unmarshal([]byte(odd), &stored))
		require.Equal(t, page.Items[0], stored)
	}
}

// TestTokenTwice: a position with two tokens of one name is reported.
func TestTokenTwice(t *testing.T) {
	twice := strings.Replace(wholePosition, `{`, `{"baseToken":{"address":"M1"},"baseToken":{"address":"M2"},`, 1)
	c, _ := carriedClient(t, ok(`[`+twice+`]`))
	_, err := c.ListPositions(t.Context(), leverage.PositionsRequest{Owner: "W1"})
	require.ErrorContains(t, err, "baseToken")
	require.Equal(t, twice, wiretest.As[*walletfi.UnreadError](t, err).Records[0].Raw.String())
}
