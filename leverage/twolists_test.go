package leverage_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/leverage"
)

const onePosition = `{"address":"P1111111111111111111111111111111","status":"EXECUTED","unrealizedPnlUsd":"1","roiPercent":"1","liquidationPrice":"1",` +
	`"currentLtv":"0.5","effectiveLeverage":"2","interestAccrued":"1","dailyInterestCost":"1","entryPrice":"1","currentPrice":"1","collateralAmount":"1","borrowedAmount":"1"}`

// TestTwoLists: an empty list beside one that is not says nothing of it; of two with positions
// neither is the answer.
func TestTwoLists(t *testing.T) {
	for body, want := range map[string]int{
		`{"positions":[@],"data":[]}`: 1, `{"positions":[],"data":[@]}`: 1, `{"data":[],"items":[ ],"results":[@]}`: 1,
		`{"data":[@],"positions":[ ]}`: 1, `{"data":{"positions":[],"items":[@]}}`: 1, `{"positions":null,"data":[@]}`: 1,
		`{"positions":{"items":[@]},"data":[]}`: 1, `{"positions":[],"data":{"items":[@]}}`: 1, `{"positions":[@],"tags":["a"]}`: 1,
		`{"positions":[],"tags":["a"]}`: 0, `{"positions":[],"data":[]}`: 0, `{"positions":[],"data":null}`: 0,
		`{"positions":[@],"data":[@]}`: -1, `{"data":[@],"results":[@]}`: -1, `{"positions":[],"data":{}}`: -1, `{"positions":{},"data":[]}`: -1,
	} {
		c, _ := carriedClient(t, ok(strings.ReplaceAll(body, "@", onePosition)))
		page, err := c.ListPositions(t.Context(), leverage.PositionsRequest{Owner: wiretest.Address(1)})
		if want < 0 {
			require.ErrorIs(t, err, walletfi.ErrDecode, body)
			continue
		}
		require.NoError(t, err, body)
		require.Len(t, page.Items, want, body)
	}
}

// TestTwoAddresses: a position whose two addresses differ is kept, and it is said.
func TestTwoAddresses(t *testing.T) {
	for other, isSame := range map[string]bool{
		"P1111111111111111111111111111111": true, "": true, "P2111111111111111111111111111111": false,
	} {
		c, _ := carriedClient(t, ok(`[`+strings.Replace(onePosition, "{", `{"positionAddress":"`+other+`",`, 1)+`]`))
		page, err := c.ListPositions(t.Context(), leverage.PositionsRequest{Owner: wiretest.Address(1)})
		require.Len(t, page.Items, 1)
		require.Equal(t, "P1111111111111111111111111111111", page.Items[0].Address)
		if isSame {
			require.NoError(t, err, other)
			continue
		}
		require.ErrorContains(t, err, "Position.positionAddress decides, and is repeated")
		require.True(t, wiretest.As[*walletfi.UnreadError](t, err).Records[0].Kept)
	}
}
